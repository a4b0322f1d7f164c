import { resolve } from 'node:path'
import type { SerializedError, TestModule, TestRunEndReason, Vitest } from 'vitest/node'
import { discoveredSecrets } from '../conformance/run-channel.ts'
import { describeInternalError } from '../conformance/run-check.ts'
import { buildReport, type ReportedRun } from '../reports/build-report.ts'
import { noEvidence } from '../results/run-evidence.ts'
import { logInternalErrors, processContext } from './context.ts'
import { reportsFolder } from './files.ts'
import { present } from './present.ts'
import { cataloguesOf, creationsOf } from './services.ts'
import { SuiteReporter } from './suite-runner.ts'

/** Reporter for Vitest's command line that writes and shows the same reports as `plumbline run`. */
export default class VitestReporter extends SuiteReporter {
  #vitest: Vitest | undefined
  #run: { settings: ReportedRun; discovered: ReturnType<typeof discoveredSecrets> } | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  // The target is not known earlier.
  onTestModuleQueued(): void {
    const settings = this.#vitest?.getRootProject().getProvidedContext().run as ReportedRun
    this.evidence = noEvidence()
    this.#run = { settings, discovered: discoveredSecrets(settings.runId) }
  }

  onTestRunEnd(
    _modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    if (this.#run === undefined) return
    const { settings, discovered } = this.#run
    const { evidence } = this
    evidence.internalErrors.push(...errors.map(describeInternalError))
    const interrupted = reason === 'interrupted'
    const hasEnded = !interrupted && evidence.internalErrors.length === 0
    const judged = new Set(evidence.judgements.map((one) => one.requirement))
    // Requirements without a verdict were excluded with `-t`.
    const selected = settings.selected.filter((id) => !hasEnded || judged.has(id))
    const ending = { interrupted, outOfMemory: false, internalErrors: [] }
    const run = { ...settings, selected, checks: selected }
    const { report, internalErrors } = buildReport(evidence, run, ending, {
      catalogues: cataloguesOf(run.target),
      creationsOf,
      discoveredSecrets: discovered.all(),
    })
    discovered.close()
    const context = processContext()
    report.run.program = context.program
    logInternalErrors(internalErrors, context)
    const isComplete = internalErrors.length === 0
    const folder = resolve(reportsFolder(settings.embedded))
    process.exitCode = present({ report, isComplete }, folder, context)
  }
}
