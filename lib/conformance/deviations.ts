/** Deviations of a check: made once, by the expectation that fails, and gathered by what judges several cases. */
import type { Exchange } from '../probe/exchange.ts'
import type { Deviation, InspectedPart } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { currentScope } from './check-scope.ts'

/** Thrown for a failed expectation, and for all deviations of a check. */
export class FailedExpectation extends Error {
  readonly deviations: readonly Deviation<string>[]
  /** Response that a single expectation is about, and the part of it that contradicts the expectation. */
  readonly exchange: Exchange | undefined
  readonly reads: InspectedPart | undefined

  constructor(deviations: readonly Deviation<string>[], exchange?: Exchange) {
    const [first] = deviations
    super(`expected ${first?.expected}, got ${first?.actual}`)
    this.deviations = deviations
    this.exchange = exchange
    this.reads = exchange && first?.reads
  }
}

/** Returns true for an error of one or several expectations. */
export const isFailedExpectation = (error: unknown): error is FailedExpectation =>
  error instanceof FailedExpectation

/** Returns `GET /user`; a request without a documented endpoint is named by its path. */
function endpointOf({ request, record: { request: sent } }: Exchange): string {
  return request.endpoint ?? `${sent.method} ${new URL(sent.url).pathname}`
}

/**
 * Fails unless an expectation holds, and adds its exchange to the evidence.
 *
 * @param reads undefined for the whole body
 * @param problem `actual` without the values of this exchange
 */
export function compare(
  exchange: Exchange,
  holds: boolean,
  expected: string,
  actual: string,
  reads?: InspectedPart,
  problem?: string,
): void {
  currentScope()?.exchanges.add(exchange.id)
  if (holds) return
  const deviation: Deviation<string> = {
    subject: `${endpointOf(exchange)} ${exchange.status}`,
    expected,
    actual,
    ...(problem !== undefined && problem !== actual && { problem }),
    exchange: exchange.id,
    ...(reads && { reads }),
  }
  throw new FailedExpectation([deviation], exchange)
}

/** Returns the deviations of an error, with further cases. */
export function deviationsIn(error: unknown, cases: readonly string[] = []) {
  if (!isFailedExpectation(error)) return []
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
