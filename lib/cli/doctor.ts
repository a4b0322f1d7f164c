import { Command, Option } from 'commander'
import type { DoctorReport, Step, UnprobedService } from '../doctor/doctor-report.ts'
import { doctorStatus } from '../doctor/doctor-report.ts'
import type { Examination } from '../doctor/examine.ts'
import { withoutWorkflowCommands } from '../reports/annotations.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { secretsOf } from '../target/secrets.ts'
import { catalogues, type ServiceKey } from './catalogues.ts'
import { envFileOption } from './options.ts'
import { baseUrlVariable, type PreparedTarget, prepareTarget } from './prepare-run.ts'
import { describeTarget, newRunId } from './probe-target.ts'
import type { NextStep, RunForecast } from './rehearsal/forecast.ts'
import { processSurroundings, type Surroundings } from './surroundings.ts'
import { terminalOptions } from './terminal-options.ts'
import { version } from './version.ts'

export interface DoctorOptions {
  envFile?: string
  service?: string[]
  format: keyof typeof formats
}

function unprobedServices({ services, embedded }: PreparedTarget): UnprobedService[] {
  return (Object.keys(catalogues) as ServiceKey[])
    .filter((key) => embedded !== undefined || !services.includes(key))
    .map((key) => ({
      service: catalogues[key].service,
      variable: baseUrlVariable(key),
      requirements: catalogues[key].requirements.filter(
        ({ judged }) => !(judged as readonly string[]).includes('untestable'),
      ).length,
    }))
}

function stepOf({ ingredients, adds, completes }: NextStep): Step {
  return {
    texts: ingredients.map(({ text }) => text),
    variables: [...new Set(ingredients.flatMap(({ variables }) => variables))],
    adds: [...adds],
    completes: [...completes],
  }
}

/** What there is to examine; nothing of our own deployment, about which all is known. */
async function examination(prepared: PreparedTarget): Promise<Examination> {
  const { target, embedded } = prepared
  if (embedded !== undefined) {
    return { findings: [], facts: { codeHosting: {} }, clocks: {}, requests: 0 }
  }
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

async function forecast(
  { target, embedded }: PreparedTarget,
  { facts }: Examination,
  surroundings: Surroundings,
): Promise<RunForecast> {
  const [{ forecastRun }, { SharedThread }] = await Promise.all([
    import('./rehearsal/forecast.ts'),
    import('./matrix/shared-thread.ts'),
  ])
  const thread = new SharedThread()
  try {
    const pool = surroundings.pool ?? thread.pool
    return await forecastRun({ target, facts }, { pool, isOurs: embedded !== undefined })
  } finally {
    await thread.close()
  }
}

/**
 * Examines the target with GETs and finds out what a run would do.
 *
 * @throws UsageError before anything is sent
 */
export async function diagnose(
  options: Pick<DoctorOptions, 'envFile' | 'service'>,
  surroundings: Surroundings,
): Promise<DoctorReport> {
  const prepared = await prepareTarget(options, surroundings)
  try {
    for (const { name, value } of secretsOf(prepared.target)) surroundings.redactor.add(name, value)
    const found = await examination(prepared)
    const { forecasts, nextSteps } = await forecast(prepared, found, surroundings)
    const requirements = forecasts.map(({ lacking, ...outlook }) => ({
      ...outlook,
      variables: [...new Set(lacking.flatMap(({ variables }) => variables))],
    }))
    return {
      schema: 1,
      tool: { name: 'plumbline', version },
      status: doctorStatus(found.findings, requirements),
      target: describeTarget(prepared),
      requests: found.requests,
      findings: found.findings,
      clocks: found.clocks,
      requirements,
      nextSteps: nextSteps.map(stepOf),
      unprobed: options.service === undefined ? unprobedServices(prepared) : [],
    }
  } finally {
    await prepared.embedded?.close()
  }
}

async function asText(report: DoctorReport, surroundings: Surroundings): Promise<string> {
  const { doctorText } = await import('../doctor/doctor-text.ts')
  return doctorText(report, terminalStyle(terminalOptions(surroundings)))
}

const formats = {
  text: asText,
  json: (report: DoctorReport) => JSON.stringify(report, undefined, 2),
}

/**
 * Says what a run would meet.
 *
 * @returns the exit status
 * @throws UsageError before anything is sent
 */
export async function doctor(
  options: DoctorOptions,
  surroundings: Surroundings = processSurroundings(),
): Promise<number> {
  const report = await diagnose(options, surroundings)
  const text = `${await formats[options.format](report, surroundings)}\n`
  const { output, environment } = surroundings
  const isCommanding = environment.GITHUB_ACTIONS === 'true'
  output.write(isCommanding ? withoutWorkflowCommands(text) : text)
  return report.status
}

export function doctorCommand(
  finish: (status: Promise<number>) => Promise<void>,
  surroundings?: Surroundings,
): Command {
  return new Command('doctor')
    .description(
      'say before a run, with GETs alone, what is configured, what answers, and which requirements ' +
        'a run would judge',
    )
    .option('--service <name...>', 'look at these services only')
    .addOption(
      new Option('--format <format>', 'for people or for programs')
        .choices(Object.keys(formats))
        .default('text'),
    )
    .addOption(envFileOption())
    .action((options: DoctorOptions) => finish(doctor(options, surroundings)))
}
