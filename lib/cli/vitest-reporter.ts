import { resolve } from 'node:path'
import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestRunEndReason,
  Vitest,
} from 'vitest/node'
import { learntSecrets } from '../conformance/run-channel.ts'
import { ConformanceReporter } from '../reports/run-evidence.ts'
import { complainOfDefects, processContext } from './context.ts'
import { present } from './present.ts'
import { type ReportedRun, reportOn } from './probe-target.ts'
import { REPORTS } from './vitest-global-setup.ts'

/** For Vitest's own command line: writes and shows what `plumbline run` does. */
export default class VitestReporter implements Reporter {
  #vitest: Vitest | undefined
  #run: { settings: ReportedRun; learnt: ReturnType<typeof learntSecrets> } | undefined
  #evidence = new ConformanceReporter()

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  // What is probed is known now, and was not at the start of the run.
  onTestModuleQueued(): void {
    const settings = this.#vitest?.getRootProject().getProvidedContext().run as ReportedRun
    this.#evidence = new ConformanceReporter()
    this.#run = { settings, learnt: learntSecrets(settings.runId) }
  }

  onTestCaseResult(test: TestCase): void {
    this.#evidence.onTestCaseResult(test)
  }

  onTestModuleEnd(module: TestModule): void {
    this.#evidence.onTestModuleEnd(module)
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    if (this.#run === undefined) return
    const { settings, learnt } = this.#run
    this.#evidence.onTestRunEnd(modules, errors)
    const { evidence, outOfMemory } = this.#evidence
    const interrupted = reason === 'interrupted'
    const isWhole = !interrupted && !outOfMemory && evidence.defects.length === 0
    const judged = new Set(evidence.judgements.map((one) => one.requirement))
    // The others were not asked for: `-t` names some of them.
    const selected = settings.selected.filter((id) => !isWhole || judged.has(id))
    const ending = { interrupted, defects: [] }
    const run = { ...settings, selected }
    const { report, defects } = reportOn(this.#evidence, run, learnt.all(), ending)
    learnt.close()
    const context = processContext()
    complainOfDefects(defects, context)
    const sound = defects.length === 0 && !outOfMemory
    process.exitCode = present({ report, sound }, resolve(REPORTS), context)
  }
}
