import type { Exchange } from '../probe/exchange.ts'
import type { Deviation, InspectedPart } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { currentScope } from './check-scope.ts'

interface FailedExpectation extends Error {
  expected: unknown
  actual: unknown
  exchange?: Exchange
  reads?: InspectedPart
  /** Problem without the values of this exchange. */
  problem?: string
}

/** Returns true for an error of one or several expectations. */
export function isFailedExpectation(error: unknown): error is FailedExpectation {
  return error instanceof Error && 'expected' in error && 'actual' in error
}

/** Deviations of a check, complete and with their cases. Counts as a failed expectation. */
export class Contradictions extends Error {
  readonly deviations: readonly Deviation<string>[]
  readonly expected: string | undefined
  readonly actual: string | undefined

  constructor(deviations: readonly Deviation<string>[]) {
    const [first] = deviations
    super(`expected ${first?.expected}, got ${first?.actual}`)
    this.deviations = deviations
    this.expected = first?.expected
    this.actual = first?.actual
  }
}

const display = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))

/** Returns `GET /user`; a request without a documented endpoint is named by its path. */
function endpointOf({ request, record: { request: sent } }: Exchange): string {
  return request.endpoint ?? `${sent.method} ${new URL(sent.url).pathname}`
}

function toDeviation(failure: FailedExpectation, cases: readonly string[]): Deviation<string> {
  const { expected, actual, problem, exchange, reads } = failure
  const endpoint = exchange && endpointOf(exchange)
  const because = currentScope()?.because?.replace('{endpoint}', endpoint ?? 'the request')
  return {
    ...(exchange && { subject: `${endpoint} ${exchange.status}` }),
    expected: display(expected),
    actual: display(actual),
    ...(problem !== undefined && problem !== display(actual) && { problem }),
    ...(exchange && { exchange: exchange.id }),
    ...(reads && { reads }),
    ...(because !== undefined && { because }),
    cases: [...cases],
  }
}

export function deviationsIn(error: unknown, cases: readonly string[] = []) {
  if (!isFailedExpectation(error)) return []
  if (!(error instanceof Contradictions)) return [toDeviation(error, cases)]
  return error.deviations.map((one) => ({ ...one, cases: [...(one.cases ?? []), ...cases] }))
}

/** Returns the first deviation for each endpoint, status and problem, with the cases of all. */
export function distinctDeviations(
  deviations: readonly Deviation<string>[],
  normalize = (text: string) => text,
): Deviation<string>[] {
  const same = groupBy(deviations, ({ subject, actual, problem = actual }) =>
    normalize(`${subject}\n${problem}`),
  )
  return Array.from(same.values(), (group) => {
    return { ...group[0], cases: [...new Set(group.flatMap(({ cases = [] }) => cases))] }
  })
}
