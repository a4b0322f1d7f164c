import { type Command, Option } from 'commander'
import { type DoctorReport, doctorStatus } from '../doctor/doctor-report.ts'
import { doctorText } from '../doctor/doctor-text.ts'
import { environmentFile } from '../doctor/environment-file.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { forecastRun } from '../doctor/forecast.ts'
import { probeVariables } from '../environment/target.ts'
import { shellWord } from '../probe/curl.ts'
import { describeTarget } from '../reports/build-report.ts'
import { formatCommand } from '../reports/report-text.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { printableJson, printableLine } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import {
  type CliContext,
  logError,
  safeForTerminal,
  terminalOptions,
  version,
  writeOutput,
} from './context.ts'
import { openFile } from './files.ts'
import { formatOption, waitOption } from './options.ts'
import { baseUrlVariable, newRunId, type PreparedTarget, prepareTarget } from './prepare-run.ts'
import {
  catalogueOf,
  doctorsOf,
  documentsStatuses,
  secretsOf,
  serviceKeys,
  services,
} from './services.ts'
import { waitForServices } from './wait-for-services.ts'

interface DoctorOptions {
  envFile?: string
  service?: string[]
  format: 'text' | 'json'
  /** Maximum number of seconds to wait for the services. */
  wait?: number
  write?: string
}

/** Examines the target with GET requests; the reference server needs none. */
async function examineTarget(prepared: PreparedTarget, errors: CliContext['errors']) {
  const { target, embedded, services } = prepared
  if (embedded !== undefined) {
    const facts = Object.fromEntries(services.map((key) => [catalogueOf(key).service, {}]))
    return { findings: [], facts, clocks: {} }
  }
  if (errors.isTTY) {
    const addresses = new Set(services.map((key) => printableLine(target[key]?.baseUrl ?? '')))
    errors.write(`Checking ${[...addresses].join(', ')} …\n`)
  }
  const run = { runId: newRunId(new Date()), version, target, secrets: secretsOf(target) }
  const doctors = await doctorsOf(services)
  return examine({ ...run, embedded: false, selected: [], checks: [], documentsStatuses }, doctors)
}

function environmentFileFor(
  { embedded, settings, services: probed, target }: PreparedTarget,
  { redactor }: CliContext,
) {
  const isKept = (name: string) => embedded === undefined || name.startsWith(probeVariables.prefix)
  const values = Object.fromEntries([
    ...Object.entries(settings).filter(([name]) => isKept(name)),
    ...(embedded === undefined
      ? probed.map((key) => [baseUrlVariable(key), target[key]?.baseUrl])
      : []),
  ])
  const groups = serviceKeys.map((key) => ({
    variables: services[key].variables,
    catalogue: catalogueOf(key),
  }))
  const holdsSecret = (text: string) => redactor.redact(text) !== text
  return environmentFile([...groups, { variables: probeVariables }], values, holdsSecret)
}

/** Examines the target and forecasts a run. @throws UsageError before any request is sent */
export async function diagnose(
  options: Pick<DoctorOptions, 'envFile' | 'service' | 'wait'>,
  context: CliContext,
): Promise<{ report: DoctorReport; prepared: PreparedTarget }> {
  const prepared = await prepareTarget(options, context)
  const { embedded, services, target } = prepared
  try {
    await waitForServices(prepared, options.wait, context)
    const { facts, ...examination }: Examination = await examineTarget(prepared, context.errors)
    const targets = services.map((key) => {
      const responds = facts[catalogueOf(key).service] !== undefined
      return [key, { ...describeTarget(target, embedded !== undefined)[key], responds }]
    })
    const forecast = forecastRun(services.map(catalogueOf), facts, target)
    const unprobed = serviceKeys.filter((key) => embedded !== undefined || !services.includes(key))
    const report: DoctorReport = {
      schema: 3,
      tool: { name: 'plumbline', version },
      status: doctorStatus(examination.findings, forecast.requirements),
      target: Object.fromEntries(targets),
      ...examination,
      ...forecast,
      unprobed: (options.service === undefined ? unprobed : []).map((key) => {
        return { service: catalogueOf(key).service, variable: baseUrlVariable(key) }
      }),
    }
    return { report, prepared }
  } finally {
    await embedded?.close()
  }
}

export async function action(options: DoctorOptions, context: CliContext): Promise<number> {
  const { directory } = context
  const file = options.write && openFile('--write', options.write, directory, 'create')
  const { report, prepared } = await diagnose(options, context)
  const style = terminalStyle(terminalOptions(context))
  const envFile = options.envFile === undefined ? [] : ['--env-file', options.envFile]
  const args = ['doctor', ...envFile, '--write', 'FILE'].map(shellWord).join(' ')
  const command = !file ? formatCommand(args, context.program) : undefined
  const text =
    options.format === 'json' ? printableJson(report) : doctorText(report, style, command)
  writeOutput(`${text}\n`, context)
  if (!file) return report.status
  const { text: content, written, withheld } = environmentFileFor(prepared, context)
  const problem = file.write(content, 0o600)
  if (problem !== undefined) {
    logError(`--write: ${problem}.`, context)
    return 3
  }
  const secrets =
    withheld.length === 0
      ? ''
      : ` It has no secrets; set them there or in the environment: ${withheld.join(', ')}.`
  const set = counted(written.length, 'variable is set in it', 'variables are set in it')
  const message = `Wrote ${options.write}: ${set}, the others are comments.${secrets}\n`
  context.errors.write(safeForTerminal(message, context.redactor))
  return report.status
}

export const define = (command: Command) =>
  command
    .option('--service <name...>', 'check only these services')
    .addOption(waitOption)
    .addOption(formatOption('for people or for programs', ['text', 'json']))
    .addOption(
      new Option(
        '--write <file>',
        'write an environment file with the current values except secrets, and a comment that ' +
          'explains each other variable',
      ).conflicts('service'),
    )
