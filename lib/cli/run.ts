import { accessSync, constants, mkdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { Command } from 'commander'
import picocolors from 'picocolors'
import type { RunReport } from '../conformance/result.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { Progress } from '../reports/progress.ts'
import { terminalSummary } from '../reports/terminal.ts'
import { ReportNotWrittenError, writeReports } from '../reports/write-reports.ts'
import { catalogues } from './catalogues.ts'
import type { EmbeddedOptions } from './embedded.ts'
import { envFileOption, faultOption, variantOption } from './options.ts'
import { prepareTarget } from './prepare-run.ts'
import { probeTarget } from './probe-target.ts'
import { selectRequirements } from './select-requirements.ts'
import { UsageError } from './usage-error.ts'

export interface RunOptions extends EmbeddedOptions {
  envFile?: string
  service?: string[]
  requirement?: string[]
  reports: string
}

const WIDTH_WITHOUT_TERMINAL = 100

/** Resolves when the process is asked to stop. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

/** Nothing is sent when it is clear beforehand that nothing could be noted or reported. */
function prepareDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true })
    accessSync(directory, constants.W_OK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new UsageError(
      `--reports: ${directory} cannot be written to (${code}); nothing was sent.`,
    )
  }
}

/** Writes and shows the report, and returns the exit status. */
function present(report: RunReport, directory: string): number {
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
    process.stdout.write(`${terminalSummary(report, { ...options, reportFiles: [] })}\n`)
    process.stderr.write(`plumbline: ${error.message}\n`)
    return exitStatus(report) || 3
  }
}

/**
 * Probes the target and reports.
 *
 * @returns the exit status
 * @throws UsageError before anything is sent
 */
export async function run(options: RunOptions): Promise<number> {
  const directory = resolve(options.reports)
  const prepared = await prepareTarget(options)
  const probed = prepared.services.map((key) => catalogues[key])
  const requirements = selectRequirements(probed, options.requirement ?? [])
  prepareDirectory(directory)
  if (prepared.embedded !== undefined) {
    process.stderr.write(
      'No deployment is configured: probing the embedded reference deployment ' +
        `at ${prepared.embedded.baseUrl}.\n`,
    )
  }
  const { report, defects } = await probeTarget(prepared, {
    requirements,
    directory,
    progress: new Progress(process.stderr, { color: picocolors.isColorSupported }),
    interruption: interruption(),
  })
  for (const defect of defects) {
    process.stderr.write(`plumbline: a defect of Plumbline itself; please report it: ${defect}\n`)
  }
  return present(report, directory)
}

export function runCommand(finish: (status: Promise<number>) => Promise<void>): Command {
  return new Command('run')
    .description('probe the deployment that the environment describes, and report')
    .option('--service <name...>', 'probe these services only')
    .option(
      '--requirement <pattern...>',
      'judge these requirements only: ids, their beginnings, or globs',
    )
    .option('--reports <directory>', 'write the reports there', 'reports')
    .addOption(faultOption())
    .addOption(variantOption())
    .addOption(envFileOption())
    .action((options: RunOptions) => finish(run(options)))
}
