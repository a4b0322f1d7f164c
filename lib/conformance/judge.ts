/** Judges requirements in their cases and, at the end of a run, in its responses. */
import type { Exchange } from '../probe/exchange.ts'
import type { Deviation } from '../results/run-report.ts'
import { Inconclusive, inconclusiveResponse, Skip, skipUnobserved } from './check-errors.ts'
import { currentScope, recordCase } from './check-scope.ts'
import { requireControl } from './controls.ts'
import {
  deviationsIn,
  distinctDeviations,
  FailedExpectation,
  isFailedExpectation,
} from './deviations.ts'
import { expect, isSuccess } from './matchers.ts'
import type { Run } from './probe-run.ts'
import { type SuiteRequirement, valueFor } from './requirements.ts'

/** Ranks outcomes: a failed expectation, an internal error, inconclusive, skipped. */
function severity(error: unknown): number {
  if (error instanceof Skip)
    return ['not observed', 'explained'].includes(error.reason.kind) ? 1 : 2
  if (error instanceof Inconclusive) return 3
  return isFailedExpectation(error) ? 5 : 4
}

/** Waits for all promises, and returns their errors, the worst first. */
export async function errorsOf(work: readonly unknown[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(work)
  const errors = outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []))
  return errors.sort((one, other) => severity(other) - severity(one))
}

/** Runs a check for several values concurrently, and throws the worst error. */
export async function each<T>(values: Iterable<T>, check: (value: T) => Promise<void>) {
  await allOrWorst([...values].map(check))
}

/** Like `Promise.all`, but waits for all promises and throws the worst error. */
export async function allOrWorst<T extends readonly unknown[]>(work: T) {
  const errors = await errorsOf(work)
  if (errors.length > 0) throw errors[0]
  return Promise.all(work)
}

/** @param required number of judgments that must not be skipped @throws FailedExpectation with all deviations, or else the worst error */
export async function allJudged(judgments: readonly Promise<unknown>[], required = 1) {
  const errors = await errorsOf(judgments)
  const deviations = distinctDeviations(errors.flatMap((error) => deviationsIn(error)))
  if (deviations.length > 0) throw new FailedExpectation(deviations)
  const [worst] = errors
  const isSkipped = worst instanceof Skip && judgments.length - errors.length >= required
  if (worst !== undefined && !isSkipped) throw worst
}

/** Judges a case of the current check and records its result. @throws the error of `judge`, or its deviations */
async function judgeCase<T>(id: string, judge: () => Promise<T>): Promise<T> {
  try {
    const value = await judge()
    recordCase(id, 'conforms')
    return value
  } catch (error) {
    if (error instanceof Skip || error instanceof Inconclusive) recordCase(id, error.reason)
    const deviations = deviationsIn(error, [id])
    if (deviations.length === 0) throw error
    recordCase(id, 'deviates')
    throw new FailedExpectation(deviations)
  }
}

/** Judges cases concurrently. @param cases named by their ids, simple ones first @throws as `allJudged`; Skip without cases */
export async function judgeCases<T extends { readonly name: string }>(
  cases: readonly T[],
  judge: (one: T) => Promise<void>,
): Promise<void> {
  const scope = currentScope()
  if (scope !== undefined) scope.hasTable = true
  if (cases.length === 0) skipUnobserved('the table has no such case')
  await allJudged(cases.map((one) => judgeCase(one.name, async () => judge(one))))
}

/** Judges a further case of a check. Returns undefined if it is skipped. */
export function judgeOptionalCase<T>(id: string, judge: () => Promise<T>): Promise<T | undefined> {
  return judgeCase(id, judge).catch((error: unknown) => {
    if (error instanceof Skip) return undefined
    throw error
  })
}

export interface CaseSender<Case> {
  /** Sends the request of a case, once per run. @throws Skip if something that it needs is missing */
  send(one: Case): Promise<Exchange>
  /** Returns true for a response that shows what was requested, to the right user. */
  isServed(one: Case, response: Exchange): boolean | Promise<boolean>
  /** Repeats a judgment of data that change. */
  retry?<T>(one: Case, judge: () => Promise<T>): Promise<T>
}

/**
 * Returns the function that judges the cases of a requirement. It throws FailedExpectation, or the reason why there is no
 * verdict.
 *
 * @param documentsStatuses false if the document states no statuses, so that a server error is a rejection too
 */
export function createJudge<Case extends { after?: Case | undefined }, Settings, Context>(
  idOf: (one: Case) => string,
  sender: CaseSender<Case>,
  context: Context,
  documentsStatuses = true,
) {
  type Judged = SuiteRequirement<Case, Settings, Context>

  async function requireServed(one: Case, parts: Partial<Case>): Promise<void> {
    const control: Case = { ...one, after: undefined, ...parts }
    if (idOf(control) === idOf(one)) return
    const isServed = (response: Exchange) => sender.isServed(control, response)
    await requireControl(() => sender.send(control), isServed)
  }

  async function judgeOne({ rejects, given, shows }: Judged, one: Case): Promise<void> {
    const response = await sender.send(one)
    const statuses = valueFor(rejects, one)
    const reject = () => {
      if (statuses !== undefined && statuses !== 'any') expect(response).toHaveStatus(...statuses)
      expect(response).toBeRejected()
    }
    const requireGiven = async () => {
      for (const parts of valueFor(given, one) ?? []) await requireServed(one, parts)
    }
    if (statuses === undefined) {
      const work = async () => shows?.(response, context, one)
      await work().catch(async (error: unknown) => {
        // A conforming response needs no control.
        if (isFailedExpectation(error)) await requireGiven()
        throw error
      })
      return
    }
    // An accepted request that must be rejected contradicts the document without a control.
    if (isSuccess(response)) reject()
    await requireGiven()
    reject()
    if (statuses === 'any' && documentsStatuses && response.status >= 500)
      inconclusiveResponse('a server error does not show a rejection', response)
  }

  /** @throws the error, or Skip for a deviation that the request of another sentence shows too */
  async function requireOwn({ unlike }: Judged, one: Case, error: unknown): Promise<never> {
    if (!isFailedExpectation(error) || !error.reads || !('status' in error.reads)) throw error
    for (const parts of valueFor(unlike, one) ?? []) {
      const other = { ...one, after: undefined, ...parts }
      const response = await sender.send(other).catch(() => undefined)
      if (response && response.status === error.exchange?.status)
        throw new Skip({
          kind: 'explained',
          text: `${idOf(other)} has status ${response.status} too`,
        })
    }
    throw error
  }

  return async (requirement: Judged, cases: readonly Case[]): Promise<void> => {
    const judged: Case[] = []
    const rows = cases.map((one) => ({ name: idOf(one), one }))
    await judgeCases(rows, async ({ one }) => {
      const work = () => judgeOne(requirement, one)
      const judging = sender.retry ? sender.retry(one, work) : work()
      await judging.catch((error: unknown) => requireOwn(requirement, one, error))
      judged.push(one)
    })
    await requirement.suffices?.(judged, context)
  }
}

/** Returns the ids of the cases of a response: cases of the table or, outside of it, its endpoint and purpose. */
function casesOf({ request }: Exchange, order: ReadonlyMap<string, number>): readonly string[] {
  const { cases = [], endpoint, method, purpose } = request
  const sent = [...cases].filter((id) => order.has(id))
  if (sent.length > 0) return sent
  const name = endpoint ?? `${method} requests of the operator`
  return [method === 'GET' ? name : `${name}, ${purpose}`]
}

/** Judges the responses of a run, in the given order, and records their cases. @param order of the cases @throws FailedExpectation, or Skip without such a response */
export async function judgeResponses<Context>(
  { is, absence, shows }: NonNullable<SuiteRequirement<never, never, Context>['every']>,
  { exchanges, normalize }: Pick<Run, 'exchanges' | 'normalize'>,
  context: Context,
  order: ReadonlyMap<string, number>,
): Promise<void> {
  const scope = currentScope()
  const judged: { exchange: Exchange; deviations: readonly Deviation<string>[] }[] = []
  let unread: Inconclusive | undefined
  for (const exchange of exchanges) {
    // Lets the other requirements judge the same exchange, so that its body is decompressed only once.
    await undefined
    try {
      if (!is(exchange, context)) continue
      shows(exchange, context)
      judged.push({ exchange, deviations: [] })
    } catch (error) {
      const cases = casesOf(exchange, order)
      const deviations = deviationsIn(error, cases)
      if (deviations.length > 0) judged.push({ exchange, deviations })
      else if (error instanceof Inconclusive && exchange.minLength !== undefined) {
        // The body is too large to read; a later response may still contradict the requirement.
        for (const id of cases) recordCase(id, error.reason)
        unread ??= error
      } else throw error
    }
    // Every expectation adds its exchange; only exchanges of failures are shown.
    scope?.exchanges.delete(exchange.id)
  }
  for (const { exchange, deviations } of judged)
    for (const id of casesOf(exchange, order))
      recordCase(id, deviations.length === 0 ? 'conforms' : 'deviates')
  const failures = judged.filter(({ deviations }) => deviations.length > 0)
  if (failures.length > 0) {
    const rank = ({ exchange }: { exchange: Exchange }) =>
      Math.min(...casesOf(exchange, order).map((id) => order.get(id) ?? order.size))
    failures.sort((one, other) => rank(one) - rank(other))
    const deviations = failures.flatMap((one) => one.deviations)
    throw new FailedExpectation(distinctDeviations(deviations, normalize))
  }
  if (unread !== undefined && judged.length === 0) throw unread
  if (judged.length === 0) skipUnobserved(`there was ${absence}`)
  // A report shows only a few of the exchanges.
  for (const { exchange } of judged.slice(0, 3)) scope?.exchanges.add(exchange.id)
}
