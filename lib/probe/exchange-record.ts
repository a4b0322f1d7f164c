export interface HeaderField {
  name: string
  value: string
}

/** Location of a `$NAME` that replaces a secret in a request. */
export interface Placeholder {
  /** Part of the request; a number is the index of a header field. */
  in: 'url' | 'user' | 'body' | number
  /** Offset of the `$`, in UTF-16 code units. */
  at: number
  name: string
}

/** Redacted exchange in reports, with texts such as `Basic base64(maria:$MAIN_PASSWORD)`. */
export interface ExchangeRecord {
  /** Unique within the run: `e1`, `e2`, … in the order in which the requests were sent. */
  id: string
  service: string
  /** A requirement id, or the name of a fixture such as `token read-issue`. */
  purpose: string
  /** Name of the documented endpoint, such as `GET /user`; absent if undocumented. */
  endpoint?: string
  startedAt: string
  /** From the first byte sent to the last byte received, in milliseconds. */
  durationMs: number
  /** 1 for the first attempt; each retry is a separate exchange. */
  attempt: number
  /** Trace id of its `traceparent` (W3C Trace Context); absent if none was sent. */
  traceId?: string
  request: {
    method: string
    url: string
    /** Value of curl's `--connect-to`, if the connection is not to the host of the URL. */
    connectTo?: string
    headers: HeaderField[]
    /** `null` if there is none, or if the evidence has no bodies. */
    body: string | null
    bodyBytes?: number
    /** Username and password of basic authentication if they contain a secret; `headers` has base64(…). */
    user?: string
    secrets?: string[]
    /** Placeholders of the secrets. Any other `$NAME` is text of the server or the operator. */
    placeholders?: Placeholder[]
  }
  /** `null` if no response arrived; then `error` has the reason. */
  response: {
    status: number
    headers: HeaderField[]
    /** Decoded as UTF-8; `null` if there is none, or if the evidence has no bodies. */
    body: string | null
    /** Size after content decoding. */
    bodyBytes: number
    /** Size of the kept part before redaction; absent if the body is complete. */
    bodyKept?: number
  } | null
  error: string | null
  secrets?: string[]
}
