/** Runs a check, and reports its redacted result through Vitest. */
import type { TestContext } from 'vitest'
import { idParts } from '../results/ids.ts'
import type { Reason } from '../results/reason.ts'
import { redactCheckResult } from '../results/redact-report.ts'
import type { Requirement } from '../results/requirement.ts'
import { type CheckReport, type CheckResult, MAX_DEVIATIONS } from '../results/run-evidence.ts'
import { deviationText } from '../results/run-report.ts'
import { printableText, withoutWorkflowCommands } from '../text/printable.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { type CheckScope, createScope, currentScope, runInScope } from './check-scope.ts'
import { deviationsIn, isFailedExpectation } from './deviations.ts'
import type { Run } from './probe-run.ts'

declare module 'vitest' {
  interface TaskMeta {
    plumbline?: CheckReport
  }
}

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

/** @param because place in the document that decides a dispute, with `{endpoint}` for the endpoint of a request */
function toCheckOutcome(error: unknown, ownCase: string, because?: string): CheckOutcome {
  const noVerdict = reasonIn(error)
  if (noVerdict !== undefined) {
    const verdict = error instanceof Skip ? 'skipped' : 'inconclusive'
    if (noVerdict.kind !== 'internal error') return { verdict, noVerdict }
    return { verdict, noVerdict, internalError: describeInternalError(error) }
  }
  const all = deviationsIn(error).map((one) => {
    const endpoint = one.subject?.replace(/ \d+$/, '') ?? 'the request'
    return {
      ...one,
      ...(because && { because: because.replace('{endpoint}', () => endpoint) }),
      cases: one.cases.length > 0 ? one.cases : [ownCase],
    }
  })
  const deviations = all.slice(0, MAX_DEVIATIONS)
  const further = all.length - deviations.length
  return { verdict: 'fail', deviations, ...(further > 0 && { furtherDeviations: further }) }
}

/** Records the cases that a check did not judge before an error ended it. */
export function recordUnjudged(ids: readonly string[], error: unknown): void {
  const [scope, reason] = [currentScope(), reasonIn(error)]
  if (scope === undefined || reason === undefined || ids.length === 0) return
  scope.hasTable = true
  for (const id of ids) if (!scope.cases.has(id)) scope.cases.set(id, reason)
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

/** Runs a check and returns its result. @param because as in the catalogue */
export async function runCheck(requirement: string, check: () => Promise<void>, because?: string) {
  const scope = createScope(requirement)
  const { section, name } = idParts(requirement)
  // The case of everything that names none: a check without a table, or a deviation.
  const ownCase = `${section}/${name}`
  const started = performance.now()
  const outcome = await runInScope(scope, () =>
    check().then(
      (): CheckOutcome => ({ verdict: 'pass' }),
      (error) => toCheckOutcome(error, ownCase, because),
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

/** Makes a text safe for Vitest's reporters, which print it unchanged, also in CI jobs. */
const forReporters = (text: string) => withoutWorkflowCommands(printableText(text))

/** Passes a check result to the reporter. The Vitest test fails for `inconclusive` too. */
export function report(
  { redactor, takeUnreported }: Pick<Run, 'redactor' | 'takeUnreported'>,
  { task, skip }: Pick<TestContext, 'task' | 'skip'>,
  { internalError, ...result }: CheckResult,
  { statement }: Pick<Requirement, 'statement'>,
): void {
  const redacted = redactCheckResult(result, redactor)
  const { verdict, noVerdict, deviations: [first] = [] } = redacted
  task.meta.plumbline = {
    judgements: [redacted],
    exchanges: takeUnreported(),
    internalErrors: internalError === undefined ? [] : [redactor.redact(internalError)],
  }
  if (verdict === 'skipped') skip(forReporters(JSON.stringify(noVerdict)))
  if (verdict === 'pass') return
  const actual = `expected ${first?.expected}, got ${first?.actual}`
  const reason = noVerdict && `${verdict}: ${JSON.stringify(noVerdict)}`
  const problem = reason ?? deviationText({ ...first, actual })
  const message = forReporters(`${problem}\n  ${statement}`)
  // Replaces the stack, which would point into Plumbline and make Vitest read source files.
  throw Object.assign(new Error(message), { stack: message })
}

/** Returns the observed value; nothing if `observe` is skipped or inconclusive. */
export async function recordObservation(
  { redactor }: Pick<Run, 'redactor'>,
  id: string,
  observe: () => Promise<unknown>,
): Promise<CheckReport> {
  const scope = createScope(id)
  try {
    const observed = JSON.stringify(await runInScope(scope, observe))
    if (observed === undefined) return {}
    const value = redactor.redactJson(JSON.parse(observed))
    return { observations: [{ id, value, exchanges: [...scope.exchanges] }] }
  } catch (error) {
    if (error instanceof Skip || error instanceof Inconclusive) return {}
    return { internalErrors: [redactor.redact(`${id}: ${describeInternalError(error)}`)] }
  }
}
