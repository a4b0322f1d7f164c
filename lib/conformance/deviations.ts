import type { Exchange } from '../probe/exchange.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Deviation, InspectedPart } from '../results/run-report.ts'

/** Error of an expectation; for an exchange, `exchange` is set. */
export interface FailedExpectation extends Error {
  expected: unknown
  actual: unknown
  exchange?: Exchange
  reads?: InspectedPart
  /** Problem without the values of this exchange. */
  problem?: string
  sample?: string
}

export function isFailedExpectation(error: unknown): error is FailedExpectation {
  return error instanceof Error && 'expected' in error && 'actual' in error
}

/** Failed expectation of an invariant. */
export type Contradiction = FailedExpectation & { exchange: Exchange }

export class Contradictions extends Error {
  readonly failures: readonly Contradiction[]

  constructor(failures: readonly Contradiction[]) {
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

export function toDeviation({ expected, actual, exchange, reads }: FailedExpectation): Deviation {
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
  // Compares by code units, independent of the locale of the machine.
  const compare = (one = '', other = '') => (one < other ? -1 : Number(one > other))
  return items.toSorted((one, other) => compare(texts.get(one), texts.get(other)))
}

/** Sorts items by the requests of their exchanges. @param normalize removes values that differ between runs */
export function sortByRequest<T>(
  items: readonly T[],
  recordOf: (item: T) => ExchangeRecord,
  normalize: (text: string) => string,
): T[] {
  return sortByText(items, (item) => {
    const { request, attempt } = recordOf(item)
    // `User-Agent` has the number of the exchange, which depends on time.
    const sent = request.headers.filter(({ name }) => name !== 'User-Agent')
    const fields = sent.map(({ name, value }) => `${name}: ${value}`)
    const path = request.url.replace(/^[^/]*\/\/[^/]*/, '')
    const parts = [path, request.method, ...fields, request.body, attempt]
    const text = parts.join('\n')
    // Normalized texts are equal if only long numbers differ.
    return `${normalize(text)}\n${text}`
  })
}

/** Returns the first contradiction, by request, for each combination of endpoint, status and problem. */
export function distinctContradictions(
  all: readonly Contradiction[],
  normalize: (text: string) => string,
): Contradiction[] {
  const distinct = new Map<string, Contradiction>()
  for (const contradiction of sortByRequest(all, ({ exchange }) => exchange.record, normalize)) {
    const { exchange, expected, actual, problem = actual } = contradiction
    const text = [subjectOf(exchange), display(expected), display(problem)].join('\n')
    const key = normalize(text)
    if (!distinct.has(key)) distinct.set(key, contradiction)
  }
  return sortByText([...distinct], ([key]) => key).map(([, contradiction]) => contradiction)
}
