import { join } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import { readRegularFile, StrangeFileError } from './regular-file.ts'
import { isRunReport } from './report-json.ts'

/**
 * The report of the run before, as `report.json` in the directory has it; call it before the file is
 * replaced. `undefined` where there is none, or none that this version can read: it only adds to the
 * new reports, so that nothing about it is an error.
 *
 * @param tell handed a sentence about a file that is not even looked into
 */
export function readPreviousReport(
  directory: string,
  tell: (sentence: string) => void = () => {},
): RunReport | undefined {
  const path = join(directory, 'report.json')
  try {
    const value: unknown = JSON.parse(readRegularFile(path))
    return isRunReport(value) ? value : undefined
  } catch (error) {
    if (error instanceof StrangeFileError) {
      tell(`${path} ${error.message}: what is new since then is not told.`)
    }
    return undefined
  }
}
