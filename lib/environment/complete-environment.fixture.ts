import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadTarget } from '../cli/services.ts'
import { clientFiles } from './certificates.fixture.ts'
import type { Problem } from './errors.ts'
import type { Target } from './target.ts'

/** A valid text for every variable that differs from its default. */
export const completeEnvironment = {
  CODE_HOSTING_BASE_URL: 'https://code.example.com/forge/',
  CODE_HOSTING_USERNAME: 'maria',
  CODE_HOSTING_PASSWORD: 'main: pass#word',
  CODE_HOSTING_TOKEN: '0123456789abcdef',
  CODE_HOSTING_OTHER_USERNAME: 'olga',
  CODE_HOSTING_OTHER_PASSWORD: 'other password',
  CODE_HOSTING_OTP_USERNAME: 'otto',
  CODE_HOSTING_OTP_PASSWORD: 'two-factor password',
  CODE_HOSTING_OTP_SECRET: 'jbsw y3dp ehpk 3pxp',
  CODE_HOSTING_ADMIN_USERNAME: 'ada',
  CODE_HOSTING_ADMIN_PASSWORD: 'admin password',
  CODE_HOSTING_PUBLIC_REPOSITORY: 'maria/public',
  CODE_HOSTING_PRIVATE_REPOSITORY: 'maria/private',
  CODE_HOSTING_ARCHIVED_CHANGE: 'PATCH /api/v1/repos/maria/old {"description": "new"}',
  CODE_HOSTING_CONFLICT: 'POST /api/v1/user/repos {"name":"public"}',
  CODE_HOSTING_NO_CONTENT: 'DELETE /api/v1/things?all=1',
  CODE_HOSTING_READ_ACTIVITYPUB: 'GET /api/v1/activitypub/user-id/1',
  CODE_HOSTING_READ_ISSUE: 'GET /api/v1/repos/maria/public/issues',
  CODE_HOSTING_READ_NOTIFICATION: 'GET /api/v1/notifications',
  CODE_HOSTING_READ_ORGANIZATION: 'GET /api/v1/orgs/harbor',
  CODE_HOSTING_READ_PACKAGE: 'GET /api/v1/packages/maria',
  CODE_HOSTING_READ_REPOSITORY: 'GET /api/v1/repos/maria/public/hooks',
  CODE_HOSTING_READ_ADMIN: 'GET /api/v1/admin/cron',
  CODE_HOSTING_TOKEN_LIST: 'GET /api/v1/users/maria/tokens',
  CODE_HOSTING_LARGE_TREE: 'GET /api/v1/repos/maria/public/git/trees/HEAD',
  CODE_HOSTING_LARGE_BLOB: 'GET /api/v1/repos/maria/public/git/blobs/1f2e',
  CODE_HOSTING_LARGE_FILES: 'GET /api/v1/repos/maria/public/files?name=a&name=b',
  CODE_HOSTING_RELEASE: 'GET /api/v1/version',
  CODE_HOSTING_MAX_RESPONSE_ITEMS: '50',
  CODE_HOSTING_DEFAULT_PAGING_NUM: '30',
  CODE_HOSTING_DEFAULT_GIT_TREES_PER_PAGE: '500',
  CODE_HOSTING_DEFAULT_MAX_BLOB_SIZE: '2048',
  CODE_HOSTING_DEFAULT_MAX_RESPONSE_SIZE: '4096',
  CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME: 'FALSE',
  CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN: 'True',
  CODE_HOSTING_GATEWAY_RATE_LIMITS: 'true',
  CODE_HOSTING_PRODUCTION: 'false',
  CODE_HOSTING_TOKEN_DELETE_PATH: '/api/v1/users/{username}/tokens/{name}',
  CODE_HOSTING_DOCUMENT_URL: 'https://wiki.example.com/code.md',
  EVENT_PUBLISHING_BASE_URL: 'https://events.example.com/bus/',
  EVENT_PUBLISHING_API_KEY: 'events:key=1',
  EVENT_PUBLISHING_EVENT_TYPE: 'order.created',
  EVENT_PUBLISHING_EVENT_PAYLOAD: '{"order": {"lines": [1, null]}}',
  EVENT_PUBLISHING_EVENT_ID: 'evt/1',
  EVENT_PUBLISHING_EVENT_ID_POINTER: '/event/id',
  EVENT_PUBLISHING_REPLAY_BODY: '{"reason": "probe"}',
  EVENT_PUBLISHING_DOCUMENT_URL: 'https://wiki.example.com/events.md',
  INCIDENT_STATUS_BASE_URL: 'https://status.example.com/page/',
  INCIDENT_STATUS_API_KEY: 'incidents:key=1',
  INCIDENT_STATUS_INCIDENT_ID: 'inc/1',
  INCIDENT_STATUS_UPDATE_BODY: '{"message": "test"}',
  INCIDENT_STATUS_DOCUMENT_URL: 'https://wiki.example.com/status.md',
  PROBE_READ_ONLY: 'true',
  PROBE_WORDING: 'advisory',
  PROBE_EVIDENCE: 'headers',
  PROBE_CONCURRENCY: '4',
  PROBE_REQUESTS_PER_SECOND: '100',
  PROBE_CONNECT_TO: '::[2001:db8::7]:8443',
  PROBE_TIMEOUT_MS: '500',
  PROBE_RETRIES: '0',
  PROBE_MAX_BODY_BYTES: '1024',
  PROBE_MAX_PAGES: '7',
  PROBE_HEADERS: '{"X-Gateway": "gate: way/1"}',
  PROBE_USER_AGENT: 'Mozilla/5.0 (compatible)',
  PROBE_TRACE: 'true',
  PROBE_TRACE_URL: 'https://traces.example.com/trace/{traceId}',
  ...clientFiles,
} as const satisfies Record<string, string>

/** A directory without `.env`. */
export const emptyDirectory = join(tmpdir(), 'plumbline-no-such-directory')

/** Returns the target of an environment without a file. @throws Error for any problem */
export function targetOf(environment: NodeJS.ProcessEnv): Target {
  const loaded = loadTarget({ environment, directory: emptyDirectory })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return loaded.target
}

/** Returns the problems of an environment without a file. @throws Error if there are none */
export function problemsOf(environment: NodeJS.ProcessEnv): Problem[] {
  const loaded = loadTarget({ environment, directory: emptyDirectory })
  if ('target' in loaded) throw new Error('there are no problems')
  return loaded.problems
}
