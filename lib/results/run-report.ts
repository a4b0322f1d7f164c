import type { Settings } from '../environment/environment.ts'
import type { ExchangeRecord } from '../probe/exchange.ts'
import type { Reason } from './reason.ts'

/** `wording` marks exact texts, which may change between releases of a server. */
export type Level = 'contract' | 'wording'

/**
 * Meaning of a deviation for an operator, the most urgent first: who may do what (`access`), the resources and
 * lists that clients get (`data`), header fields and texts (`format`).
 */
export const impacts = ['access', 'data', 'format'] as const

export type Impact = (typeof impacts)[number]

/** Part of a response that contradicts an expectation. A JSON pointer (RFC 6901) may point to a missing member. */
export type InspectedPart = { status: true } | { header: string } | { pointer: string }

export const verdicts = ['pass', 'fail', 'inconclusive', 'skipped', 'waived', 'advisory'] as const

/**
 * `inconclusive`: the cause may be transport, a gateway or changing data. `skipped`: a need is unmet.
 * `waived`: a known deviation. `advisory`: a different wording that does not fail the run.
 */
export type Verdict = (typeof verdicts)[number]

/** A known deviation. */
export interface Waiver {
  requirement: string
  reason: string
  owner?: string
  /** Last day in UTC, such as `2027-01-31`; without it, the waiver does not expire. */
  expires?: string
  /** Globs of the ids of the cases that it covers; without them, it covers every case. */
  cases?: string[]
  link?: string
}

/** A contradiction of a requirement by the target. */
export interface Deviation<Case = number> {
  /** Request and status code, such as `GET /api/v1/user/repos 403`. */
  subject?: string
  expected: string
  actual: string
  /** `actual` without the values of its exchange, equal in all cases; absent if it is the same. */
  problem?: string
  exchange?: string
  /** Cases with this deviation, the simplest first, as indexes of `RunReport.cases` or as ids. */
  cases?: Case[]
  reads?: InspectedPart
  /** Place in the document that requires what is expected, if that can be disputed. */
  because?: string
}

export function deviationText({ subject, actual }: Pick<Deviation, 'subject' | 'actual'>): string {
  return subject === undefined ? actual : `${subject}: ${actual}`
}

/** Returns the text of a deviation that does not depend on which of its cases is the first. */
export const problemText = (one: Pick<Deviation, 'subject' | 'actual' | 'problem'>) =>
  deviationText({ ...one, actual: one.problem ?? one.actual })

/** Cases that could not be judged for the same reason. All texts are redacted. */
export interface MissingCases {
  /** Indexes of `RunReport.cases`. */
  cases: number[]
  noVerdict: Reason
  /** Formatted text of `noVerdict`. */
  reason: string
}

/** The cases of a requirement, as indexes of `RunReport.cases`. Each planned case is in exactly one list. */
export interface JudgedCases {
  conforming: number[]
  deviating: number[]
  missing: MissingCases[]
}

export interface RequirementResult {
  requirement: string
  verdict: Verdict
  level: Level
  impact?: Impact
  statement: string
  section: string
  /** Formatted reason for the verdict; for a pass, the cases that were not judged. */
  reason?: string
  expected?: string
  actual?: string
  /** Contradicting part of the first exchange of a failure. */
  reads?: InspectedPart
  /** Distinct deviations of a failure; the first one is also in `expected`, `actual` and `reads`. */
  deviations?: Deviation[]
  furtherDeviations?: number
  /** Cases that the verdict is based on; absent if the check did not start. */
  cases?: JudgedCases
  /** Sentences that qualify a pass or a failure. */
  notes?: string[]
  /** Ids of the exchanges that support the verdict; the first exchange of a failure contradicts the requirement. */
  exchanges: string[]
  durationMs: number
  /** First run of the history since which the requirement fails; absent without a history. */
  failingSince?: { run: string; startedAt: string }
  /** Waiver of the result; a failure has further cases that it does not cover. */
  waiver?: Omit<Waiver, 'requirement'>
  noVerdict?: Reason
}

/**
 * `exceeded`: the requirement deviates in a case that no waiver covers. `unused`: all cases of the waiver were judged
 * and conform. `notApplicable`: the requirement was not selected, or
 * its service was not probed.
 */
export type WaiverState =
  | 'used'
  | 'exceeded'
  | 'expired'
  | 'unused'
  | 'unknown'
  | 'noVerdict'
  | 'notApplicable'

export interface ReviewedWaiver extends Waiver {
  state: WaiverState
  /** Sentence that says what to do. */
  message: string
}

/** Behavior of the target that its document does not define. */
export interface Observation {
  id: string
  value: unknown
  exchanges: string[]
}

/** A resource that the run created and could not delete. */
export interface LeakedResource {
  kind: string
  name: string
  account: string
  /** Variable with the request that deletes it. */
  deletedBy?: string
  /** True if no response confirmed whether it was created. */
  unconfirmed?: true
}

/** A file with resources that an earlier run created and did not delete. */
export interface OpenLedger {
  file: string
  resources: number
}

export type RunVerdict = 'conformant' | 'nonconformant' | 'inconclusive'

export interface Coverage {
  /** Number of requirements that passed, failed, were waived or advisory. */
  judged: number
  testable: number
  /** True if the coverage is too low for a run without failures to be conformant. */
  belowThreshold: boolean
  required?: number
}

/** Content of `report.json`, the source of all other reports. */
export interface RunReport {
  schema: 4
  tool: { name: 'plumbline'; version: string }
  run: {
    id: string
    startedAt: string
    finishedAt: string
    interrupted?: boolean
    /** Version that `--as-of` names, and the later requirements, whose failures are advisory. */
    asOf?: { version: string; later: string[] }
    /** Number of requests, with retries. */
    requests: number
    retries: number
    options: string[]
    /** How Plumbline was started, such as `npx -- plumbline`. */
    program: string
    /** Folder of the reports and the ledger, relative to the working directory. */
    reports?: string
    /** Files of `--waivers`, relative to the working directory. */
    waiversFiles?: string[]
  }
  /** Address by service name in camel case; `connectedTo` is set if `PROBE_CONNECT_TO` concerns it. */
  target: Record<string, { baseUrl: string; embedded?: boolean; connectedTo?: string }>
  /** Title of the API document, and URL of the operator's copy, by service name in kebab case. */
  documents: Record<string, { title: string; url?: string }>
  settings: Settings
  verdict: RunVerdict
  /** Number of waived requirements; undefined if there are none. */
  knownDeviations?: number
  coverage: Coverage
  /** Ids of all cases, each made of the names of levels. */
  cases: string[]
  /** Texts of the cases of deviating requirements, by id. */
  caseTexts?: Record<string, string>
  /** Result of each requirement of the probed services, in catalogue order. */
  results: RequirementResult[]
  observations: (Observation & { description: string })[]
  /** All exchanges of a run; in `report.json` the referred ones, see `withReferredExchanges`. */
  exchanges: ExchangeRecord[]
  leakedResources: LeakedResource[]
  /** Ledgers of earlier runs in the folder of the reports; absent if there are none. */
  openLedgers?: OpenLedger[]
  waivers?: ReviewedWaiver[]
}

/** Returns the ids of cases. @param numbers their indexes in the report */
export const caseIds = ({ cases }: Pick<RunReport, 'cases'>, numbers: readonly number[] = []) =>
  numbers.flatMap((number) => cases[number] ?? [])
