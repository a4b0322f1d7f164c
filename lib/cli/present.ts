import { relative } from 'node:path'
import picocolors from 'picocolors'
import type { RunReport } from '../conformance/result.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { terminalSummary } from '../reports/terminal.ts'
import { ReportNotWrittenError, writeReports } from '../reports/write-reports.ts'
import type { Surroundings } from './surroundings.ts'

const WIDTH_WITHOUT_TERMINAL = 100

/** Writes and shows the report, and returns the exit status. */
export function present(
  report: RunReport,
  directory: string,
  { output, errors, directory: here }: Pick<Surroundings, 'output' | 'errors' | 'directory'>,
): number {
  const options = {
    color: picocolors.isColorSupported && output.isTTY === true,
    width: output.columns ?? WIDTH_WITHOUT_TERMINAL,
  }
  try {
    const files = writeReports(report, directory).map((path) => relative(here, path))
    output.write(`${terminalSummary(report, { ...options, reportFiles: files })}\n`)
    return exitStatus(report)
  } catch (error) {
    if (!(error instanceof ReportNotWrittenError)) throw error
    const status = exitStatus(report) || 3
    output.write(`${terminalSummary(report, { ...options, reportFiles: [], status })}\n`)
    errors.write(`plumbline: ${error.message}\n`)
    return status
  }
}
