import type { TaskMeta, TestContext } from 'vitest'
import { curlCommand } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { LeakedResource, Observation } from '../results/run-report.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { createScope, runInScope } from './evidence-scope.ts'
import type { Requirement } from './requirement.ts'
import { currentRun } from './run.ts'
import { type CheckResult, describeInternalError, redactCheckResult } from './run-check.ts'
import { printableText, withoutWorkflowCommands } from './safe-text.ts'

/** Redacted. Exchanges go with whichever test ends next, so that an interrupted run keeps them. */
export interface CheckReport {
  judgement?: CheckResult
  observation?: Observation
  exchanges: ExchangeRecord[]
  leftBehind?: LeakedResource[]
  /** What went wrong in Plumbline itself. */
  defect?: string
}

/** What a test or the end of a run tells: what fails without a judgement has met a defect. */
export function reportOf(
  { plumbline: report = { exchanges: [] } }: TaskMeta,
  errors: readonly unknown[] = [],
): CheckReport {
  if (report.judgement !== undefined || errors.length === 0) return report
  return { ...report, defect: errors.map(describeInternalError).join('\n') }
}

declare module 'vitest' {
  interface TaskMeta {
    plumbline?: CheckReport
    /** Judges what other tests have seen. */
    afterChecks?: true
  }
}

/** A person reads no more of it; the exchange has the rest. In UTF-16 code units. */
const LONGEST_TEXT = 2000

/** Cut only when secrets are out: one that is cut in two would no longer be recognised. */
function shortened(text: string): string {
  if (text.length <= LONGEST_TEXT) return text
  // No half of a surrogate pair is left.
  const beginning = text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '')
  return `${beginning}… (${text.length} characters)`
}

/** A text for Vitest's own reporters, which show it as it is, in the job of a CI server too. */
const forReporters = (text: string) => withoutWorkflowCommands(printableText(text))

/** What Vitest's own reporters show of a test without a pass: data, since reports have the words. */
function failureText(statement: string, judgement: CheckResult) {
  const { verdict, unjudged, expected, actual, exchanges } = judgement
  const { exchanges: answered, settings } = currentRun()
  const record = answered.find(({ id }) => id === exchanges[0])?.record
  const request = record && `${record.request.method} ${record.request.url}`
  const lines = {
    statement,
    expected,
    actual,
    exchange: record && `${request}: ${record.response?.status}`,
    // The embedded deployment has ended by the time that somebody reads it.
    repeat: record && !settings.embedded ? curlCommand(record) : undefined,
  }
  const shown = Object.entries(lines).flatMap(([name, text]) => (text ? `  ${name}: ${text}` : []))
  const first =
    unjudged === undefined
      ? `${request}: expected ${expected}, got ${actual}`
      : `${verdict}: ${JSON.stringify(unjudged)}`
  return forReporters([first, ...shown].join('\n'))
}

/** Hands a judgement to the reporter; the Vitest test fails for `inconclusive` too. */
export function report(
  { task, skip }: Pick<TestContext, 'task' | 'skip'>,
  { defect, ...judgement }: CheckResult,
  { statement }: Pick<Requirement, 'statement'>,
): void {
  const { redactor, takeUnreported } = currentRun()
  const redact = (text: string) => shortened(redactor.redactOwnWords(text))
  const redacted = redactCheckResult(judgement, redactor, redact)
  const { verdict, unjudged } = redacted
  task.meta.plumbline = {
    judgement: redacted,
    exchanges: takeUnreported(),
    defect: defect && redactor.redact(defect),
  }
  if (verdict === 'skipped') skip(forReporters(JSON.stringify(unjudged)))
  if (verdict === 'pass') return
  const message = failureText(statement, redacted)
  // Where this is thrown says nothing, and Vitest would read files to tell it.
  throw Object.assign(new Error(message), { stack: message })
}

/** What an observation is about; where it cannot be seen, the requirement beside it says why. */
export async function recordObservation(
  id: string,
  look: () => Promise<unknown>,
): Promise<Pick<CheckReport, 'observation' | 'defect'>> {
  const scope = createScope(id)
  const { redactor } = currentRun()
  try {
    const seen = JSON.stringify(await runInScope(scope, look))
    if (seen === undefined) return {}
    const value = redactor.redactJson(JSON.parse(seen))
    return { observation: { id, value, exchanges: [...scope.exchanges] } }
  } catch (error) {
    if (error instanceof Skip || error instanceof Inconclusive) return {}
    return { defect: redactor.redact(`${id}: ${describeInternalError(error)}`) }
  }
}
