import { test } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { Inconclusive, Skip, skipUnobserved } from './check-errors.ts'
import { recordObservation, report } from './check-report.ts'
import {
  type Contradiction,
  Contradictions,
  distinctContradictions,
  isFailedExpectation,
  sortByRequest,
} from './deviations.ts'
import { createScope, currentScope, noteLeftOut, runInScope } from './evidence-scope.ts'
import { ofRun } from './fixture.ts'
import { everythingChecked } from './lifecycle.ts'
import { type Catalogue, type Requirement, requireNeeds } from './requirement.ts'
import { currentRun } from './run.ts'
import { runCheck } from './run-check.ts'

/** Assertion about every exchange with a documented endpoint. */
export interface Invariant<Context> {
  /** Returns true for other exchanges that the assertion may be about too; by default there are none. */
  includes?: (exchange: Exchange, context: Context) => boolean
  appliesTo: (exchange: Exchange, context: Context) => boolean
  /** Completes "there was …" if no exchange applies. */
  absenceReason: string
  /** Throws a failed expectation if the exchange contradicts the requirement. */
  assert: (exchange: Exchange, context: Context) => void
}

interface BindOptions<Context> {
  probed: () => boolean
  context: () => Context
  /** Runs before all checks; an error applies to every requirement. */
  preflight: (context: Context) => Promise<void>
}

/** @throws Contradictions, or Skip if the invariant applies to no exchange of the service */
async function judgeExchanges<Context>(
  { includes = () => false, appliesTo, absenceReason, assert }: Invariant<Context>,
  service: string,
  context: Context,
): Promise<void> {
  const { exchanges: all, normalize } = currentRun()
  const exchanges = all.filter(
    (exchange) =>
      exchange.request.service === service &&
      (exchange.request.endpoint !== undefined || includes(exchange, context)),
  )
  const judged: Exchange[] = []
  const contradictions: Contradiction[] = []
  const unread: { record: Exchange['record']; error: Inconclusive }[] = []
  const evidence = currentScope()?.exchanges
  for (const exchange of exchanges) {
    // Lets the other invariants judge the same exchange, so that its body is decompressed only once.
    await undefined
    try {
      if (!appliesTo(exchange, context)) continue
      assert(exchange, context)
    } catch (error) {
      if (!isFailedExpectation(error)) {
        // The body is too large to read; a later exchange may still contradict the requirement.
        if (exchange.leastElements === undefined || !(error instanceof Inconclusive)) throw error
        unread.push({ record: exchange.record, error })
        continue
      }
      contradictions.push(Object.assign(error, { exchange }))
    }
    judged.push(exchange)
    // Every expectation adds its exchange; only exchanges of failures are shown.
    evidence?.delete(exchange.id)
  }
  if (contradictions.length > 0) {
    throw new Contradictions(distinctContradictions(contradictions, normalize))
  }
  const [first] = sortByRequest(unread, ({ record }) => record, normalize)
  if (first !== undefined && judged.length === 0) throw first.error
  if (judged.length === 0) skipUnobserved(`there was ${absenceReason}`)
  if (first !== undefined) {
    const count = `${unread.length} exchanges`
    noteLeftOut(unread.length === 1 ? 'One exchange' : count, first.error.reason)
  }
  // A report shows only a few of the exchanges.
  const examples = sortByRequest(judged, ({ record }) => record, normalize).slice(0, 3)
  for (const { id } of examples) evidence?.add(id)
}

export function defineChecks<Id extends string, ObservationId extends string, Context>(
  catalogue: Catalogue<Id, ObservationId>,
  { probed, context: createContext, preflight }: BindOptions<Context>,
) {
  const context = ofRun(createContext)
  const preflightScope = ofRun(() => createScope(`${catalogue.service} preflight`))
  const ready = ofRun(() => runInScope(preflightScope(), () => preflight(context())))

  /** Waits for the preflight; if it failed, adds its exchanges to the evidence of the check. */
  async function prepare(): Promise<void> {
    await ready().catch((error) => {
      for (const id of preflightScope().exchanges) currentScope()?.exchanges.add(id)
      throw error
    })
  }

  const requirementById = (id: Id) =>
    catalogue.requirements.find((requirement) => requirement.id === id) as Requirement

  const isSelected = (id: string) => probed() && currentRun().settings.selected.includes(id)
  const isChecked = (id: string) => probed() && currentRun().settings.checks.includes(id)

  const require = (needs: readonly string[] = []): void =>
    requireNeeds(catalogue.needs, needs, currentRun().settings.target)

  return {
    /** Defines the check of a requirement, which passes unless an expectation fails. */
    verify(id: Id, check: (context: Context) => Promise<void>): void {
      if (!isChecked(id)) return
      test.concurrent(id, async (test) => {
        const result = await runCheck(id, 'probe', async () => {
          const { needs, controlNeeds } = requirementById(id)
          await prepare()
          require(needs)
          try {
            await check(context())
          } catch (error) {
            // The negative request was rejected; a pass also needs the control.
            if (error instanceof Skip) require(controlNeeds)
            throw error
          }
        })
        report(test, result, requirementById(id))
      })
    },

    /** Defines an invariant, which judges every exchange with a documented endpoint after all checks. */
    invariant(id: Id, invariant: Invariant<Context>): void {
      if (!isSelected(id)) return
      test.concurrent(id, { meta: { afterChecks: true } }, async (test) => {
        await everythingChecked(test.task.file)
        const requirement = requirementById(id)
        const result = await runCheck(id, 'invariant', async () => {
          await prepare()
          // With a probe as well, the invariant needs nothing: it can only fail.
          const isOnlyInvariant = requirement.checkedBy.every((by) => by === 'invariant')
          if (isOnlyInvariant) require(requirement.needs)
          // `prepare` may have sent the only requests.
          await judgeExchanges(invariant, catalogue.service, context())
        })
        report(test, result, requirement)
      })
    },

    /** Records behavior that the document leaves open; never a verdict. */
    observe(id: ObservationId, getValue: (context: Context) => Promise<unknown>): void {
      if (!catalogue.observations?.[id]?.some(isChecked)) return
      test.concurrent(`observe ${id}`, async ({ task }) => {
        const observed = await recordObservation(id, () =>
          prepare().then(() => getValue(context())),
        )
        task.meta.plumbline = { ...observed, exchanges: currentRun().takeUnreported() }
      })
    },
  }
}
