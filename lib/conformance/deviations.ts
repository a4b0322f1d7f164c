import type { Exchange } from '../probe/exchange.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Deviation } from './result.ts'
import type { InspectedPart } from './scope.ts'

/** Thrown by an expectation; one about an exchange has all members. */
export interface FailedExpectation extends Error {
  expected: unknown
  actual: unknown
  exchange?: Exchange
  reads?: InspectedPart
  /** What is wrong, without the values of this exchange. */
  problem?: string
  sample?: FailedSample
}

/** The sample that an expectation failed for. */
export interface FailedSample {
  text: string
  seed: number
}

/** Returns true for what an expectation threw, and nothing else. */
export function isFailedExpectation(error: unknown): error is FailedExpectation {
  return error instanceof Error && 'expected' in error && 'actual' in error
}

/** Failed expectations of an invariant, each about another exchange. */
export class Contradictions extends Error {
  readonly failures: readonly FailedExpectation[]

  constructor(failures: readonly FailedExpectation[]) {
    super()
    this.failures = failures
  }
}

export const MAX_DEVIATIONS = 20

const display = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))

function subjectOf({ request, status }: Exchange): string | undefined {
  return request.endpoint && `${request.endpoint} ${status}`
}

export function deviationOf({ expected, actual, exchange, reads }: FailedExpectation): Deviation {
  const subject = exchange && subjectOf(exchange)
  return {
    ...(subject !== undefined && { subject }),
    expected: display(expected),
    actual: display(actual),
    ...(exchange && { exchange: exchange.id }),
    ...(reads && { reads }),
  }
}

function sortByText<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const texts = new Map(items.map((item) => [item, textOf(item)]))
  // Compared by code units: a locale is a property of the machine.
  const compare = (one = '', other = '') => (one < other ? -1 : Number(one > other))
  return items.toSorted((one, other) => compare(texts.get(one), texts.get(other)))
}

/**
 * Sorts exchanges by their requests, whichever was sent first.
 *
 * @param normalize removes what differs from run to run, see `createNormalizer`
 */
export function sortByRequest<T extends { record: ExchangeRecord }>(
  exchanges: readonly T[],
  normalize: (text: string) => string,
): T[] {
  return sortByText(exchanges, ({ record: { request, attempt } }) => {
    const fields = request.headers.map(({ name, value }) => `${name}: ${value}`)
    const path = request.url.replace(/^[^/]*\/\/[^/]*/, '')
    const parts = [path, request.method, ...fields, request.body, attempt]
    return normalize(parts.join('\n'))
  })
}

/**
 * Returns one failure for each combination of endpoint, status and problem, in an order that does not
 * depend on time. Of several, the first by its request stands for all.
 */
export function distinctFailures(
  failures: readonly FailedExpectation[],
  normalize: (text: string) => string,
): FailedExpectation[] {
  const byExchange = new Map(failures.map((failure) => [failure.exchange, failure]))
  const exchanges = [...byExchange.keys()].filter((exchange) => exchange !== undefined)
  const distinct = new Map<string, FailedExpectation>()
  for (const exchange of sortByRequest(exchanges, normalize)) {
    const failure = byExchange.get(exchange)
    if (failure === undefined) continue
    const { expected, actual, problem = actual } = failure
    const text = [subjectOf(exchange), display(expected), display(problem)].join('\n')
    const key = normalize(text)
    if (!distinct.has(key)) distinct.set(key, failure)
  }
  return sortByText([...distinct], ([key]) => key).map(([, failure]) => failure)
}
