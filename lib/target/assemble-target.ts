import {
  normalizeBase32,
  normalizeBaseUrl,
  normalizeProxyUrl,
  parseSuppliedRequest,
} from './formats.ts'
import type {
  Account,
  CodeHostingTarget,
  EventPublishingTarget,
  IncidentStatusTarget,
  ProbeLimits,
  SuppliedRequest,
  Target,
} from './target.ts'
import type { EnvironmentValues, VariableName } from './variables.ts'

/**
 * The target that valid values describe; `proxy` has the valid texts by scheme. The values do not
 * tell a default from the same text that was set, `isSet` does.
 */
export function assembleTarget(
  values: EnvironmentValues,
  proxy: ProbeLimits['proxy'],
  isSet: (name: VariableName) => boolean,
): Target {
  return withoutAbsent({
    codeHosting: codeHostingOf(values),
    eventPublishing: eventPublishingOf(values, isSet('EVENT_PUBLISHING_EVENT_TYPE')),
    incidentStatus: incidentStatusOf(values),
    probe: {
      readOnly: values.PROBE_READ_ONLY,
      wording: values.PROBE_WORDING,
      evidence: values.PROBE_EVIDENCE,
      concurrency: values.PROBE_CONCURRENCY,
      timeoutMs: values.PROBE_TIMEOUT_MS,
      retries: values.PROBE_RETRIES,
      maxBodyBytes: values.PROBE_MAX_BODY_BYTES,
      maxPages: values.PROBE_MAX_PAGES,
      proxy: withoutAbsent({
        http: proxy.http && normalizeProxyUrl(proxy.http),
        https: proxy.https && normalizeProxyUrl(proxy.https),
        no: proxy.no,
      }),
    },
  })
}

function codeHostingOf(values: EnvironmentValues): CodeHostingTarget | undefined {
  if (values.CODE_HOSTING_BASE_URL === undefined) return undefined
  const otp = accountOf(values.CODE_HOSTING_OTP_USERNAME, values.CODE_HOSTING_OTP_PASSWORD)
  const secret = values.CODE_HOSTING_OTP_SECRET
  return withoutAbsent({
    baseUrl: normalizeBaseUrl(values.CODE_HOSTING_BASE_URL),
    username: values.CODE_HOSTING_USERNAME,
    password: values.CODE_HOSTING_PASSWORD,
    token: values.CODE_HOSTING_TOKEN,
    other: accountOf(values.CODE_HOSTING_OTHER_USERNAME, values.CODE_HOSTING_OTHER_PASSWORD),
    otp: otp && secret !== undefined ? { ...otp, secret: normalizeBase32(secret) } : undefined,
    admin: accountOf(values.CODE_HOSTING_ADMIN_USERNAME, values.CODE_HOSTING_ADMIN_PASSWORD),
    publicRepository: values.CODE_HOSTING_PUBLIC_REPOSITORY,
    privateRepository: values.CODE_HOSTING_PRIVATE_REPOSITORY,
    archivedChange: suppliedRequestOf(values.CODE_HOSTING_ARCHIVED_CHANGE),
    conflict: suppliedRequestOf(values.CODE_HOSTING_CONFLICT),
    noContent: suppliedRequestOf(values.CODE_HOSTING_NO_CONTENT),
    settings: {
      maxResponseItems: values.CODE_HOSTING_MAX_RESPONSE_ITEMS,
      defaultPagingNum: values.CODE_HOSTING_DEFAULT_PAGING_NUM,
      defaultGitTreesPerPage: values.CODE_HOSTING_DEFAULT_GIT_TREES_PER_PAGE,
      defaultMaxBlobSize: values.CODE_HOSTING_DEFAULT_MAX_BLOB_SIZE,
      defaultMaxResponseSize: values.CODE_HOSTING_DEFAULT_MAX_RESPONSE_SIZE,
      allowLegacyTokenScheme: values.CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME,
      disableQueryAuthToken: values.CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN,
    },
    gatewayRateLimits: values.CODE_HOSTING_GATEWAY_RATE_LIMITS,
    tokenDeletePath: values.CODE_HOSTING_TOKEN_DELETE_PATH,
  })
}

function eventPublishingOf(
  values: EnvironmentValues,
  eventTypeConfigured: boolean,
): EventPublishingTarget | undefined {
  if (values.EVENT_PUBLISHING_BASE_URL === undefined) return undefined
  return withoutAbsent({
    baseUrl: normalizeBaseUrl(values.EVENT_PUBLISHING_BASE_URL),
    apiKey: values.EVENT_PUBLISHING_API_KEY,
    eventType: values.EVENT_PUBLISHING_EVENT_TYPE,
    eventTypeConfigured,
    eventPayload: values.EVENT_PUBLISHING_EVENT_PAYLOAD,
    eventId: values.EVENT_PUBLISHING_EVENT_ID,
    eventIdPointer: values.EVENT_PUBLISHING_EVENT_ID_POINTER,
    replayBody: values.EVENT_PUBLISHING_REPLAY_BODY,
  })
}

function incidentStatusOf(values: EnvironmentValues): IncidentStatusTarget | undefined {
  if (values.INCIDENT_STATUS_BASE_URL === undefined) return undefined
  return withoutAbsent({
    baseUrl: normalizeBaseUrl(values.INCIDENT_STATUS_BASE_URL),
    apiKey: values.INCIDENT_STATUS_API_KEY,
    incidentId: values.INCIDENT_STATUS_INCIDENT_ID,
    updateBody: values.INCIDENT_STATUS_UPDATE_BODY,
  })
}

function accountOf(username?: string, password?: string): Account | undefined {
  return username === undefined || password === undefined ? undefined : { username, password }
}

function suppliedRequestOf(text?: string): SuppliedRequest | undefined {
  return text === undefined ? undefined : parseSuppliedRequest(text)
}

// A key that is there with the value `undefined` would show in a deep comparison and be lost in
// JSON: the same target must look the same on either side of a process boundary.
function withoutAbsent<Shape extends object>(shape: Shape): Shape {
  return Object.fromEntries(
    Object.entries(shape).filter(([, value]) => value !== undefined),
  ) as Shape
}
