import { devNull } from 'node:os'
import { type Command, Option } from 'commander'
import type { DoctorReport, UnprobedService } from '../doctor/doctor-report.ts'
import { doctorStatus } from '../doctor/doctor-report.ts'
import type { Examination } from '../doctor/examine.ts'
import { foretell } from '../doctor/outlook.ts'
import { printableLine } from '../reports/printable.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { type CliContext, version } from './context.ts'
import { type Finish, newCommand } from './options.ts'
import { terminalOptions, writeOutput } from './output.ts'
import { baseUrlVariable, type PreparedTarget, prepareTarget } from './prepare-run.ts'
import { describeTarget, newRunId } from './probe-target.ts'
import {
  catalogueOf,
  doctorsOf,
  documentsStatuses,
  loadTarget,
  type ServiceKey,
  secretsOf,
  serviceKeys,
} from './services.ts'

export interface DoctorOptions {
  envFile?: string
  service?: string[]
  format: keyof typeof formats
}

/**
 * What a run would judge at best of a service of which everything is told. Nobody is asked at the
 * address of this target.
 */
function judgedAtBest(key: ServiceKey): number {
  const environment = { [baseUrlVariable(key)]: 'http://127.0.0.1' }
  const loaded = loadTarget({ environment, envFile: devNull, directory: '.' })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  const { requirements } = foretell([{ catalogue: catalogueOf(key), facts: {} }], loaded.target)
  return requirements.filter(({ outlook }) => outlook !== 'left out').length
}

/** Without a base URL. */
function unprobedServices({ services, embedded }: PreparedTarget): UnprobedService[] {
  const keys = serviceKeys.filter((key) => embedded !== undefined || !services.includes(key))
  return keys.map((key) => {
    const { service, requirements } = catalogueOf(key)
    const variable = baseUrlVariable(key)
    return { service, variable, judged: judgedAtBest(key), requirements: requirements.length }
  })
}

/** For whoever waits before a terminal: a server that is silent takes its time. */
function tellBeginning({ target, services }: PreparedTarget, { errors }: CliContext): void {
  if (errors.isTTY !== true) return
  const addresses = new Set(services.map((key) => printableLine(target[key]?.baseUrl ?? '')))
  errors.write(`Looking at ${[...addresses].join(', ')} …\n`)
}

/** What there is to examine; nothing of our own deployment, about which all is known. */
async function examination(prepared: PreparedTarget, context: CliContext): Promise<Examination> {
  const { target, embedded } = prepared
  if (embedded !== undefined) {
    return { findings: [], facts: {}, clocks: {}, unanswered: [], requests: 0 }
  }
  tellBeginning(prepared, context)
  const [{ examine }, doctors] = await Promise.all([
    import('../doctor/examine.ts'),
    doctorsOf(prepared.services),
  ])
  const settings = {
    runId: newRunId(new Date()),
    version,
    target,
    secrets: secretsOf(target),
    embedded: false,
    selected: [],
    documentsStatuses,
  }
  return examine(settings, doctors)
}

function isAnswering({ unanswered }: Examination, key: ServiceKey): boolean {
  return !unanswered.includes(catalogueOf(key).service)
}

function examinedServices(prepared: PreparedTarget, examined: Examination): DoctorReport['target'] {
  const described = describeTarget(prepared)
  return Object.fromEntries(
    prepared.services.map((key) => [
      key,
      { ...(described[key] ?? { baseUrl: '' }), answers: isAnswering(examined, key) },
    ]),
  )
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
  try {
    for (const { name, value } of secretsOf(prepared.target)) context.redactor.add(name, value)
    const found = await examination(prepared, context)
    const answering = prepared.services.filter((key) => isAnswering(found, key))
    const { requirements, nextSteps } = foretell(
      answering.map((key) => ({
        catalogue: catalogueOf(key),
        facts: found.facts[catalogueOf(key).service] ?? {},
      })),
      prepared.target,
    )
    return {
      schema: 1,
      tool: { name: 'plumbline', version },
      status: doctorStatus(found.findings, requirements),
      target: examinedServices(prepared, found),
      requests: found.requests,
      findings: found.findings,
      clocks: found.clocks,
      requirements,
      nextSteps,
      unprobed: options.service === undefined ? unprobedServices(prepared) : [],
    }
  } finally {
    await prepared.embedded?.close()
  }
}

async function asText(report: DoctorReport, context: CliContext): Promise<string> {
  const { doctorText } = await import('../doctor/doctor-text.ts')
  return `${doctorText(report, terminalStyle(terminalOptions(context)))}\n`
}

async function asJson(report: DoctorReport): Promise<string> {
  const { doctorJson } = await import('../doctor/doctor-json.ts')
  return doctorJson(report)
}

const formats = { text: asText, json: asJson }

/**
 * Says what a run would meet.
 *
 * @returns the exit status
 * @throws UsageError before anything is sent
 */
export async function doctor(options: DoctorOptions, context: CliContext): Promise<number> {
  const report = await diagnose(options, context)
  const text = await formats[options.format](report, context)
  writeOutput(text, context)
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
    .addOption(
      new Option('--format <format>', 'for people or for programs')
        .choices(Object.keys(formats))
        .default('text'),
    )
    .action((options: DoctorOptions) => finish(doctor(options, context)))
}
