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
  /** Errors outside of every check, such as a suite that cannot be loaded: defects of our own. */
  defects: string[]
}

function defectText({ message, stack }: Pick<SerializedError, 'message' | 'stack'>): string {
  return stack ?? message
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
