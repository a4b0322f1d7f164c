import { randomBytes } from 'node:crypto'
import { relative, resolve } from 'node:path'
import { Command } from 'commander'
import picocolors from 'picocolors'
import type { RunReport } from '../conformance/result.ts'
import { assembleReport, decisive, type RunDescription } from '../reports/assemble-report.ts'
import { ConformanceReporter } from '../reports/conformance-reporter.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { Progress } from '../reports/progress.ts'
import { terminalSummary } from '../reports/terminal.ts'
import { ReportNotWrittenError, writeReports } from '../reports/write-reports.ts'
import { secretsOf } from '../target/secrets.ts'
import { catalogues } from './catalogues.ts'
import { runSuites } from './conformance-run.ts'
import type { EmbeddedOptions } from './embedded.ts'
import { envFileOption, faultOption, variantOption } from './options.ts'
import { type PreparedTarget, prepareTarget } from './prepare-run.ts'
import { selectRequirements } from './select-requirements.ts'
import { version } from './version.ts'

export interface RunOptions extends EmbeddedOptions {
  envFile?: string
  service?: string[]
  requirement?: string[]
  reports: string
}

const WIDTH_WITHOUT_TERMINAL = 100

function newRunId(now: Date): string {
  const stamp = now.toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()
  return `${stamp}-${randomBytes(3).toString('hex')}`
}

function describeTarget({ target, services, embedded }: PreparedTarget): RunReport['target'] {
  return Object.fromEntries(
    services.map((key) => [
      key,
      {
        baseUrl: target[key]?.baseUrl ?? '',
        ...(embedded === undefined ? {} : { embedded: true }),
      },
    ]),
  )
}

/** Resolves when the process is asked to stop. */
function interruption(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => resolve('interrupted'))
    }
  })
}

/** The summary; written to standard error where the reports could not be. */
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
  const prepared = await prepareTarget(options)
  const { target, services, embedded } = prepared
  const probed = services.map((key) => catalogues[key])
  const requirements = selectRequirements(probed, options.requirement ?? [])
  const directory = resolve(options.reports)
  const startedAt = new Date()
  const runId = newRunId(startedAt)

  if (embedded !== undefined) {
    process.stderr.write(
      'No deployment is configured: probing the embedded reference deployment ' +
        `at ${embedded.baseUrl}.\n`,
    )
  }
  const progress = new Progress(process.stderr, { color: picocolors.isColorSupported })
  const testable = requirements.filter(({ judged }) => !judged.includes('untestable'))
  const expected = new Map(testable.map(({ id, judged }) => [id, judged.length]))
  progress.start(testable.length)
  const reporter = new ConformanceReporter(({ requirement }) => {
    const { judgements } = reporter.evidence
    const told = judgements.filter((judgement) => judgement.requirement === requirement)
    const verdict = decisive(told)?.verdict
    if (told.length === expected.get(requirement) && verdict !== undefined) {
      progress.add({ requirement, verdict })
    }
  })
  const settings = {
    runId,
    version,
    target,
    secrets: secretsOf(target),
    embedded: embedded !== undefined,
    selected: requirements.map(({ id }) => id),
    ledgerFile: resolve(directory, `ledger-${runId}.ndjson`),
  }
  const ended = await Promise.race([runSuites(settings, reporter), interruption()])
  progress.finish()
  await embedded?.close()
  for (const defect of reporter.evidence.defects) {
    process.stderr.write(`plumbline: a defect of Plumbline itself; please report it: ${defect}\n`)
  }
  const description: RunDescription = {
    version,
    runId,
    startedAt,
    finishedAt: new Date(),
    interrupted: ended === 'interrupted',
    target: describeTarget(prepared),
    catalogues: probed,
    selected: settings.selected,
    wording: target.probe.wording,
  }
  return present(assembleReport(reporter.evidence, description), directory)
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
