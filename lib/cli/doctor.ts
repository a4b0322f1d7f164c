import type { Command } from 'commander'
import { type DoctorReport, doctorStatus } from '../doctor/doctor-report.ts'
import { doctorText } from '../doctor/doctor-text.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { foretell } from '../doctor/outlook.ts'
import { printableJson, printableLine } from '../reports/printable.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { type CliContext, terminalOptions, version, writeOutput } from './context.ts'
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
} from './services.ts'

export interface DoctorOptions {
  envFile?: string
  service?: string[]
  format: 'text' | 'json'
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
  return examine({ ...run, embedded: false, selected: [], documentsStatuses }, doctors)
}

/** What a run would meet and do. @throws UsageError before anything is sent */
export async function diagnose(
  options: Pick<DoctorOptions, 'envFile' | 'service'>,
  context: CliContext,
): Promise<DoctorReport> {
  const prepared = await prepareTarget(options, context)
  const { embedded, services, target } = prepared
  try {
    const { facts, ...seen }: Examination = await examination(prepared, context.errors)
    const places = services.map((key) => {
      const answers = facts[catalogueOf(key).service] !== undefined
      return [key, { ...describeTarget(target, embedded !== undefined)[key], answers }]
    })
    const outlook = foretell(services.map(catalogueOf), facts, target)
    const unprobed = serviceKeys.filter((key) => embedded !== undefined || !services.includes(key))
    return {
      schema: 1,
      tool: { name: 'plumbline', version },
      status: doctorStatus(seen.findings, outlook.requirements),
      target: Object.fromEntries(places),
      ...seen,
      ...outlook,
      unprobed: options.service === undefined ? unprobed.map(unprobedService) : [],
    }
  } finally {
    await embedded?.close()
  }
}

export async function action(options: DoctorOptions, context: CliContext): Promise<number> {
  const report = await diagnose(options, context)
  const style = terminalStyle(terminalOptions(context))
  const text = options.format === 'json' ? printableJson(report) : doctorText(report, style)
  writeOutput(`${text}\n`, context)
  return report.status
}

export const define = (command: Command) =>
  command
    .option('--service <name...>', 'look at these services only')
    .addOption(formatOption('for people or for programs', ['text', 'json']))
