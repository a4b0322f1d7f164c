import { type Command, Option } from 'commander'
import type { PoolRunnerInitializer } from 'vitest/node'
import type {
  DoctorReport,
  RequirementOutlook,
  Step,
  UnprobedService,
} from '../doctor/doctor-report.ts'
import { doctorStatus } from '../doctor/doctor-report.ts'
import type { Examination } from '../doctor/examine.ts'
import { nothingKnown } from '../doctor/facts.ts'
import { printableLine } from '../reports/printable.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { secretsOf } from '../target/secrets.ts'
import { catalogues, type ServiceKey } from './catalogues.ts'
import { type CliContext, version } from './context.ts'
import { type Finish, newCommand } from './options.ts'
import { terminalOptions, writeOutput } from './output.ts'
import { baseUrlVariable, type PreparedTarget, prepareTarget } from './prepare-run.ts'
import { describeTarget, newRunId } from './probe-target.ts'
import type { NextStep, RunForecast } from './rehearsal/forecast.ts'

export interface DoctorOptions {
  envFile?: string
  service?: string[]
  format: keyof typeof formats
}

/** Without a base URL; about our own deployment it is known what a run would judge. */
async function unprobedServices(
  { services, embedded, target }: PreparedTarget,
  forecasts: readonly Pick<RequirementOutlook, 'requirement' | 'outlook'>[],
  pool: PoolRunnerInitializer,
): Promise<UnprobedService[]> {
  const { judgedAtBest } = await import('./rehearsal/judged-at-best.ts')
  const keys = (Object.keys(catalogues) as ServiceKey[]).filter(
    (key) => embedded !== undefined || !services.includes(key),
  )
  const judged =
    embedded === undefined
      ? await judgedAtBest(keys, target.probe, pool)
      : forecasts
          .filter(({ outlook }) => outlook === 'judged')
          .map(({ requirement }) => requirement)
  return keys.map((key) => {
    const { service, requirements } = catalogues[key]
    return {
      service,
      variable: baseUrlVariable(key),
      judged: judged.filter((id) => id.startsWith(`${service}/`)).length,
      requirements: requirements.length,
    }
  })
}

function stepOf({ ingredients, adds, completes }: NextStep): Step {
  return {
    texts: ingredients.map(({ text }) => text),
    variables: [...new Set(ingredients.flatMap(({ variables }) => variables))],
    adds: [...adds],
    completes: [...completes],
  }
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
    return { findings: [], facts: nothingKnown, clocks: {}, unanswered: [], requests: 0 }
  }
  tellBeginning(prepared, context)
  const { examine } = await import('../doctor/examine.ts')
  return examine({
    runId: newRunId(new Date()),
    version,
    target,
    secrets: secretsOf(target),
    embedded: false,
    selected: [],
  })
}

function isAnswering({ unanswered }: Examination, key: ServiceKey): boolean {
  return !unanswered.includes(catalogues[key].service)
}

/** What a run would do where somebody answers; elsewhere it would judge nothing. */
async function forecast(
  { target: { probe, ...target }, services, embedded }: PreparedTarget,
  examined: Examination,
  pool: PoolRunnerInitializer,
): Promise<RunForecast> {
  const answering = services.filter((key) => isAnswering(examined, key))
  if (answering.length === 0) return { forecasts: [], nextSteps: [] }
  const { forecastRun } = await import('./rehearsal/forecast.ts')
  const kept = Object.fromEntries(answering.map((key) => [key, target[key]]))
  const situation = { target: { probe, ...kept }, facts: examined.facts }
  return forecastRun(situation, { pool, isOurs: embedded !== undefined })
}

/** Hands a thread in which suites run to what needs one. */
async function withThread<T>(
  { pool }: CliContext,
  work: (pool: PoolRunnerInitializer) => Promise<T>,
): Promise<T> {
  if (pool !== undefined) return work(pool)
  const { SharedThread } = await import('../prove/shared-thread.ts')
  const thread = new SharedThread()
  try {
    return await work(thread.pool)
  } finally {
    await thread.close()
  }
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
    const { forecasts, nextSteps, unprobed } = await withThread(context, async (pool) => {
      const run = await forecast(prepared, found, pool)
      const isAsked = options.service === undefined
      const others = isAsked ? await unprobedServices(prepared, run.forecasts, pool) : []
      return { ...run, unprobed: others }
    })
    const requirements = forecasts.map(({ lacking, ...outlook }) => ({
      ...outlook,
      variables: [...new Set(lacking.flatMap(({ variables }) => variables))],
    }))
    return {
      schema: 1,
      tool: { name: 'plumbline', version },
      status: doctorStatus(found.findings, requirements),
      target: examinedServices(prepared, found),
      requests: found.requests,
      findings: found.findings,
      clocks: found.clocks,
      requirements,
      nextSteps: nextSteps.map(stepOf),
      unprobed,
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
