import type { TestContext } from 'vitest'
import type { Judgement } from './judgement.ts'
import { currentRun } from './run.ts'

/** A person reads no more of it; the exchange has the rest. In UTF-16 code units. */
const LONGEST_TEXT = 2000

/** Cut only when secrets are out: one that is cut in two would no longer be recognised. */
function shortened(text: string): string {
  if (text.length <= LONGEST_TEXT) return text
  // No half of a surrogate pair is left.
  const beginning = text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '')
  return `${beginning}… (${text.length} characters)`
}

/**
 * Hands a judgement to the reporter, redacted, and lets the Vitest test end in the state that comes
 * nearest: failed for `fail` and `inconclusive`, skipped for `skipped`.
 */
export function report(
  { task, skip }: Pick<TestContext, 'task' | 'skip'>,
  { defect, ...judgement }: Judgement,
): void {
  const run = currentRun()
  const redact = (text: string | undefined) =>
    text === undefined ? undefined : shortened(run.redactor.redactOwnWords(text))
  const redacted: Judgement = {
    ...judgement,
    reason: redact(judgement.reason),
    expected: redact(judgement.expected),
    actual: redact(judgement.actual),
  }
  task.meta.plumbline = {
    judgement: redacted,
    exchanges: run.takeUnreported(),
    ...(defect === undefined ? {} : { defect: run.redactor.redact(defect) }),
  }
  if (redacted.verdict === 'skipped') skip(redacted.reason)
  if (redacted.verdict !== 'pass') {
    // Where this is thrown says nothing, and Vitest would read files to tell it.
    throw Object.assign(new Error(redacted.reason), { stack: redacted.reason })
  }
}
