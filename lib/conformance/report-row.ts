import type { TestContext } from 'vitest'
import type { Judgement } from './judgement.ts'
import { currentRun } from './run.ts'

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
    text === undefined ? undefined : run.redactor.redact(text)
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
