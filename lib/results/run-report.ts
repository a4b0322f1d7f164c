import type { Settings } from '../environment/environment.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Reason } from './reason.ts'

/** `wording` is for exact texts, which the documents allow to change between releases. */
export type Level = 'contract' | 'wording'

/** The part of a response that contradicts an expectation; a JSON pointer (RFC 6901) may lead to a missing member. */
export type InspectedPart = { status: true } | { header: string } | { pointer: string }

export const verdicts = ['pass', 'fail', 'inconclusive', 'skipped', 'waived', 'advisory'] as const

/**
 * `inconclusive`: no verdict could be reached (transport, gateway, moving data). `skipped`: something is
 * missing. `waived`: a known deviation. `advisory`: a wording that differs while wordings only advise.
 */
export type Verdict = (typeof verdicts)[number]

/** A deviation that somebody knows of and answers for. */
export interface Waiver {
  requirement: string
  reason: string
  owner: string
  /** The last day, in UTC: `2027-01-31`. */
  expires: string
  /** Patterns of the accepted deviations, see `deviationText`; undefined accepts all of the requirement. */
  actual?: string | string[]
  /** An HTTP or HTTPS URL. */
  link?: string
}

/** One way in which the target contradicts a requirement. All texts are redacted. */
export interface Deviation {
  /** Endpoint or path, and status, of the exchange, such as `GET /api/v1/user/repos 403`. */
  subject?: string
  expected: string
  actual: string
  /** Id of the exchange that shows it. */
  exchange?: string
  reads?: InspectedPart
  /** True if a waiver covers it, but not every deviation of its requirement. */
  waived?: true
}

/** Returns the request and the status of an exchange, such as `GET /api/v1/user/repos 403`. */
function subjectOf({ request, response }: ExchangeRecord): string | undefined {
  if (response === null || !URL.canParse(request.url)) return undefined
  return `${request.method} ${new URL(request.url).pathname} ${response.status}`
}

/**
 * Returns the deviations of a result that deviates; reports of older versions have only the first one.
 *
 * @param exchanges those of the report; they give a deviation its subject if it has none
 */
export function deviationsOf(
  result: Pick<
    RequirementResult,
    'verdict' | 'reason' | 'expected' | 'actual' | 'reads' | 'exchanges' | 'deviations'
  >,
  exchanges: readonly ExchangeRecord[] = [],
): Deviation[] {
  const { verdict, reason, expected = '', actual = reason ?? '', reads } = result
  if (!['fail', 'waived', 'advisory'].includes(verdict)) return []
  const [exchange] = result.exchanges
  const only: Deviation = {
    expected,
    actual,
    ...(exchange && { exchange }),
    ...(reads && { reads }),
  }
  return (result.deviations ?? [only]).map((deviation) => {
    const shown = exchanges.find(({ id }) => id === deviation.exchange)
    const subject = deviation.subject ?? (shown && subjectOf(shown))
    return { ...(subject && { subject }), ...deviation }
  })
}

/** Returns the text of a deviation, as reports show it and waivers match it. */
export function deviationText({ subject, actual }: Pick<Deviation, 'subject' | 'actual'>): string {
  return subject === undefined ? actual : `${subject}: ${actual}`
}

/** A part of a check that was left out. All texts are redacted. */
export interface LeftOutPart {
  /** What it is, in words, if the reason does not say it. */
  part?: string
  unjudged: Reason
}

/** A part of the evidence for a verdict that could not be collected. All texts are redacted. */
export interface UncheckedPart extends Partial<LeftOutPart> {
  /** Id of the requirement whose check did not run to its end; absent for a part of the same check. */
  check?: string
  /** The words for the rest. */
  reason: string
}

/** The verdict on one requirement. All texts are redacted. */
export interface RequirementResult {
  requirement: string
  verdict: Verdict
  level: Level
  statement: string
  section: string
  /** Why the verdict is what it is; for a pass, what was left out of it, if anything. The words for the rest. */
  reason?: string
  expected?: string
  actual?: string
  /** Of a failure: what was read of the exchange that shows it. */
  reads?: InspectedPart
  /** Of a failure: the sample that shows it, which the next run tries first. */
  sample?: string
  /** Distinct deviations of a failure; the first one is also in `expected`, `actual` and `reads`. */
  deviations?: Deviation[]
  /** Number of further distinct deviations. */
  furtherDeviations?: number
  /** Parts that the check left out; nothing is concluded from a pass with such parts. */
  partial?: UncheckedPart[]
  /** Ids of the exchanges that the verdict rests on; for a failure the first one shows it. */
  exchanges: string[]
  durationMs: number
  /** The waiver of a waived result, or one that does not cover all deviations of a failure. */
  waiver?: Omit<Waiver, 'requirement'>
  /** Why there is no verdict. */
  unjudged?: Reason
}

/**
 * `exceeded`: the requirement has a deviation that the waiver does not cover. `unneeded`: it passes.
 * `aside`: nobody asked for it, or its service was not probed.
 */
export type WaiverState =
  | 'used'
  | 'exceeded'
  | 'expired'
  | 'unneeded'
  | 'unknown'
  | 'unjudged'
  | 'aside'

export interface ReviewedWaiver extends Waiver {
  state: WaiverState
  /** What to do, in a sentence. */
  message: string
}

/** `new`: the baseline does not have it. `missing`: it was not observed, which is no change. */
export type ObservationState = 'unchanged' | 'changed' | 'new' | 'missing'

/** Without what differs from run to run. */
export interface ObservationDiff {
  id: string
  state: ObservationState
  /** What the baseline has. */
  before?: unknown
  after?: unknown
  exchanges: string[]
}

export interface BaselineReview {
  /** Whether a change fails the run. */
  pinned: boolean
  observations: ObservationDiff[]
}

/** What a deployment does where its document is silent. */
export interface Observation {
  id: string
  /** What is observed, a sentence; absent in reports of versions that did not tell. */
  description?: string
  value: unknown
  exchanges: string[]
}

/** Something the run created and could not take away. */
export interface LeakedResource {
  kind: string
  name: string
  account: string
  /** Variable that says how it is deleted. */
  deletedBy?: string
  /** It was asked for, and no answer of the service said whether it was made. */
  mayExist?: true
}

export type RunVerdict = 'conformant' | 'nonconformant' | 'inconclusive'

/** How much of what can be judged a run judged. */
export interface Coverage {
  /** Requirements that passed, failed, were waived or advisory. */
  judged: number
  /** All of the probed services but those that nobody can test from outside. */
  judgeable: number
  /** Whether that is so little that a run without a failure is not called conformant. */
  thin: boolean
  /** How many the run had to judge at least. */
  required?: number
}

/** A whole run: what `report.json` holds, and all that any report is made from. */
export interface RunReport {
  schema: 1
  tool: { name: 'plumbline'; version: string }
  run: {
    id: string
    startedAt: string
    finishedAt: string
    interrupted?: boolean
    /** Of the samples that it drew; 0 without samples. Absent in reports of versions that drew none. */
    seed?: number
    /** Of the command line, for a run that judges a requirement again; absent as with `settings`. */
    options?: string[]
  }
  /** By service, its name in camel case. */
  target: Record<string, { baseUrl: string; embedded?: boolean }>
  /** By service, as ids spell it: the title of its document, and the operator's copy of it. */
  documents?: Record<string, { title: string; url?: string }>
  /** What the run went by, by variable name; absent in reports of versions that did not tell. */
  settings?: Settings
  verdict: RunVerdict
  /** Number of waived requirements; undefined if there are none. */
  knownDeviations?: number
  /** Absent in reports of versions that did not tell. */
  coverage?: Coverage
  /** One for each catalogue row of the probed services, in the order of the catalogues. */
  results: RequirementResult[]
  observations: Observation[]
  exchanges: ExchangeRecord[]
  leftBehind: LeakedResource[]
  waivers?: ReviewedWaiver[]
  baseline?: BaselineReview
}
