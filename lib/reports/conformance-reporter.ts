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

function defectText({ name, message, stack, cause }: SerializedError): string {
  const text = stack || `${name ?? 'Error'}: ${message}`
  return cause === undefined ? text : `${text}\ncaused by ${defectText(cause as SerializedError)}`
}

/** Of Node.js, when the memory that a thread may use is used up; Vitest wraps it. */
function isOutOfMemory({ code, cause }: SerializedError): boolean {
  const wrapped = cause as SerializedError | undefined
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || (wrapped !== undefined && isOutOfMemory(wrapped))
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
  /** The thread of the suites has ended for want of memory, which explains all other defects. */
  outOfMemory = false
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
    this.outOfMemory = errors.some(isOutOfMemory)
    this.evidence.defects.push(...errors.map(defectText))
  }
}
