import { type Command, Option } from 'commander'
import { type DoctorReport, doctorStatus } from '../doctor/doctor-report.ts'
import { doctorText } from '../doctor/doctor-text.ts'
import { environmentFile } from '../doctor/environment-file.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { forecastRun } from '../doctor/forecast.ts'
import { probeVariables } from '../environment/target.ts'
import { counted } from '../reports/format.ts'
import { printableJson, printableLine } from '../reports/printable.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import {
  type CliContext,
  logError,
  safeForTerminal,
  terminalOptions,
  version,
  writeOutput,
} from './context.ts'
import { prepareOutputFile } from './files.ts'
import { formatOption } from './options.ts'
import {
  baseUrlVariable,
  describeTarget,
  newRunId,
  type PreparedTarget,
  prepareTarget,
} from './prepare-run.ts'
import {
  catalogueOf,
  doctorsOf,
  documentsStatuses,
  type ServiceKey,
  secretsOf,
  serviceKeys,
  services,
} from './services.ts'

export interface DoctorOptions {
  envFile?: string
  service?: string[]
  format: 'text' | 'json'
  /** A file that is not there yet. */
  write?: string
}

/** What a run would judge of a service if everything of it were configured. */
function unprobedService(key: ServiceKey): DoctorReport['unprobed'][number] {
  const { service, requirements } = catalogueOf(key)
  const { length: judged } = requirements.filter((one) => !one.judged.includes('untestable'))
  return { service, variable: baseUrlVariable(key), judged, requirements: requirements.length }
}

/** What GETs show of the target; of our own deployment all is known. */
async function examination(prepared: PreparedTarget, errors: CliContext['errors']) {
  const { target, embedded, services } = prepared
  if (embedded !== undefined) {
    const facts = Object.fromEntries(services.map((key) => [catalogueOf(key).service, {}]))
    return { findings: [], facts, clocks: {}, requests: 0 }
  }
  if (errors.isTTY) {
    const addresses = new Set(services.map((key) => printableLine(target[key]?.baseUrl ?? '')))
    errors.write(`Looking at ${[...addresses].join(', ')} …\n`)
  }
  const run = { runId: newRunId(new Date()), version, target, secrets: secretsOf(target) }
  const doctors = await doctorsOf(services)
  return examine({ ...run, embedded: false, selected: [], checks: [], documentsStatuses }, doctors)
}

/** The environment file that would say more than what is set now. */
function environmentFileFor(
  { embedded, settings, services: probed, target }: PreparedTarget,
  { redactor }: CliContext,
) {
  const isOurs = (name: string) => embedded === undefined || name.startsWith(probeVariables.prefix)
  const values = Object.fromEntries([
    ...Object.entries(settings).filter(([name]) => isOurs(name)),
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

/** What a run would meet and do. @throws UsageError before anything is sent */
export async function diagnose(
  options: Pick<DoctorOptions, 'envFile' | 'service'>,
  context: CliContext,
): Promise<{ report: DoctorReport; prepared: PreparedTarget }> {
  const prepared = await prepareTarget(options, context)
  const { embedded, services, target } = prepared
  try {
    const { facts, ...seen }: Examination = await examination(prepared, context.errors)
    const places = services.map((key) => {
      const answers = facts[catalogueOf(key).service] !== undefined
      return [key, { ...describeTarget(target, embedded !== undefined)[key], answers }]
    })
    const outlook = forecastRun(services.map(catalogueOf), facts, target)
    const unprobed = serviceKeys.filter((key) => embedded !== undefined || !services.includes(key))
    const report: DoctorReport = {
      schema: 1,
      tool: { name: 'plumbline', version },
      status: doctorStatus(seen.findings, outlook.requirements),
      target: Object.fromEntries(places),
      ...seen,
      ...outlook,
      unprobed: options.service === undefined ? unprobed.map(unprobedService) : [],
    }
    return { report, prepared }
  } finally {
    await embedded?.close()
  }
}

export async function action(options: DoctorOptions, context: CliContext): Promise<number> {
  const file = prepareOutputFile(context.directory, { output: options.write }, '--write')
  const { report, prepared } = await diagnose(options, context)
  const style = terminalStyle(terminalOptions(context))
  const text = options.format === 'json' ? printableJson(report) : doctorText(report, style)
  writeOutput(`${text}\n`, context)
  if (file === undefined) return report.status
  const { text: content, written, withheld } = environmentFileFor(prepared, context)
  const problem = file.write(content)
  if (problem !== undefined) {
    logError(`--write: ${problem}.`, context)
    return 3
  }
  const secrets =
    withheld.length === 0
      ? ''
      : ` Secrets are not, set them there or in the environment: ${withheld.join(', ')}.`
  const set = counted(written.length, 'variable is set in it', 'variables are set in it')
  const told = `Wrote ${options.write}: ${set}, the others are comments.${secrets}\n`
  context.errors.write(safeForTerminal(told, context.redactor))
  return report.status
}

export const define = (command: Command) =>
  command
    .option('--service <name...>', 'look at these services only')
    .addOption(formatOption('for people or for programs', ['text', 'json']))
    .addOption(
      new Option(
        '--write <file>',
        'write an environment file there with all that is set but secrets, and a comment for each ' +
          'variable that is not, with what to do about it',
      ).conflicts('service'),
    )
