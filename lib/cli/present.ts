import { relative } from 'node:path'
import picocolors from 'picocolors'
import type { RunReport } from '../conformance/result.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { terminalSummary } from '../reports/terminal.ts'
import { ReportNotWrittenError, writeReports } from '../reports/write-reports.ts'

const WIDTH_WITHOUT_TERMINAL = 100

/** Writes and shows the report, and returns the exit status. */
export function present(report: RunReport, directory: string): number {
  const options = {
    color: picocolors.isColorSupported && process.stdout.isTTY === true,
    width: process.stdout.columns ?? WIDTH_WITHOUT_TERMINAL,
  }
  try {
    const files = writeReports(report, directory).map((path) => relative(process.cwd(), path))
    process.stdout.write(`${terminalSummary(report, { ...options, reportFiles: files })}\n`)
    return exitStatus(report)
  } catch (error) {
    if (!(error instanceof ReportNotWrittenError)) throw error
    const status = exitStatus(report) || 3
    process.stdout.write(`${terminalSummary(report, { ...options, reportFiles: [], status })}\n`)
    process.stderr.write(`plumbline: ${error.message}\n`)
    return status
  }
}
