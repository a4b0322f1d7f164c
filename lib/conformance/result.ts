import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Level } from './requirement.ts'

export const verdicts = ['pass', 'fail', 'inconclusive', 'skipped', 'waived', 'advisory'] as const

/**
 * `fail`: the deployment disagrees with its document. `inconclusive`: no verdict could be reached
 * (transport, gateway, moving data). `skipped`: something is missing, and the reason names it.
 * `waived`: a known deviation. `advisory`: a wording that differs while wordings only advise.
 */
export type Verdict = (typeof verdicts)[number]

/** The verdict on one requirement. All texts are redacted. */
export interface RequirementResult {
  requirement: string
  verdict: Verdict
  level: Level
  statement: string
  section: string
  /** Why the verdict is what it is; for a pass, what was left out of it, if anything. */
  reason?: string
  expected?: string
  actual?: string
  /** Ids of the exchanges that the verdict rests on; for a failure the first one shows it. */
  exchanges: string[]
  durationMs: number
}

/** What a deployment does where its document is silent. */
export interface Observation {
  id: string
  /** Any JSON value. */
  value: unknown
  exchanges: string[]
}

/** Something the run created and could not take away. */
export interface LeftBehind {
  kind: string
  name: string
  account: string
}

export type RunVerdict = 'conformant' | 'nonconformant' | 'inconclusive'

/** A whole run: what `report.json` holds, and all that any report is made from. */
export interface RunReport {
  schema: 1
  tool: { name: 'plumbline'; version: string }
  run: { id: string; startedAt: string; finishedAt: string; interrupted?: boolean }
  /** By service, in camel case: `codeHosting`, `eventPublishing`, `incidentStatus`. */
  target: Record<string, { baseUrl: string; embedded?: boolean }>
  verdict: RunVerdict
  /** One for each catalogue row of the probed services, in the order of the catalogues. */
  results: RequirementResult[]
  observations: Observation[]
  exchanges: ExchangeRecord[]
  leftBehind: LeftBehind[]
}
