import { type Command, Option } from 'commander'
import { type DoctorReport, doctorStatus, forecastRun } from '../doctor/doctor-report.ts'
import { doctorText } from '../doctor/doctor-text.ts'
import { environmentFile } from '../doctor/environment-template.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { probeVariables } from '../environment/probe-variables.ts'
import { styleOf } from '../reports/terminal-document.ts'
import { toServiceName } from '../results/ids.ts'
import { describeTarget } from '../results/targets.ts'
import { printableJson } from '../text/printable.ts'
import { type CliContext, logError, safeForTerminal, version, writeOutput } from './context.ts'
import { createRunSettings } from './execute-run.ts'
import { openFile } from './files.ts'
import { formatOption, waitOption } from './options.ts'
import { baseUrlVariable, type PreparedTarget, prepareTarget } from './prepare-run.ts'
import type { RunOptions } from './run-options.ts'
import { catalogueOf, cataloguesOf, doctorsOf, serviceKeys, services } from './services.ts'
import { waitForServices } from './wait-for-services.ts'

interface DoctorOptions extends Pick<RunOptions, 'envFile' | 'service' | 'wait'> {
  format: 'text' | 'json'
  write?: string
}

/** Examines the target with GET requests, and forecasts a run. @throws UsageError before any request is sent */
export async function diagnose(
  options: Pick<DoctorOptions, 'envFile' | 'service' | 'wait'>,
  context: CliContext,
): Promise<{ report: DoctorReport; prepared: PreparedTarget }> {
  const prepared = await prepareTarget(options, context)
  const { embedded, target } = prepared
  const catalogues = cataloguesOf(target)
  try {
    await waitForServices(prepared, options.wait, context)
    // The reference server needs no examination.
    const facts = Object.fromEntries(catalogues.map(({ service }) => [service, {}]))
    let examination: Examination = { findings: [], facts }
    if (embedded === undefined) {
      const { ledgerFile: _, ...run } = createRunSettings(prepared, [], '')
      examination = await examine(run, await doctorsOf(target))
    }
    const forecast = forecastRun(catalogues, examination.facts, target)
    const places = describeTarget(target, embedded !== undefined)
    const unprobed = serviceKeys.filter((key) => embedded !== undefined || !(key in target))
    const report: DoctorReport = {
      schema: 4,
      tool: { name: 'plumbline', version },
      status: doctorStatus(examination.findings, forecast.requirements),
      target: Object.fromEntries(
        Object.entries(places).map(([key, place]) => {
          return [key, { ...place, responds: toServiceName(key) in examination.facts }]
        }),
      ),
      findings: examination.findings,
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

/** Returns the values that an environment file has; of the reference server, only the settings of all runs. */
function configuredValues({ embedded, settings, target }: PreparedTarget) {
  if (embedded === undefined) {
    const baseUrls = serviceKeys.map((key) => [baseUrlVariable(key), target[key]?.baseUrl])
    return { ...settings, ...Object.fromEntries(baseUrls) }
  }
  const all = Object.entries(settings)
  return Object.fromEntries(all.filter(([name]) => name.startsWith(probeVariables.prefix)))
}

export async function action(options: DoctorOptions, context: CliContext): Promise<number> {
  const { directory, redactor } = context
  const { format, write: name } = options
  const file = name === undefined ? undefined : openFile('--write', name, directory, 'create')
  const { report, prepared } = await diagnose(options, context)
  const text = format === 'json' ? printableJson(report) : doctorText(report, styleOf(context))
  writeOutput(`${text}\n`, context)
  if (file === undefined) return report.status
  const template = environmentFile(
    [...Object.values(services).map(({ variables }) => variables), probeVariables],
    configuredValues(prepared),
    (value) => redactor.redact(value) !== value,
  )
  const problem = file.write(template.text, 0o600)
  if (problem !== undefined) {
    logError(`--write: ${problem}.`, context)
    return 3
  }
  const { withheld } = template
  const missing = withheld.length > 0 ? ` Set its secrets: ${withheld.join(', ')}.` : ''
  context.errors.write(safeForTerminal(`Wrote ${name}.${missing}\n`, redactor))
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
