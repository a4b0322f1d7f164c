import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { RunReport } from '../conformance/result.ts'
import reportSchema from './report.schema.json' with { type: 'json' }
import { misfitLines } from './schema-misfits.ts'

// That the schema is one is a test's business: to check it at every start takes longer than to use
// it. A response may be null or an object, and `strictTypes` takes that union for a slip.
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, validateSchema: false })
addFormats.default(ajv)
const validate = ajv.compile(reportSchema)

/** Whether a value, such as what was read from a file, fits `report.schema.json`. */
export function isRunReport(value: unknown): value is RunReport {
  return validate(value)
}

/** What keeps a value from fitting `report.schema.json`, in words. */
export function reportMisfits(value: unknown): string[] {
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
  if (!validate(JSON.parse(text))) {
    throw new Error(
      `The report does not fit its own schema, which is a defect of Plumbline:\n${misfitLines(validate.errors ?? [], 'the report')}`,
    )
  }
  return `${text}\n`
}
