import { test } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { type Judgement, judge } from './judgement.ts'
import { skip } from './outcome.ts'
import { report } from './row-report.ts'
import { currentRun } from './run.ts'
import { currentScope } from './scope.ts'

/** A statement about every exchange with a documented endpoint. */
export interface Invariant<Context> {
  /** Which exchanges the statement is about. */
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
      const exchanges = currentRun().exchanges.filter(
        ({ request }) => request.service === service && request.endpoint !== undefined,
      )
      const judged: string[] = []
      const evidence = currentScope()?.exchanges
      for (const exchange of exchanges) {
        // The others come to the same exchange meanwhile, whose body is then unpacked once for all.
        await undefined
        if (!about(exchange, context)) continue
        holds(exchange, context)
        judged.push(exchange.id)
        // Every expectation adds its exchange, but only one that fails is worth showing.
        evidence?.delete(exchange.id)
      }
      if (judged.length === 0) skip(`there was ${unlessSeen}`)
      // All of them are the evidence; a report is better served by a few.
      for (const id of judged.slice(0, 3)) evidence?.add(id)
    },
  })
}

/**
 * Judges the invariants, all of them exchange by exchange. Call it when every suite is registered: it
 * runs after all of their checks.
 */
export function judgeInvariants(): void {
  let judgements: Promise<Judgement>[] | undefined
  for (const [index, { id }] of registered.entries()) {
    test.sequential(`${id} (every exchange)`, async (test) => {
      judgements ??= registered.map((invariant) =>
        judge(invariant.id, 'invariant', invariant.judge),
      )
      report(test, await (judgements[index] as Promise<Judgement>))
    })
  }
}
