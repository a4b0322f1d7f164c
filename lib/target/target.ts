/** A user of a service, with the password for basic authentication. */
export interface Account {
  username: string
  password: string
}

/** A request that the operator wrote out, for a rule whose endpoint is not documented. */
export interface SuppliedRequest {
  /** HTTP method in upper case. */
  method: string
  /** Starts with one slash; relative to the base URL of the service. */
  path: string
  /** JSON text exactly as it was given, `null` for a request without a body. */
  body: string | null
}

/** What the operator of a code hosting service has configured on the server. */
export interface CodeHostingSettings {
  /** Most items that one page of a list holds. */
  maxResponseItems: number
  /** Items on a page when the request names no limit. */
  defaultPagingNum: number
  /** Entries on a page of the Git trees API, both the default and the maximum. */
  defaultGitTreesPerPage: number
  /** Bytes. */
  defaultMaxBlobSize: number
  /** Bytes. */
  defaultMaxResponseSize: number
  /** Whether `Authorization: token …` still authenticates. */
  allowLegacyTokenScheme: boolean
  /** Whether tokens in the query string are refused. */
  disableQueryAuthToken: boolean
}

/**
 * A code hosting service and what it offers to the checks. Whatever is optional and absent leaves
 * the checks that need it without a verdict.
 */
export interface CodeHostingTarget {
  /** Absolute `http` or `https` URL without credentials, query, fragment or trailing slash. */
  baseUrl: string
  /** Login name of the main account. It is never there alone: a password or a token is with it. */
  username?: string
  password?: string
  /** Token of the main account with the scope `all`; it may be there without a login name. */
  token?: string
  /** An account that cannot see the private repository. */
  other?: Account
  /** An account with two-factor authentication; the secret in base32, upper case, unpadded. */
  otp?: Account & { secret: string }
  /** A site administrator. */
  admin?: Account
  /** `owner/name` */
  publicRepository?: string
  /** `owner/name` */
  privateRepository?: string
  /** Changes an archived repository. */
  archivedChange?: SuppliedRequest
  /** Creates something that exists already. */
  conflict?: SuppliedRequest
  /** Succeeds with 204. */
  noContent?: SuppliedRequest
  settings: CodeHostingSettings
  /** Whether something in front of the service adds rate limit headers. */
  gatewayRateLimits: boolean
  /** Path with `{name}`, and possibly `{username}`, under which a created token is deleted. */
  tokenDeletePath?: string
}

/**
 * An event publishing service, what is published there, and what its document leaves open. Whatever
 * is optional and absent leaves the checks that need it without a verdict.
 */
export interface EventPublishingTarget {
  /** Absolute `http` or `https` URL without credentials, query, fragment or trailing slash. */
  baseUrl: string
  apiKey?: string
  eventType: string
  /** Whether the operator named the type, and so vouches for it. */
  eventTypeConfigured: boolean
  /** JSON text of an object as it was given. */
  eventPayload: string
  /** Of an event that is there, not percent-encoded; it goes before the pointer. */
  eventId?: string
  /** JSON Pointer into the body of the response to publishing. */
  eventIdPointer?: string
  /** JSON text as it was given. */
  replayBody?: string
}

/** An incident status service, with an incident that may be updated. */
export interface IncidentStatusTarget {
  /** Absolute `http` or `https` URL without credentials, query, fragment or trailing slash. */
  baseUrl: string
  apiKey?: string
  /** Not percent-encoded. */
  incidentId?: string
  /** JSON text as it was given. */
  updateBody?: string
}

/** How the probe behaves towards every service. */
export interface ProbeLimits {
  /** Nothing but GET is sent. */
  readOnly: boolean
  /** Whether an exact text that differs fails the run or only advises. */
  wording: 'strict' | 'advisory'
  /** Whether reports keep whole exchanges, or nothing of what bodies hold. */
  evidence: 'full' | 'headers'
  /** Most requests under way at once. */
  concurrency: number
  /** For one attempt, in milliseconds. */
  timeoutMs: number
  /** Attempts after the first one. */
  retries: number
  /** Most bytes of a response body that are read. */
  maxBodyBytes: number
  /** Most pages that are read to see the whole of a list. */
  maxPages: number
  /**
   * `http` and `https` are absolute URLs (`http`, `https`, `socks` or `socks5`), possibly with
   * credentials; `no` is the list of hosts that are reached directly, as it was given.
   */
  proxy: { http?: string; https?: string; no?: string }
}

/**
 * The deployment that a run probes: plain data that survives `structuredClone`. A service that is
 * not configured is absent; with none of them the caller decides what is probed.
 */
export interface Target {
  codeHosting?: CodeHostingTarget
  eventPublishing?: EventPublishingTarget
  incidentStatus?: IncidentStatusTarget
  probe: ProbeLimits
}
