import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'
import type { Judgement } from '../conformance/judgement.ts'
import type { LeftBehind, Observation } from '../conformance/result.ts'
import type { RowReport } from '../conformance/row-report.ts'
import { redactedReads } from '../conformance/scope.ts'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import type { Redactor } from '../probe/redaction.ts'

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

  constructor(onJudgement: (judgement: Judgement) => void = () => {}) {
    this.#onJudgement = onJudgement
  }

  onTestCaseResult(testCase: TestCase): void {
    const report: RowReport | undefined = testCase.meta().plumbline
    const { state, errors } = testCase.result()
    const { judgements, observations, exchanges, defects } = this.evidence
    // One that fails with a judgement fails because of it.
    if (state === 'failed' && report?.judgement === undefined) {
      defects.push(...errors.map((error) => defectText(error as SerializedError)))
    }
    exchanges.push(...(report?.exchanges ?? []))
    if (report?.defect !== undefined) defects.push(report.defect)
    if (report?.observation !== undefined) observations.push(report.observation)
    if (report?.judgement === undefined) return
    judgements.push(report.judgement)
    this.#onJudgement(report.judgement)
  }

  onTestModuleEnd(module: TestModule): void {
    const { exchanges = [], leftBehind = [] } = module.meta().plumbline ?? {}
    this.evidence.exchanges.push(...exchanges)
    this.evidence.leftBehind.push(...leftBehind)
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const errors = [...modules.flatMap((module) => module.errors()), ...unhandledErrors]
    this.outOfMemory = errors.some(isOutOfMemory)
    this.evidence.defects.push(...errors.map(defectText))
  }
}

/**
 * What a run has told, redacted once more. Requests are under way at the same time, so that an answer
 * may show a token before the answer that tells it.
 */
export function redactEvidence(evidence: RunEvidence, redactor: Redactor): RunEvidence {
  const redacted = (text: string | null) => (text === null ? null : redactor.redact(text))
  const redactedCut = (text: string | null) => (text === null ? null : redactor.redactCut(text))
  const own = (text: string | undefined) =>
    text === undefined ? undefined : redactor.redactOwnWords(text)
  const fields = (headers: readonly HeaderField[]) =>
    headers.map(({ name, value }) => ({
      name: redactor.redact(name),
      value: redactor.redact(value),
    }))
  // A secret that goes on from one field to the next is known in pieces from then on.
  for (const { response } of evidence.exchanges) {
    redactor.redactFields((response?.headers ?? []).map(({ name, value }) => [name, value]))
  }
  return {
    ...evidence,
    judgements: evidence.judgements.map((judgement) => ({
      ...judgement,
      reason: own(judgement.reason),
      expected: own(judgement.expected),
      actual: own(judgement.actual),
      reads: redactedReads(judgement.reads, redactor),
    })),
    observations: evidence.observations.map((observation) => ({
      ...observation,
      value: redactor.redactJson(observation.value),
    })),
    exchanges: evidence.exchanges.map(({ request, response, error, ...rest }) => ({
      ...rest,
      request: {
        ...request,
        url: redactor.redactUrl(request.url),
        headers: fields(request.headers),
        body: redacted(request.body),
      },
      response: response && {
        ...response,
        headers: fields(response.headers),
        body: (response.bodyKept === undefined ? redacted : redactedCut)(response.body),
      },
      error: redacted(error),
    })),
  }
}
