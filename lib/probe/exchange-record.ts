/** The name in its original case, the value redacted. */
export interface HeaderField {
  name: string
  value: string
}

/** The place of a `$NAME` that stands for a secret in a request. */
export interface Placeholder {
  /** A number is the index of a header field, of whose value it is a part. */
  in: 'url' | 'user' | 'body' | number
  /** Offset of the `$`, in UTF-16 code units. */
  at: number
  name: string
}

/** As reports keep it, redacted: `$MAIN_PASSWORD`, and `Basic base64(maria:$MAIN_PASSWORD)`. */
export interface ExchangeRecord {
  /** Unique within the run: `e1`, `e2`, … in the order in which the requests were sent. */
  id: string
  service: string
  /** What it was made for: a requirement id, or the name of a fixture such as `token read-issue`. */
  purpose: string
  /** Name of the documented endpoint, such as `GET /user`; absent for anything undocumented. */
  endpoint?: string
  /** ISO 8601, UTC. */
  startedAt: string
  /** From the first byte sent to the last byte received, in milliseconds. */
  durationMs: number
  /** 1 for the first attempt; a retry is an exchange of its own. */
  attempt: number
  request: {
    method: string
    url: string
    headers: HeaderField[]
    /** `null` when there is none, or when bodies are left out of the evidence. */
    body: string | null
    bodyBytes?: number
    /** User and password of basic authentication, if they hold a secret; `headers` has them as base64(…). */
    user?: string
    /** Names of the secrets that were sent. */
    secrets?: string[]
    /** The `$NAME` that stand for them. Any other `$NAME` is text of the server or the operator. */
    placeholders?: Placeholder[]
  }
  /** `null` when no response arrived; `error` then says why. */
  response: {
    status: number
    headers: HeaderField[]
    /** Decoded as UTF-8; `null` when the response had none, or when bodies are left out. */
    body: string | null
    /** After content decoding. */
    bodyBytes: number
    /** How many of them `body` has, before secrets are taken out; absent when it has all of them. */
    bodyKept?: number
  } | null
  error: string | null
  /** Names of the secrets that the response told, such as that of a new token. */
  secrets?: string[]
}
