import { ajv } from '../conformance/ajv.ts'
import type { RunReport } from '../results/run-report.ts'
import reportSchema from './report.schema.json' with { type: 'json' }

export const isReport = ajv.compile<RunReport>(reportSchema)
