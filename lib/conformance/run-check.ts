import { idParts } from '../results/ids.ts'
import type { Reason } from '../results/reason.ts'
import { type CheckResult, MAX_DEVIATIONS } from '../results/run-evidence.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { type CheckScope, createScope, runInScope } from './check-scope.ts'
import { deviationsIn, isFailedExpectation } from './deviations.ts'

type CheckOutcome = Omit<CheckResult, 'requirement' | 'cases' | 'exchanges' | 'durationMs'>

/** Returns the stack of an error and of its causes. Copies of errors, as Vitest passes them, are not `Error`s. */
export function describeInternalError(error: unknown): string {
  const { name, message, stack, cause } = (error ?? {}) as Partial<Error>
  if (typeof message !== 'string') return String(error)
  const text = stack || `${name}: ${message}`
  return cause === undefined ? text : `${text}\ncaused by ${describeInternalError(cause)}`
}

/** Returns the reason why an error allows no verdict; undefined for a failure. */
export function reasonIn(error: unknown): Reason | undefined {
  if (error instanceof Skip || error instanceof Inconclusive) return error.reason
  if (isFailedExpectation(error)) return undefined
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { kind: 'internal error', text }
}

function toCheckOutcome(error: unknown, ownCase: string): CheckOutcome {
  const noVerdict = reasonIn(error)
  if (noVerdict !== undefined) {
    const verdict = error instanceof Skip ? 'skipped' : 'inconclusive'
    const isInternal = noVerdict.kind === 'internal error'
    return {
      verdict,
      noVerdict,
      ...(isInternal && { internalError: describeInternalError(error) }),
    }
  }
  const all = deviationsIn(error).map((one) => {
    return one.cases?.length ? one : { ...one, cases: [ownCase] }
  })
  const deviations = all.slice(0, MAX_DEVIATIONS)
  const further = all.length - deviations.length
  return { verdict: 'fail', deviations, ...(further > 0 && { furtherDeviations: further }) }
}

/** Returns the results of the cases; without a table, the check is a case itself. */
function resultsOfCases(
  { cases, hasTable }: CheckScope,
  { noVerdict, deviations = [] }: CheckOutcome,
  ownCase: string,
): CheckResult['cases'] {
  const results = new Map(cases)
  const isOwn = deviations.some((one) => one.cases?.includes(ownCase))
  if (isOwn) results.set(ownCase, 'deviates')
  else if (!hasTable) results.set(ownCase, noVerdict ?? 'conforms')
  return Object.fromEntries(results)
}

/** Runs a check and returns its verdict. @param because place in the document that decides a dispute */
export async function runCheck(requirement: string, check: () => Promise<void>, because?: string) {
  const scope = createScope(requirement, because)
  const { section, name } = idParts(requirement)
  // The case of everything that names none: a check without a table, or a deviation.
  const ownCase = `${section}/${name}`
  const started = performance.now()
  const outcome = await runInScope(scope, () =>
    check().then(
      (): CheckOutcome => ({ verdict: 'pass' }),
      (error) => toCheckOutcome(error, ownCase),
    ),
  )
  const { verdict, deviations = [] } = outcome
  const notes = [...scope.notes]
  // Notes explain a failure too.
  const hasNotes = notes.length > 0 && (verdict === 'pass' || verdict === 'fail')
  const deviating = deviations.flatMap(({ exchange = [] }) => exchange)
  return {
    requirement,
    ...outcome,
    cases: resultsOfCases(scope, outcome, ownCase),
    ...(hasNotes && { notes }),
    // Exchanges that show a failure come first.
    exchanges: [...new Set([...deviating, ...scope.exchanges])],
    durationMs: performance.now() - started,
  }
}
