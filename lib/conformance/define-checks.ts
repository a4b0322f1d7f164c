import { test } from 'vitest'
import type { Target } from '../environment/target.ts'
import type { Exchange } from '../probe/exchange.ts'
import type { Reason } from '../results/reason.ts'
import { sortByRequest } from '../results/request-order.ts'
import type { Requirement } from '../results/requirement.ts'
import type { CheckResult } from '../results/run-evidence.ts'
import { type Catalogue, requireNeeds } from './catalogue.ts'
import { Inconclusive, Skip, skipUnobserved } from './check-errors.ts'
import { recordObservation, report } from './check-report.ts'
import { createScope, currentScope, recordCase, runInScope } from './check-scope.ts'
import { currentRun, ofRun } from './current-run.ts'
import {
  type Contradiction,
  Contradictions,
  distinctFailures,
  type FailedExpectation,
  isFailedExpectation,
} from './deviations.ts'
import { everythingChecked } from './lifecycle.ts'
import type { PlannedCase } from './planned-case.ts'
import type { Run, RunSettings } from './probe-run.ts'
import { runCheck } from './run-check.ts'

/** Assertion about every exchange with a documented endpoint. */
export interface Invariant<Context> {
  /** Returns true for other exchanges that the assertion may be about too; by default there are none. */
  includes?: (exchange: Exchange, context: Context) => boolean
  appliesTo: (exchange: Exchange, context: Context) => boolean
  /** Completes "there was …" if no exchange applies. */
  absenceReason: string
  /** True if it also applies to the requests of checks without a table. */
  ofEveryCheck?: true
  /** Throws a failed expectation if the exchange contradicts the requirement. */
  assert: (exchange: Exchange, context: Context) => void
}

interface BindOptions<Context> {
  isProbed: (target: Target) => boolean
  context: (run: Run) => Context
  /** Returns the tables of the run; by default there are none. */
  planned?: (settings: RunSettings) => readonly PlannedCase[]
  /** Runs before all checks; an error applies to every requirement. */
  preflight: (context: Context) => Promise<void>
}

/**
 * Returns the ids of the cases that an exchange was sent for. Outside of tables, its endpoint is one, and its purpose
 * too unless checks share it, as they share GET requests. A case that is not planned was sent only to explain a
 * deviation, so another server would not get it.
 */
function casesOf({ request }: Exchange, planned: ReadonlyMap<string, number>): readonly string[] {
  const { cases = [], endpoint, method, purpose } = request
  const sent = [...cases].filter((id) => planned.has(id))
  if (sent.length > 0) return sent
  const name = endpoint ?? `${method} requests of the operator`
  return [method === 'GET' ? name : `${name}, ${purpose}`]
}

interface JudgedExchange {
  exchange: Exchange
  /** Set if it contradicts the requirement. */
  error?: FailedExpectation
}

/** Returns the contradictions of an invariant. The order does not depend on time. */
function contradictionsOf(
  judged: readonly JudgedExchange[],
  planned: ReadonlyMap<string, number>,
  normalize: (text: string) => string,
): Contradiction[] {
  const all = judged.flatMap(({ exchange, error }) => {
    if (error === undefined) return []
    return Object.assign(error, { exchange, cases: casesOf(exchange, planned) })
  })
  const rank = ({ cases }: Contradiction) =>
    Math.min(...(cases ?? []).map((id) => planned.get(id) ?? planned.size))
  const sorted = sortByRequest(all, ({ exchange }) => exchange.record, normalize)
  sorted.sort((one, other) => rank(one) - rank(other))
  return distinctFailures(sorted, normalize)
}

/**
 * Judges exchanges of a service, records the cases, and returns the number of judged exchanges.
 *
 * @param lost cases whose requests other checks could not send
 * @throws Contradictions, or Skip if the invariant applies to no exchange
 */
async function judgeExchanges<Context>(
  { includes = () => false, appliesTo, absenceReason, assert }: Invariant<Context>,
  { exchanges: all, normalize }: Pick<Run, 'exchanges' | 'normalize'>,
  context: Context,
  planned: ReadonlyMap<string, number> = new Map(),
  lost: ReadonlyMap<string, Reason> = new Map(),
): Promise<number> {
  const exchanges = all.filter(
    (exchange) => exchange.request.endpoint !== undefined || includes(exchange, context),
  )
  const judged: JudgedExchange[] = []
  const unread: { record: Exchange['record']; error: Inconclusive }[] = []
  const scope = currentScope()
  for (const [id, reason] of lost) recordCase(id, reason)
  for (const exchange of exchanges) {
    // Lets the other invariants judge the same exchange, so that its body is decompressed only once.
    await undefined
    try {
      if (!appliesTo(exchange, context)) continue
      assert(exchange, context)
      judged.push({ exchange })
    } catch (error) {
      if (isFailedExpectation(error)) judged.push({ exchange, error })
      else {
        // The body is too large to read; a later exchange may still contradict the requirement.
        const isTooLarge = exchange.minLength !== undefined && error instanceof Inconclusive
        if (!isTooLarge) throw error
        for (const id of casesOf(exchange, planned)) recordCase(id, error.reason)
        unread.push({ record: exchange.record, error })
        continue
      }
    }
    // Every expectation adds its exchange; only exchanges of failures are shown.
    scope?.exchanges.delete(exchange.id)
  }
  for (const result of ['conforms', 'deviates'] as const) {
    for (const { exchange, error } of judged) {
      if ((error !== undefined) !== (result === 'deviates')) continue
      for (const id of casesOf(exchange, planned)) recordCase(id, result)
    }
  }
  const contradictions = contradictionsOf(judged, planned, normalize)
  if (contradictions.length > 0) throw new Contradictions(contradictions)
  const [first] = sortByRequest(unread, ({ record }) => record, normalize)
  if (first !== undefined && judged.length === 0) throw first.error
  if (judged.length === 0) skipUnobserved(`there was ${absenceReason}`)
  // A report shows only a few of the exchanges.
  const records = judged.map(({ exchange }) => exchange.record)
  const sorted = sortByRequest(records, (record) => record, normalize)
  for (const { id } of sorted.slice(0, 3)) scope?.exchanges.add(id)
  return judged.length
}

/**
 * Returns false if requests were not sent for a reason that does not depend on the operator: there was no
 * relevant response, or the server does not have what a need without advice is about.
 */
function isEvidenceMissing(reason: Reason): boolean {
  if (reason.kind === 'not observed' || reason.kind === 'explained') return false
  return reason.kind !== 'needs' || reason.needs.every(({ advice }) => advice !== undefined)
}

/** Returns the state of a service in a run, which its checks share. */
function createServiceRun<Context>(
  run: Run,
  { service, needs: allNeeds }: Pick<Catalogue, 'service' | 'needs'>,
  options: BindOptions<Context>,
) {
  const context = options.context(run)
  /** Cases that a check could not judge, by id. */
  const missing = new Map<string, Reason>()
  const scope = createScope(`${service} preflight`)
  let ready: Promise<void> | undefined
  let tables: readonly PlannedCase[] | undefined
  function planned(): readonly PlannedCase[] {
    tables ??= options.planned?.(run.settings) ?? []
    return tables
  }
  const require = (needs: readonly string[] = []): void =>
    requireNeeds(allNeeds, needs, run.settings.target)
  /** Waits for the preflight; if it failed, adds its exchanges to the evidence of the check. */
  async function prepare(): Promise<void> {
    ready ??= runInScope(scope, () => options.preflight(context))
    await ready.catch((error) => {
      for (const id of scope.exchanges) currentScope()?.exchanges.add(id)
      throw error
    })
  }
  async function verify(
    { id, needs, controlNeeds }: Requirement,
    check: (context: Context) => Promise<void>,
  ): Promise<CheckResult> {
    const ids = () => planned().flatMap((one) => (one.requirements.includes(id) ? one.case : []))
    const judge = async () => {
      await prepare()
      require(needs)
      await check(context).catch((error) => {
        // The negative request was rejected; a pass also needs the control.
        if (error instanceof Skip) require(controlNeeds)
        throw error
      })
    }
    const result = await runCheck(id, 'probe', judge, ids)
    for (const { cases, noVerdict } of result.cases.missing) {
      if (isEvidenceMissing(noVerdict)) for (const id of cases) missing.set(id, noVerdict)
    }
    return result
  }
  /** Returns the missing cases that an invariant applies to, whose requests no other check sent. */
  function lostFor(id: string, { ofEveryCheck }: Invariant<Context>): ReadonlyMap<string, Reason> {
    const sent = new Set(run.exchanges.flatMap(({ request }) => [...(request.cases ?? [])]))
    const requirements = new Map(planned().map((one) => [one.case, one.requirements]))
    const applies = (one: string) => requirements.get(one)?.includes(id) ?? ofEveryCheck === true
    return new Map([...missing].filter(([one]) => !sent.has(one) && applies(one)))
  }
  const ownExchanges = () => run.exchanges.filter(({ request }) => request.service === service)
  return { run, context, planned, require, prepare, verify, lostFor, ownExchanges }
}

export function defineChecks<Id extends string, ObservationId extends string, Context>(
  catalogue: Catalogue<Id, ObservationId>,
  options: BindOptions<Context>,
) {
  const state = ofRun((run) => createServiceRun(run, catalogue, options))
  const requirementById = (id: Id) =>
    catalogue.requirements.find((requirement) => requirement.id === id) as Requirement

  function isIn(list: 'selected' | 'checks', id: string): boolean {
    const { settings } = currentRun()
    return options.isProbed(settings.target) && settings[list].includes(id)
  }

  return {
    /** Defines the check of a requirement, which passes unless an expectation fails. */
    verify(id: Id, check: (context: Context) => Promise<void>): void {
      if (!isIn('checks', id)) return
      test.concurrent(id, async (test) => {
        const { run, verify } = state()
        const requirement = requirementById(id)
        report(run, test, await verify(requirement, check), requirement)
      })
    },

    /** Defines an invariant, which judges every exchange with a documented endpoint after all checks. */
    invariant(id: Id, invariant: Invariant<Context>): void {
      if (!isIn('selected', id)) return
      test.concurrent(id, { meta: { afterChecks: true } }, async (test) => {
        await everythingChecked(test.task.file)
        const { run, context, planned, require, prepare, lostFor, ownExchanges } = state()
        const requirement = requirementById(id)
        const result = await runCheck(id, 'invariant', async () => {
          const scope = currentScope()
          if (scope) scope.hasTable = true
          await prepare()
          // With a probe as well, the invariant needs nothing: it can only fail.
          if (requirement.checkedBy.every((by) => by === 'invariant')) require(requirement.needs)
          const indexes = new Map(planned().map((one, index) => [one.case, index]))
          // `prepare` may have sent the only requests.
          const sent = { exchanges: ownExchanges(), normalize: run.normalize }
          await judgeExchanges(invariant, sent, context, indexes, lostFor(id, invariant))
        })
        report(run, test, result, requirement)
      })
    },

    /** Records behavior that the document leaves open; never a verdict. */
    observe(id: ObservationId, getValue: (context: Context) => Promise<unknown>): void {
      if (!catalogue.observations?.[id]?.of.some((one) => isIn('checks', one))) return
      test.concurrent(`observe ${id}`, async ({ task }) => {
        const { run, context, prepare } = state()
        const observed = await recordObservation(run, id, () =>
          prepare().then(() => getValue(context)),
        )
        task.meta.plumbline = { ...observed, exchanges: run.takeUnreported() }
      })
    },
  }
}
