import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadTarget, variables } from '../cli/services.ts'
import { clientFiles } from './certificates.fixture.ts'
import type { Target } from './probe-variables.ts'
import type { Problem } from './variable.ts'

/** Valid texts that differ from the defaults, of variables without an example, and of those that belong together. */
const texts: Readonly<Record<string, string>> = {
  CODE_HOSTING_BASE_URL: 'https://code.example.com/forge/',
  CODE_HOSTING_PASSWORD: 'main: pass#word',
  CODE_HOSTING_TOKEN: '0123456789abcdef',
  CODE_HOSTING_OTHER_USERNAME: 'olga',
  CODE_HOSTING_OTHER_PASSWORD: 'other password',
  CODE_HOSTING_OTP_USERNAME: 'otto',
  CODE_HOSTING_OTP_PASSWORD: 'two-factor password',
  CODE_HOSTING_OTP_SECRET: 'jbsw y3dp ehpk 3pxp',
  CODE_HOSTING_ADMIN_USERNAME: 'ada',
  CODE_HOSTING_ADMIN_PASSWORD: 'admin password',
  CODE_HOSTING_MAX_RESPONSE_ITEMS: '50',
  CODE_HOSTING_DEFAULT_PAGING_NUM: '30',
  CODE_HOSTING_DEFAULT_GIT_TREES_PER_PAGE: '500',
  CODE_HOSTING_DEFAULT_MAX_BLOB_SIZE: '2048',
  CODE_HOSTING_DEFAULT_MAX_RESPONSE_SIZE: '4096',
  CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME: 'FALSE',
  CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN: 'True',
  CODE_HOSTING_GATEWAY_RATE_LIMITS: 'true',
  CODE_HOSTING_PRODUCTION: 'false',
  EVENT_PUBLISHING_API_KEY: 'events:key=1',
  INCIDENT_STATUS_API_KEY: 'incidents:key=1',
  PROBE_READ_ONLY: 'true',
  PROBE_WORDING: 'advisory',
  PROBE_EVIDENCE: 'headers',
  PROBE_CONCURRENCY: '4',
  PROBE_CONNECT_TO: '::[2001:db8::7]:8443',
  PROBE_TIMEOUT_MS: '500',
  PROBE_RETRIES: '0',
  PROBE_MAX_BODY_BYTES: '1024',
  PROBE_MAX_PAGES: '7',
  PROBE_HEADERS: '{"X-Gateway": "gate: way/1"}',
  PROBE_TRACE: 'true',
  ...clientFiles,
}

const prefixes = new Set(Object.keys(texts).map((name) => name.split('_', 1)[0]))

/** A valid text for every variable of these services that differs from its default. */
export const completeEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  variables
    .filter(({ name }) => prefixes.has(name.split('_', 1)[0]))
    .map(({ name, example = '' }) => [name, texts[name] ?? example]),
)

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
