import { Ajv2020 } from 'ajv/dist/2020.js'
import { printableJson } from '../reports/printable.ts'
import { misfitLines } from '../reports/schemas.ts'
import schema from './doctor.schema.json' with { type: 'json' }
import type { DoctorReport } from './doctor-report.ts'

// That the schema is one is a test's business.
const ajv = new Ajv2020({ allErrors: true, validateSchema: false })
const validate = ajv.compile(schema)

/**
 * What the doctor says as JSON, indented by two spaces, with a line break at its end. What is checked
 * against `doctor.schema.json` is the text itself, read back.
 *
 * @throws Error with one line for each misfit when it does not fit the schema: a defect of Plumbline,
 * never of the deployment
 */
export function doctorJson(report: DoctorReport): string {
  const text = printableJson(report)
  if (!validate(JSON.parse(text))) {
    throw new Error(
      `What the doctor says does not fit its own schema, which is a defect of Plumbline:\n${misfitLines(validate.errors ?? [], 'it')}`,
    )
  }
  return `${text}\n`
}
