import type { TestContext } from 'vitest'
import { redactCheckResult } from '../results/redact-report.ts'
import type { Requirement } from '../results/requirement.ts'
import type { CheckReport, CheckResult } from '../results/run-evidence.ts'
import { deviationText } from '../results/run-report.ts'
import { excerpt, printableText, withoutWorkflowCommands } from '../text/printable.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { createScope, runInScope } from './check-scope.ts'
import type { Run } from './probe-run.ts'
import { describeInternalError } from './run-check.ts'

declare module 'vitest' {
  interface TaskMeta {
    plumbline?: CheckReport
  }
}

/** Limits of a text; the exchange has the rest. */
const limits = { characters: 2000, lines: Number.POSITIVE_INFINITY }

/** Makes a text safe for Vitest's reporters, which print it unchanged, also in CI jobs. */
const forReporters = (text: string) => withoutWorkflowCommands(printableText(text))

function failureText(
  statement: string,
  { verdict, noVerdict, deviations: [first] = [] }: CheckResult,
): string {
  const actual = `expected ${first?.expected}, got ${first?.actual}`
  const difference = deviationText({ ...first, actual })
  const problem = noVerdict ? `${verdict}: ${JSON.stringify(noVerdict)}` : difference
  return forReporters(`${problem}\n  ${statement}`)
}

/** Passes a check result to the reporter. The Vitest test fails for `inconclusive` too. */
export function report(
  { redactor, takeUnreported }: Pick<Run, 'redactor' | 'takeUnreported'>,
  { task, skip }: Pick<TestContext, 'task' | 'skip'>,
  { internalError, ...result }: CheckResult,
  { statement }: Pick<Requirement, 'statement'>,
): void {
  const redacted = redactCheckResult(result, redactor, (text) =>
    // Half a secret could not be redacted.
    excerpt(redactor.redactMessage(text), limits),
  )
  const { verdict, noVerdict } = redacted
  task.meta.plumbline = {
    judgement: redacted,
    exchanges: takeUnreported(),
    internalError: internalError && redactor.redact(internalError),
  }
  if (verdict === 'skipped') skip(forReporters(JSON.stringify(noVerdict)))
  if (verdict === 'pass') return
  const message = failureText(statement, redacted)
  // Replaces the stack, which would point into Plumbline and make Vitest read source files.
  throw Object.assign(new Error(message), { stack: message })
}

/** Returns the observed value; nothing if `observe` is skipped or inconclusive. */
export async function recordObservation(
  { redactor }: Pick<Run, 'redactor'>,
  id: string,
  observe: () => Promise<unknown>,
): Promise<Pick<CheckReport, 'observation' | 'internalError'>> {
  const scope = createScope(id)
  try {
    const observed = JSON.stringify(await runInScope(scope, observe))
    if (observed === undefined) return {}
    const value = redactor.redactJson(JSON.parse(observed))
    return { observation: { id, value, exchanges: [...scope.exchanges] } }
  } catch (error) {
    if (error instanceof Skip || error instanceof Inconclusive) return {}
    return { internalError: redactor.redact(`${id}: ${describeInternalError(error)}`) }
  }
}
