import { type DoctorReport, doctorStatus, forecastRun } from '../doctor/doctor-report.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { describeTarget } from '../reports/build-report.ts'
import { toServiceName } from '../results/ids.ts'
import { type CliContext, version } from './context.ts'
import { createRunSettings } from './execute-run.ts'
import { baseUrlVariable, type PreparedTarget, prepareTarget } from './prepare-run.ts'
import { catalogueOf, cataloguesOf, doctorsOf, serviceKeys } from './services.ts'
import { waitForServices } from './wait-for-services.ts'

/** Examines the target with GET requests, and forecasts a run. @throws UsageError before any request is sent */
export async function diagnose(
  options: { envFile?: string; service?: string[]; wait?: number },
  context: CliContext,
): Promise<{ report: DoctorReport; prepared: PreparedTarget }> {
  const prepared = await prepareTarget(options, context)
  const { embedded, target } = prepared
  const catalogues = [...cataloguesOf(prepared.services).values()]
  try {
    await waitForServices(prepared, options.wait, context)
    // The reference server needs no examination.
    const facts = Object.fromEntries(catalogues.map(({ service }) => [service, {}]))
    let examination: Examination = { findings: [], facts, clocks: {} }
    if (embedded === undefined) {
      const { ledgerFile: _, ...run } = createRunSettings(prepared, [], '')
      examination = await examine(run, await doctorsOf(prepared.services))
    }
    const forecast = forecastRun(catalogues, examination.facts, target)
    const places = describeTarget(target, embedded !== undefined)
    const unprobed = serviceKeys.filter(
      (key) => embedded !== undefined || !prepared.services.includes(key),
    )
    const report: DoctorReport = {
      schema: 3,
      tool: { name: 'plumbline', version },
      status: doctorStatus(examination.findings, forecast.requirements),
      target: Object.fromEntries(
        Object.entries(places).map(([key, place]) => {
          return [key, { ...place, responds: toServiceName(key) in examination.facts }]
        }),
      ),
      findings: examination.findings,
      clocks: examination.clocks,
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
