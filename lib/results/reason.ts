/** A need of a requirement that the target does not meet. */
export interface UnmetNeed {
  /** Name in the catalogue of the service. */
  name: string
  /** Variables that meet it, or that state that it is not met; empty for data. */
  variables: readonly string[]
  /** Sentence with the action of the operator; absent for a property of the server. */
  advice?: string
  /** Reason for the need; undefined if its variables are not set. */
  reason?: string
  /** Words that follow a number of cases that need it, such as `with one-time codes`. */
  cases?: string
}

/** Reason for a missing verdict on a requirement or on a case. `lib/reports/reasons.ts` formats it. */
export type Reason = {
  /** Id of the exchange with the cause, such as `e7`. */
  exchange?: string
  /** True if it concerns the control. */
  control?: true
} & (
  | { kind: 'needs'; needs: readonly UnmetNeed[] }
  /**
   * Text of a check. `missing`: another need is unmet. `changing data`: data changed during the check.
   * `unclear`: the cause may be the server or something else. `explained`: another requirement deviates and is
   * the cause.
   */
  | { kind: 'missing' | 'changing data' | 'unclear' | 'explained'; text: string }
  /** The control failed; without `text`, its response shows the cause. */
  | { kind: 'no control'; text?: string }
  /** A response does not allow a verdict, such as a server error. */
  | { kind: 'response'; text: string; exchange: string }
  /** No response is of the required kind, for example has this status code. */
  | { kind: 'not observed'; text?: string; status?: number; exchanges?: readonly string[] }
  /** A variable is probably wrong; without `text`, the response shows it. */
  | { kind: 'settings'; variables: readonly string[]; text?: string }
  /** A gateway may have sent the response, or its status code is invalid. */
  | { kind: 'gateway' | 'invalid status'; exchange: string; status: number }
  /** No readable response arrived; `detail` is the cause without the request. */
  | { kind: 'transport' | 'unreadable'; exchange: string; detail: string }
  /** Requests to the service, or to a method and path, stopped. `pausesMs`: the limit of the pauses that the server requested. */
  | {
      kind: 'stopped'
      exchange: string
      failures: number
      lastedMs?: number
      path?: string
      pausesMs?: number
    }
  | NoServiceReason
  | { kind: 'untestable'; why: string }
  | { kind: 'not selected' }
  /** The run ended early, by itself if `by` is absent; `before`: the check had not started. */
  | { kind: 'interrupted'; by?: 'operator' | 'internal error'; before?: true }
  | { kind: 'internal error'; text: string }
)

/** The service does not respond at its base URL; `because` is the reason of the first failed request. */
export interface NoServiceReason {
  kind: 'no service'
  baseUrl: string
  variable: string
  /** Found at the base URL; `certificate`: a server whose certificate is not accepted. */
  instead: 'nothing' | 'gateway' | 'unreadable' | 'certificate'
  because: Reason
}

export type ReasonOf<Kind extends Reason['kind']> = Extract<Reason, { kind: Kind }>

export function exchangeOf(reason: Reason): string | undefined {
  return reason.kind === 'no service' ? exchangeOf(reason.because) : reason.exchange
}
