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
  service: string
  id: string
  judge: (exchanges: Exchange[]) => void
}

const registered: Registered[] = []

export function registerInvariant<Context>(
  service: string,
  id: string,
  { about, unlessSeen, holds }: Invariant<Context>,
  context: () => Context,
): void {
  registered.push({
    service,
    id,
    judge(exchanges) {
      const judged = exchanges.filter((exchange) => about(exchange, context()))
      if (judged.length === 0) skip(`there was ${unlessSeen}`)
      for (const exchange of judged) holds(exchange, context())
      // All of them are the evidence; a report is better served by a few.
      for (const { id } of judged.slice(0, 3)) currentScope()?.exchanges.add(id)
    },
  })
}

/** Judges the invariants. Call it when every suite is registered: it runs after all of their checks. */
export function judgeInvariants(): void {
  for (const invariant of registered) {
    test.sequential(`${invariant.id} (every exchange)`, async (test) => {
      const exchanges = currentRun().exchanges.filter(
        ({ request }) => request.service === invariant.service && request.endpoint !== undefined,
      )
      report(test, await judge(invariant.id, 'invariant', async () => invariant.judge(exchanges)))
    })
  }
}
