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

/** Why there is no verdict, or a part of a check was left out. `lib/reports/reason-text.ts` has the words. */
export type Reason = {
  /** Id of the exchange that shows it, such as `e7`. */
  exchange?: string
  /** True if the control is what it is about. */
  control?: true
} & (
  | { kind: 'needs'; needs: readonly UnmetNeed[] }
  /**
   * Sentences of one check. `missing`: it needs something else that is not there. `changing data`: the data
   * changed while they were read. `unclear`: the cause may be the server or something else. `note`: no
   * reason, but what qualifies a pass or helps to read a failure.
   */
  | { kind: 'missing' | 'changing data' | 'unclear' | 'note'; text: string }
  /** The request that must succeed did not; without `text`, its response says enough. */
  | { kind: 'no control'; text?: string }
  /** A response allows no verdict, such as a server error. */
  | { kind: 'response'; text: string; exchange: string }
  /** No response is of the kind that the requirement is about, such as one with this status. */
  | { kind: 'not observed'; text?: string; status?: number; exchanges?: readonly string[] }
  /** One of these variables is probably wrong; without `text`, the response says enough. */
  | { kind: 'settings'; variables: readonly string[]; text?: string }
  /** A gateway may have sent the response, or its status is not one of HTTP. */
  | { kind: 'gateway' | 'invalid status'; exchange: string; status: number }
  /** No response arrived, or none that can be read; `detail` is what failed, without the request. */
  | { kind: 'transport' | 'unreadable'; exchange: string; detail: string }
  /** After so many failures in a row nothing is sent any more: to the service, or to a method and path. */
  | { kind: 'stopped'; exchange: string; failures: number; lastedMs?: number; path?: string }
  | NoServiceReason
  /** Nothing that the document shows can be tested from outside. */
  | { kind: 'untestable'; why: string }
  | { kind: 'not selected' }
  /** The run ended, by itself unless `by` says otherwise; `before`: the check had not begun. */
  | { kind: 'interrupted'; by?: 'operator' | 'internal error'; before?: true }
  /** Plumbline itself failed. */
  | { kind: 'defect'; text: string }
)

/** What answers at the base URL is not the service; `because` is the first request that shows it. */
export interface NoServiceReason {
  kind: 'no service'
  baseUrl: string
  variable: string
  /** What is there instead; with `certificate` the server, whose certificate is in the way. */
  instead: 'nothing' | 'gateway' | 'unreadable' | 'certificate'
  because: Reason
}

/** A reason of one kind. */
export type ReasonOf<Kind extends Reason['kind']> = Extract<Reason, { kind: Kind }>

/** Returns the exchange that shows a reason, if one does. */
export function exchangeOf(reason: Reason): string | undefined {
  return reason.kind === 'no service' ? exchangeOf(reason.because) : reason.exchange
}
