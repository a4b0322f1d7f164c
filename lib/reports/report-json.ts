import type { RunReport } from '../conformance/result.ts'
import reportSchema from './report.schema.json' with { type: 'json' }
import { misfitLines, validatorOf } from './schemas.ts'

/** Whether a value, such as what was read from a file, fits `report.schema.json`. */
export function isRunReport(value: unknown): value is RunReport {
  return validatorOf<RunReport>(reportSchema)(value)
}

/** What keeps a value from fitting `report.schema.json`, in words. */
export function reportMisfits(value: unknown): string[] {
  const validate = validatorOf(reportSchema)
  if (validate(value)) return []
  return misfitLines(validate.errors ?? [], 'the report')
    .split('\n')
    .map((line) => line.trim())
}

/**
 * The content of `report.json`, indented by two spaces, with a line break at its end. What is
 * checked against `report.schema.json` is the text itself, read back.
 *
 * @throws Error with one line for each misfit when the report does not fit the schema: a defect of
 * Plumbline, never of the deployment
 */
export function reportJson(report: RunReport): string {
  const text = JSON.stringify(report, null, 2)
  const validate = validatorOf(reportSchema)
  if (!validate(JSON.parse(text))) {
    throw new Error(
      `The report does not fit its own schema, which is a defect of Plumbline:\n${misfitLines(validate.errors ?? [], 'the report')}`,
    )
  }
  return `${text}\n`
}
