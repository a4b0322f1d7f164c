import { printableJson } from '../reports/printable.ts'
import { misfits } from '../reports/schemas.ts'
import schema from './doctor.schema.json' with { type: 'json' }
import type { DoctorReport } from './doctor-report.ts'

/**
 * What the doctor says as JSON, indented by two spaces, with a line break at its end. What is checked
 * against `doctor.schema.json` is the text itself, read back.
 *
 * @throws Error with one line for each misfit when it does not fit the schema: a defect of Plumbline,
 * never of the deployment
 */
export function doctorJson(report: DoctorReport): string {
  const text = printableJson(report)
  const problems = misfits(JSON.parse(text), schema, 'it')
  if (problems.length === 0) return `${text}\n`
  const what = 'What the doctor says does not fit its own schema, which is a defect of Plumbline:'
  throw new Error([what, ...problems].join('\n  '))
}
