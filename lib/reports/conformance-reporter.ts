import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'
import type { Judgement } from '../conformance/judgement.ts'
import type { LeftBehind, Observation } from '../conformance/result.ts'
import type { RowReport } from '../conformance/row-report.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'

/** What a run has told so far. */
export interface RunEvidence {
  judgements: Judgement[]
  observations: Observation[]
  exchanges: ExchangeRecord[]
  leftBehind: LeftBehind[]
  /** Defects of our own: of checks, and outside of them, such as a suite that cannot be loaded. */
  defects: string[]
}

function defectText({ name, message, stack, code, cause }: SerializedError): string {
  const text = stack || `${name ?? 'Error'}: ${message}`
  const coded = typeof code === 'string' && !text.includes(code) ? `${text} (${code})` : text
  return cause === undefined ? coded : `${coded}\ncaused by ${defectText(cause as SerializedError)}`
}

/** The Vitest reporter of a conformance run: it gathers what the checks tell and prints nothing. */
export class ConformanceReporter implements Reporter {
  readonly evidence: RunEvidence = {
    judgements: [],
    observations: [],
    exchanges: [],
    leftBehind: [],
    defects: [],
  }
  readonly #onJudgement: (judgement: Judgement) => void

  constructor(onJudgement: (judgement: Judgement) => void) {
    this.#onJudgement = onJudgement
  }

  onTestCaseResult(testCase: TestCase): void {
    const report: RowReport | undefined = testCase.meta().plumbline
    const { state, errors } = testCase.result()
    // One that fails with a judgement fails because of it.
    if (state === 'failed' && report?.judgement === undefined) {
      this.evidence.defects.push(...errors.map((error) => defectText(error as SerializedError)))
    }
    if (report === undefined) return
    this.evidence.exchanges.push(...report.exchanges)
    this.evidence.leftBehind.push(...(report.leftBehind ?? []))
    if (report.defect !== undefined) this.evidence.defects.push(report.defect)
    if (report.observation !== undefined) this.evidence.observations.push(report.observation)
    if (report.judgement === undefined) return
    this.evidence.judgements.push(report.judgement)
    this.#onJudgement(report.judgement)
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const errors = [...modules.flatMap((module) => module.errors()), ...unhandledErrors]
    this.evidence.defects.push(...errors.map(defectText))
  }
}
