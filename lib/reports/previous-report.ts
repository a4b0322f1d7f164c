import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import { isRunReport } from './report-json.ts'

/**
 * The report of the run before, as `report.json` in the directory has it; call it before the file is
 * replaced. `undefined` where there is none, or none that this version can read: it only adds to the
 * new reports, so that nothing about it is an error.
 */
export function readPreviousReport(directory: string): RunReport | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'))
    return isRunReport(value) ? value : undefined
  } catch {
    return undefined
  }
}
