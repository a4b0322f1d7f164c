import type { TestContext } from 'vitest'
import { redactCheckResult } from '../results/redact-report.ts'
import type { Requirement } from '../results/requirement.ts'
import type { CheckReport, CheckResult } from '../results/run-evidence.ts'
import { printableText, withoutWorkflowCommands } from '../text/printable.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { createScope, runInScope } from './check-scope.ts'
import type { Run } from './probe-run.ts'
import { describeInternalError } from './run-check.ts'

declare module 'vitest' {
  interface TaskMeta {
    plumbline?: CheckReport
  }
}

/** Maximum length of a text, in UTF-16 code units; the exchange has the rest. */
const MAX_TEXT_CHARS = 2000

/** Truncates a redacted text. Half a secret could not be redacted. */
function truncateText(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text
  // Removes half of a surrogate pair.
  const prefix = text.slice(0, MAX_TEXT_CHARS).replace(/[\uD800-\uDBFF]$/, '')
  return `${prefix}… (${text.length} characters)`
}

/** Makes a text safe for Vitest's reporters, which print it unchanged, also in CI jobs. */
const forReporters = (text: string) => withoutWorkflowCommands(printableText(text))

function failureText(statement: string, result: CheckResult, exchanges: Run['exchanges']): string {
  const { verdict, noVerdict, deviations: [deviation] = [] } = result
  const { expected, actual } = deviation ?? {}
  const record = exchanges.find(({ id }) => id === result.exchanges[0])?.record
  const request = record && `${record.request.method} ${record.request.url}`
  const lines = {
    statement,
    expected,
    actual,
    exchange: record && `${request}: ${record.response?.status}`,
  }
  const details = Object.entries(lines).flatMap(([name, text]) =>
    text ? `  ${name}: ${text}` : [],
  )
  const first =
    noVerdict === undefined
      ? `${request}: expected ${expected}, got ${actual}`
      : `${verdict}: ${JSON.stringify(noVerdict)}`
  return forReporters([first, ...details].join('\n'))
}

/** Passes a check result to the reporter. The Vitest test fails for `inconclusive` too. */
export function report(
  { redactor, exchanges, takeUnreported }: Pick<Run, 'redactor' | 'exchanges' | 'takeUnreported'>,
  { task, skip }: Pick<TestContext, 'task' | 'skip'>,
  { internalError, ...result }: CheckResult,
  { statement }: Pick<Requirement, 'statement'>,
): void {
  const redacted = redactCheckResult(result, redactor, (text) =>
    truncateText(redactor.redactMessage(text)),
  )
  const { verdict, noVerdict } = redacted
  task.meta.plumbline = {
    judgement: redacted,
    exchanges: takeUnreported(),
    internalError: internalError && redactor.redact(internalError),
  }
  if (verdict === 'skipped') skip(forReporters(JSON.stringify(noVerdict)))
  if (verdict === 'pass') return
  const message = failureText(statement, redacted, exchanges)
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
