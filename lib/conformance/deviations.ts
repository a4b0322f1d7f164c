import type { Exchange } from '../probe/exchange.ts'
import type { CheckDeviation } from '../results/run-evidence.ts'
import type { InspectedPart } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'

/** Error of an expectation; for an exchange, `exchange` is set. */
export interface FailedExpectation extends Error {
  expected: unknown
  actual: unknown
  exchange?: Exchange
  reads?: InspectedPart
  /** Problem without the values of this exchange. */
  problem?: string
  /** Ids of the cases in which it failed. */
  cases?: readonly string[]
}

export function isFailedExpectation(error: unknown): error is FailedExpectation {
  return error instanceof Error && 'expected' in error && 'actual' in error
}

/** Several failed expectations. Has the texts of the first, so that it counts as one itself. */
export class Contradictions extends Error {
  readonly failures: readonly FailedExpectation[]
  readonly expected: unknown
  readonly actual: unknown
  readonly exchange: Exchange | undefined

  constructor(failures: readonly FailedExpectation[]) {
    const [first] = failures
    super(first?.message)
    this.failures = failures
    this.expected = first?.expected
    this.actual = first?.actual
    this.exchange = first?.exchange
  }
}

export const failuresIn = (error: unknown): readonly unknown[] =>
  error instanceof Contradictions ? error.failures : [error]

const display = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))

/** Returns `GET /user 403`; a request without a documented endpoint is named by its path. */
function subjectOf({ request, status, record }: Exchange): string {
  const { method, url } = record.request
  return `${request.endpoint ?? `${method} ${new URL(url).pathname}`} ${status}`
}

/** @param ownCase the case of an expectation that names none */
export function toDeviation(failure: FailedExpectation, ownCase: string): CheckDeviation {
  const { expected, actual, problem, exchange, reads } = failure
  const { cases = [] } = failure
  const subject = exchange && subjectOf(exchange)
  return {
    ...(subject && { subject }),
    expected: display(expected),
    actual: display(actual),
    ...(problem !== undefined && problem !== display(actual) && { problem }),
    ...(exchange && { exchange: exchange.id }),
    ...(reads && { reads }),
    cases: cases.length > 0 ? [...cases] : [ownCase],
  }
}

/**
 * Returns the first failed expectation for each combination of endpoint, status and problem, with the cases of
 * all. The expected value may depend on the case.
 */
export function distinctFailures<Failure extends FailedExpectation>(
  failures: readonly Failure[],
  normalize = (text: string) => text,
): Failure[] {
  const same = groupBy(failures, ({ exchange, actual, problem = actual }) =>
    normalize([exchange && subjectOf(exchange), display(problem)].join('\n')),
  )
  return [...same.values()].map((group) => {
    const [first] = group
    const cases = new Set(group.flatMap(({ cases = [] }) => cases))
    if (cases.size > 0) first.cases = [...cases]
    return first
  })
}
