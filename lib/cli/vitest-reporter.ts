import { resolve } from 'node:path'
import type { SerializedError, TestModule, TestRunEndReason, Vitest } from 'vitest/node'
import { describeDefect } from '../conformance/judgement.ts'
import type { RowReport } from '../conformance/row-report.ts'
import { type LearntSecrets, learntSecrets } from '../conformance/run-channel.ts'
import { gather, noEvidence } from '../reports/run-evidence.ts'
import { complainOfDefects, processContext } from './context.ts'
import { present } from './present.ts'
import { type ReportedRun, reportOn } from './probe-target.ts'
import { SuiteReporter } from './suites.ts'
import { REPORTS } from './vitest-global-setup.ts'

/** For Vitest's own command line: writes and shows what `plumbline run` does. */
export default class VitestReporter extends SuiteReporter {
  #vitest: Vitest | undefined
  #run: { settings: ReportedRun; learnt: LearntSecrets } | undefined
  #evidence = noEvidence()
  override onReport = (report: RowReport) => gather(this.#evidence, report)

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  // What is probed is known now, and was not at the start of the run.
  onTestModuleQueued(): void {
    const settings = this.#vitest?.getRootProject().getProvidedContext().run as ReportedRun
    this.#evidence = noEvidence()
    this.#run = { settings, learnt: learntSecrets(settings.runId) }
  }

  onTestRunEnd(
    _modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    if (this.#run === undefined) return
    const { settings, learnt } = this.#run
    const evidence = this.#evidence
    evidence.defects.push(...errors.map(describeDefect))
    const interrupted = reason === 'interrupted'
    const isWhole = !interrupted && evidence.defects.length === 0
    const judged = new Set(evidence.judgements.map((one) => one.requirement))
    // The others were not asked for: `-t` names some of them.
    const selected = settings.selected.filter((id) => !isWhole || judged.has(id))
    const ending = { interrupted, outOfMemory: false, defects: [] }
    const run = { ...settings, selected, checks: selected }
    const { report, defects } = reportOn(evidence, run, learnt.all(), ending)
    learnt.close()
    const context = processContext()
    complainOfDefects(defects, context)
    const sound = defects.length === 0
    process.exitCode = present({ report, sound }, resolve(REPORTS), context)
  }
}
