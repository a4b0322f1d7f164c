import { test } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { judge } from './judgement.ts'
import { skip } from './outcome.ts'
import { report } from './report-row.ts'
import { currentRun } from './run.ts'
import { currentScope } from './scope.ts'

/** A statement about every exchange with a documented endpoint. */
export interface Invariant<Context> {
  /** Which exchanges the statement is about. Throws `Skip` when the target rules it out. */
  about: (exchange: Exchange, context: Context) => boolean
  /** What was missing when no exchange was of that kind; completes "there was …". */
  unlessSeen: string
  /** Holds the statement against one exchange: a failed expectation contradicts it. */
  holds: (exchange: Exchange, context: Context) => void
}

interface Registered {
  id: string
  judge: () => Promise<void>
}

const registered: Registered[] = []

/** @param prepare resolves when the target has been looked at; rejects when nothing may be judged */
export function registerInvariant<Context>(
  service: string,
  id: string,
  { about, unlessSeen, holds }: Invariant<Context>,
  prepare: () => Promise<Context>,
): void {
  registered.push({
    id,
    async judge() {
      const context = await prepare()
      // Only now: with no other requirement selected, preparing is what brings exchanges.
      const judged = currentRun().exchanges.filter(
        (exchange) =>
          exchange.request.service === service &&
          exchange.request.endpoint !== undefined &&
          about(exchange, context),
      )
      if (judged.length === 0) skip(`there was ${unlessSeen}`)
      const evidence = currentScope()?.exchanges
      for (const exchange of judged) {
        holds(exchange, context)
        // Every expectation adds its exchange, but only one that fails is worth showing.
        evidence?.delete(exchange.id)
      }
      // All of them are the evidence; a report is better served by a few.
      for (const { id } of judged.slice(0, 3)) evidence?.add(id)
    },
  })
}

/** Judges the invariants. Call it when every suite is registered: it runs after all of their checks. */
export function judgeInvariants(): void {
  for (const invariant of registered) {
    test.sequential(`${invariant.id} (every exchange)`, async (test) => {
      report(test, await judge(invariant.id, 'invariant', invariant.judge))
    })
  }
}
