import { test } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import {
  type Contradiction,
  Contradictions,
  distinctContradictions,
  isFailedExpectation,
  sortByRequest,
} from './deviations.ts'
import { ofRun } from './fixture.ts'
import { judge } from './judgement.ts'
import { everythingChecked } from './lifecycle.ts'
import { Inconclusive, Skip, skipUnobserved } from './outcome.ts'
import { type Catalogue, type Requirement, requireNeeds } from './requirement.ts'
import { report, see } from './row-report.ts'
import { currentRun } from './run.ts'
import { createScope, currentScope, noteLeftOut, runInScope } from './scope.ts'

/** A statement about every exchange with a documented endpoint. */
export interface Invariant<Context> {
  about: (exchange: Exchange, context: Context) => boolean
  /** What was missing when no exchange was of that kind; completes "there was …". */
  unlessSeen: string
  /** Holds the statement against one exchange: a failed expectation contradicts it. */
  holds: (exchange: Exchange, context: Context) => void
}

interface BindOptions<Context> {
  /** Whether the target has the service at all. */
  probed: () => boolean
  context: () => Context
  /** Awaited before anything is judged; throws what then holds for every requirement. */
  preflight: (context: Context) => Promise<void>
}

/** Binds the words of suites to a catalogue, so that an id which is not in it does not compile. */
export function bind<Id extends string, ObservationId extends string, Context>(
  catalogue: Catalogue<Id, ObservationId>,
  { probed, context: createContext, preflight }: BindOptions<Context>,
) {
  const context = ofRun(createContext)
  const preflightScope = ofRun(() => createScope(`${catalogue.service} preflight`))
  const ready = ofRun(() => runInScope(preflightScope(), () => preflight(context())))

  /** What stops everything is shown by the preflight's exchanges; otherwise they are its own. */
  async function prepare(): Promise<void> {
    await ready().catch((error) => {
      for (const id of preflightScope().exchanges) currentScope()?.exchanges.add(id)
      throw error
    })
  }

  const rowOf = (id: Id) => catalogue.requirements.find((row) => row.id === id) as Requirement

  const isSelected = (id: string) => probed() && currentRun().settings.selected.includes(id)
  const isChecked = (id: string) => probed() && currentRun().settings.checks.includes(id)

  /** @throws Skip when the target lacks what the requirement needs */
  const require = (needs: readonly string[] = []): void =>
    requireNeeds(catalogue.needs, needs, currentRun().settings.target)

  async function judgeExchanges({ about, unlessSeen, holds }: Invariant<Context>): Promise<void> {
    // Only now: with no other requirement selected, preparing is what brings exchanges.
    const { exchanges: all, normalize } = currentRun()
    const exchanges = all.filter(
      ({ request }) => request.service === catalogue.service && request.endpoint !== undefined,
    )
    const judged: Exchange[] = []
    const contradictions: Contradiction[] = []
    const unread: { record: Exchange['record']; error: Inconclusive }[] = []
    const evidence = currentScope()?.exchanges
    for (const exchange of exchanges) {
      // The others come to the same exchange meanwhile, whose body is then unpacked once for all.
      await undefined
      try {
        if (!about(exchange, context())) continue
        holds(exchange, context())
      } catch (error) {
        if (isFailedExpectation(error)) {
          contradictions.push(Object.assign(error, { exchange }))
        } else {
          // Its body is too large to be read; what contradicts the statement may come behind it.
          if (exchange.leastElements === undefined || !(error instanceof Inconclusive)) throw error
          unread.push({ record: exchange.record, error })
          continue
        }
      }
      judged.push(exchange)
      // Every expectation adds its exchange, but only one that fails is worth showing.
      evidence?.delete(exchange.id)
    }
    if (contradictions.length > 0) {
      throw new Contradictions(distinctContradictions(contradictions, normalize))
    }
    const [first] = sortByRequest(unread, ({ record }) => record, normalize)
    if (first !== undefined && judged.length === 0) throw first.error
    if (judged.length === 0) skipUnobserved(`there was ${unlessSeen}`)
    if (first !== undefined) {
      const count = `A part of the evidence, ${unread.length} exchanges,`
      noteLeftOut(unread.length === 1 ? 'One exchange' : count, first.error.reason)
    }
    // All of them are the evidence; a report is better served by a few.
    const shown = sortByRequest(judged, ({ record }) => record, normalize).slice(0, 3)
    for (const { id } of shown) evidence?.add(id)
  }

  return {
    /** Judges a requirement: passes unless an expectation fails. */
    verify(id: Id, check: (context: Context) => Promise<void>): void {
      if (!isChecked(id)) return
      test.concurrent(id, async (test) => {
        const judgement = await judge(id, 'probe', async () => {
          const { needs, controlNeeds } = rowOf(id)
          await prepare()
          require(needs)
          try {
            await check(context())
          } catch (error) {
            // Nothing was accepted that is to be refused; for more there has to be a control.
            if (error instanceof Skip) require(controlNeeds)
            throw error
          }
        })
        report(test, judgement, rowOf(id))
      })
    },

    /** Judges a requirement on every exchange with a documented endpoint, after all checks. */
    invariant(id: Id, invariant: Invariant<Context>): void {
      if (!isSelected(id)) return
      test.concurrent(id, { meta: { afterChecks: true } }, async (test) => {
        await everythingChecked(test.task.file)
        const row = rowOf(id)
        const judgement = await judge(id, 'invariant', async () => {
          await prepare()
          // Beside a probe it needs nothing: it contradicts the statement or says nothing.
          if (row.judged.every((way) => way === 'invariant')) require(row.needs)
          await judgeExchanges(invariant)
        })
        report(test, judgement, row)
      })
    },

    /** Records what the deployment does where its document is silent; never a verdict. */
    observe(id: ObservationId, look: (context: Context) => Promise<unknown>): void {
      if (!catalogue.observations?.[id]?.some(isChecked)) return
      test.concurrent(`observe ${id}`, async ({ task }) => {
        const seen = await see(id, () => prepare().then(() => look(context())))
        task.meta.plumbline = { ...seen, exchanges: currentRun().takeUnreported() }
      })
    },
  }
}
