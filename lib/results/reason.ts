/** Something that a requirement needs, and that the target does not have. */
export interface UnmetNeed {
  /** As the catalogue of the service has it. */
  name: string
  /** Those that meet it; none for data. */
  variables: readonly string[]
  /** What to do about it, a sentence; absent for what a server is or is not. */
  advice?: string
  /** Why nothing is judged without it; undefined if its variables are not set. */
  reason?: string
}

/** Id of an exchange of the run, such as `e7`. */
export type ExchangeId = string

/** What the configuration or the server lacks, by the needs of the catalogue. */
export interface NeedsReason {
  kind: 'needs'
  needs: readonly UnmetNeed[]
}

/**
 * A reason that is specific to one check.
 *
 * - `missing`: the check needs something that is not there, such as data of a certain size.
 * - `changing data`: the data of the server changed while it was read.
 * - `unclear`: the cause may be the server or something else.
 * - `note`: no reason, but a sentence that qualifies a pass or helps to read a failure.
 */
export interface TextReason {
  kind: 'missing' | 'changing data' | 'unclear' | 'note'
  text: string
  exchange?: ExchangeId
}

/** The request that must succeed did not, or what it needs is not there. */
export interface NoControlReason {
  kind: 'no control'
  /** Absent if the response in `exchange` says enough. */
  text?: string
  exchange?: ExchangeId
}

/** A response allows no verdict, such as a server error. */
export interface ResponseReason {
  kind: 'response'
  text: string
  exchange: ExchangeId
}

/** The requests were sent, and no response is of the kind that the requirement is about. */
export interface NotObservedReason {
  kind: 'not observed'
  text?: string
  /** The status that no response has, and the responses; `text` is absent then. */
  status?: number
  exchanges?: readonly ExchangeId[]
}

/** A value of the configuration is probably wrong. */
export interface SettingsReason {
  kind: 'settings'
  /** Absent if the response in `exchange` says enough. */
  text?: string
  /** Those to check. */
  variables: readonly string[]
  exchange?: ExchangeId
}

/** A gateway may have sent the response. */
export interface GatewayReason {
  kind: 'gateway'
  exchange: ExchangeId
  status: number
}

/** No response arrived, or none that can be read. */
export interface TransportReason {
  kind: 'transport' | 'unreadable'
  exchange: ExchangeId
  /** What failed, without the request. */
  detail: string
}

/** Nothing is sent to the service, or to one of its paths, any more. */
export interface StoppedReason {
  kind: 'stopped'
  /** Failures in a row, and the last of them. */
  failures: number
  exchange: ExchangeId
  /** How long they took together; undefined if they are those of one path. */
  lastedMs?: number
  /** Method and path; undefined for the whole service. */
  path?: string
}

/** Nothing that is the service answers at the base URL. */
export interface NoServiceReason {
  kind: 'no service'
  baseUrl: string
  variable: string
  /** What is there instead; with `certificate` the server, whose certificate is in the way. */
  instead: 'nothing' | 'gateway' | 'unreadable' | 'certificate'
  /** The first request that shows it. */
  because: Reason
}

/** Nothing that the document shows can be tested from outside. */
export interface UntestableReason {
  kind: 'untestable'
  why: string
}

export interface NotSelectedReason {
  kind: 'not selected'
}

export interface InterruptedReason {
  kind: 'interrupted'
  /** Who ended the run; undefined if it ended by itself. */
  by?: 'operator' | 'internal error'
  /** True if the requirement was not begun. */
  before?: true
}

/** Plumbline itself failed. */
export interface DefectReason {
  kind: 'defect'
  text: string
}

/** Why there is no verdict, or a part of a check was left out; `lib/reports/reason-text.ts` has the words. */
export type Reason = { /** True if the control is what it is about. */ control?: true } & (
  | NeedsReason
  | TextReason
  | NoControlReason
  | ResponseReason
  | NotObservedReason
  | SettingsReason
  | GatewayReason
  | TransportReason
  | StoppedReason
  | NoServiceReason
  | UntestableReason
  | NotSelectedReason
  | InterruptedReason
  | DefectReason
)

/** Returns the exchange that shows a reason, if one does. */
export function exchangeOf(reason: Reason): ExchangeId | undefined {
  if ('because' in reason) return exchangeOf(reason.because)
  return 'exchange' in reason ? reason.exchange : undefined
}
