import type { Command } from 'commander'
import { type DoctorReport, doctorStatus } from '../doctor/doctor-report.ts'
import { doctorText } from '../doctor/doctor-text.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { foretell } from '../doctor/outlook.ts'
import { printableJson, printableLine } from '../reports/printable.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { type CliContext, terminalOptions, version, writeOutput } from './context.ts'
import { type Finish, formatOption, newCommand } from './options.ts'
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

/** A service without a base URL, and what a run would judge at best if everything of it were configured. */
function unprobedService(key: ServiceKey): DoctorReport['unprobed'][number] {
  const { service, requirements } = catalogueOf(key)
  const testable = requirements.filter(({ judged }) => !judged.includes('untestable'))
  const counts = { judged: testable.length, requirements: requirements.length }
  return { service, variable: baseUrlVariable(key), ...counts }
}

/** What GETs show of the target; nothing of our own deployment, about which all is known. */
async function examination(
  { target, embedded, services }: PreparedTarget,
  { errors }: CliContext,
): Promise<Examination> {
  if (embedded !== undefined) {
    const facts = Object.fromEntries(services.map((key) => [catalogueOf(key).service, {}]))
    return { findings: [], facts, clocks: {}, requests: 0 }
  }
  if (errors.isTTY) {
    // For whoever waits: a server that is silent takes its time.
    const addresses = new Set(services.map((key) => printableLine(target[key]?.baseUrl ?? '')))
    errors.write(`Looking at ${[...addresses].join(', ')} …\n`)
  }
  const settings = {
    runId: newRunId(new Date()),
    version,
    target,
    secrets: secretsOf(target),
    embedded: false,
    selected: [],
    documentsStatuses,
  }
  return examine(settings, await doctorsOf(services))
}

/**
 * Examines the target with GETs and finds out what a run would do.
 *
 * @throws UsageError before anything is sent
 */
export async function diagnose(
  options: Pick<DoctorOptions, 'envFile' | 'service'>,
  context: CliContext,
): Promise<DoctorReport> {
  const prepared = await prepareTarget(options, context)
  const { embedded, services, target } = prepared
  try {
    const { findings, facts, clocks, requests } = await examination(prepared, context)
    const factsOf = (key: ServiceKey) => facts[catalogueOf(key).service]
    const seen = services.flatMap((key) => {
      const facts = factsOf(key)
      return facts === undefined ? [] : [{ catalogue: catalogueOf(key), facts }]
    })
    const { requirements, nextSteps } = foretell(seen, target)
    const places = Object.entries(describeTarget(prepared)).map(([key, place]) => [
      key,
      { ...place, answers: factsOf(key as ServiceKey) !== undefined },
    ])
    const unprobed = serviceKeys.filter((key) => embedded !== undefined || !services.includes(key))
    return {
      schema: 1,
      tool: { name: 'plumbline', version },
      status: doctorStatus(findings, requirements),
      target: Object.fromEntries(places),
      requests,
      findings,
      clocks,
      requirements,
      nextSteps,
      unprobed: options.service === undefined ? unprobed.map(unprobedService) : [],
    }
  } finally {
    await embedded?.close()
  }
}

/** Says what a run would meet. */
export async function doctor(options: DoctorOptions, context: CliContext): Promise<number> {
  const report = await diagnose(options, context)
  const text =
    options.format === 'json'
      ? printableJson(report)
      : doctorText(report, terminalStyle(terminalOptions(context)))
  writeOutput(`${text}\n`, context)
  return report.status
}

export function doctorCommand(finish: Finish, context: CliContext): Command {
  return newCommand(
    'doctor',
    'say before a run, with GETs alone, what is configured, what answers, and which requirements ' +
      'a run would judge',
    '0 a run makes sense, 2 the configuration is wrong or a run would judge nothing,\n' +
      '3 a service does not answer, or refuses its credentials.',
  )
    .option('--service <name...>', 'look at these services only')
    .addOption(formatOption('for people or for programs', ['text', 'json']))
    .action((options: DoctorOptions) => finish(doctor(options, context)))
}
