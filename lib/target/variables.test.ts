import { describe, expect, it } from 'vitest'
import { completeEnvironment, problemsOf, targetOf } from './complete-environment.fixture.ts'
import { type VariableName, variableGroups, variablePrefixes, variables } from './variables.ts'

const names = Object.keys(variables) as VariableName[]

const notBoolean = ['yes', '1', '0', 'on', 'truefalse']
const notCount = ['0', '-1', '1.5', '8.0', '1e3', '0x10', 'ten', '8 items', '99999999999999999999']
const notRepository = [
  'maria',
  '/private',
  'maria/',
  'maria/private/tree',
  'https://code.example.com/maria/private',
  '../private',
  'ma ria/private',
]
const notRequest = [
  'DELETE',
  'delete /api/v1/things',
  'DELETE api/v1/things',
  'DELETE https://elsewhere.example/things',
  'DELETE //elsewhere.example/things',
  'DELETE /\\elsewhere.example/things',
  'POST /api/v1/things {"name":}',
  "POST /api/v1/things {'name':'x'}",
  'POST /api/v1/things name=x',
  'PO,ST /api/v1/things',
]
const notUsername = ['maria:secret', 'maria\u0000', 'ma\nria', 'm'.repeat(1025)]
const notPassword = [
  'with a line break\n',
  'with\u0007bell',
  'with\u007fdelete',
  // In every text, and more than a request should carry.
  'abc',
  'p'.repeat(1025),
]

const notApiKey = ['two words', 'key\n', '\tkey', 'kéys', 'Bearer key', 'key', 'k'.repeat(4097)]
const notPathSegment = ['.', '..', 'evt\n1', 'evt\u0000', 'evt\u007f', 'evt\ud800']
const notJson = [
  '{',
  "{'a':1}",
  '{"a":1,}',
  'text',
  '{"a":1} {"b":2}',
  '{"a":"line\nbreak"}',
  'NaN',
]

const notBaseUrl = [
  'events.example.com',
  'ftp://events.example.com',
  '//events.example.com',
  'https://',
  'https:events.example.com',
  'https://events.example.com:port',
  'https://events example.com',
  'https://key@events.example.com',
  'https://maria:secret@events.example.com',
  'https://events.example.com/?page=1',
  'https://events.example.com?',
  'https://events.example.com/#top',
  'https://events.example.com/v1',
  'https://events.example.com/bus/V1//',
]

/** Texts that each variable must refuse while all others are valid. */
const refused: Record<VariableName, readonly string[]> = {
  CODE_HOSTING_BASE_URL: [
    'code.example.com',
    'ftp://code.example.com',
    '//code.example.com',
    'https://',
    'https:code.example.com',
    'https:///code.example.com',
    'https://code.example.com:port',
    'https://code example.com',
    'https://maria@code.example.com',
    'https://maria:secret@code.example.com',
    'https://@code.example.com',
    'https://code.example.com/?page=1',
    'https://code.example.com?',
    'https://code.example.com/#top',
    'https://code.example.com/api/v1',
    'https://code.example.com/forge/API/v1//',
  ],
  CODE_HOSTING_USERNAME: notUsername,
  CODE_HOSTING_PASSWORD: notPassword,
  CODE_HOSTING_TOKEN: notApiKey,
  CODE_HOSTING_OTHER_USERNAME: notUsername,
  CODE_HOSTING_OTHER_PASSWORD: notPassword,
  CODE_HOSTING_OTP_USERNAME: notUsername,
  CODE_HOSTING_OTP_PASSWORD: notPassword,
  CODE_HOSTING_OTP_SECRET: [
    'JBSW1',
    'JBSW0',
    'JB=SW',
    '====',
    'otpauth://totp/x',
    'JBSW-Y3DP',
    'A'.repeat(1025),
  ],
  CODE_HOSTING_ADMIN_USERNAME: notUsername,
  CODE_HOSTING_ADMIN_PASSWORD: notPassword,
  CODE_HOSTING_PUBLIC_REPOSITORY: notRepository,
  CODE_HOSTING_PRIVATE_REPOSITORY: notRepository,
  CODE_HOSTING_ARCHIVED_CHANGE: notRequest,
  CODE_HOSTING_CONFLICT: notRequest,
  CODE_HOSTING_NO_CONTENT: notRequest,
  CODE_HOSTING_MAX_RESPONSE_ITEMS: [...notCount, '1000001'],
  CODE_HOSTING_DEFAULT_PAGING_NUM: [...notCount, '1000001'],
  CODE_HOSTING_DEFAULT_GIT_TREES_PER_PAGE: [...notCount, '1000001'],
  CODE_HOSTING_DEFAULT_MAX_BLOB_SIZE: [...notCount, '9007199254740993'],
  CODE_HOSTING_DEFAULT_MAX_RESPONSE_SIZE: [...notCount, '9007199254740993'],
  CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME: notBoolean,
  CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN: notBoolean,
  CODE_HOSTING_GATEWAY_RATE_LIMITS: notBoolean,
  CODE_HOSTING_TOKEN_DELETE_PATH: [
    'api/v1/tokens/{name}',
    '/api/v1/tokens',
    '/api/v1/tokens/{id}/{name}',
    '//elsewhere.example/{name}',
    '/api/v1/tokens/{name} ok',
    '{name}/tokens',
  ],
  EVENT_PUBLISHING_BASE_URL: notBaseUrl,
  EVENT_PUBLISHING_API_KEY: notApiKey,
  EVENT_PUBLISHING_EVENT_TYPE: ['order\ncreated', 'order.created\u0000', 'order\u007f'],
  EVENT_PUBLISHING_EVENT_PAYLOAD: [...notJson, '[]', '[{}]', 'null', '1', '"{}"'],
  EVENT_PUBLISHING_EVENT_ID: notPathSegment,
  EVENT_PUBLISHING_EVENT_ID_POINTER: ['id', 'event/id', '#/id', '$.id', '/a~b', '/a~2', '/~'],
  EVENT_PUBLISHING_REPLAY_BODY: notJson,
  INCIDENT_STATUS_BASE_URL: notBaseUrl,
  INCIDENT_STATUS_API_KEY: notApiKey,
  INCIDENT_STATUS_INCIDENT_ID: notPathSegment,
  INCIDENT_STATUS_UPDATE_BODY: notJson,
  PROBE_READ_ONLY: notBoolean,
  PROBE_WORDING: ['lenient', 'Strict', 'strict,advisory'],
  PROBE_EVIDENCE: ['none', 'Full', 'headers,bodies'],
  PROBE_CONCURRENCY: [...notCount, '1001'],
  PROBE_TIMEOUT_MS: [...notCount, '3600001'],
  PROBE_RETRIES: ['11', '-1', '0.5', 'none'],
  PROBE_MAX_BODY_BYTES: [...notCount, '500000001'],
  PROBE_MAX_PAGES: [...notCount, '1000001'],
}

describe('the table of variables', () => {
  it.each(names)('%s has a meaning of one line and a prefix', (name) => {
    expect(variables[name].meaning).toMatch(/^\S.*\.$/)
    expect(variablePrefixes.filter((prefix) => name.startsWith(prefix))).toHaveLength(1)
  })

  it('has every variable in the group of its prefix', () => {
    const grouped = variableGroups.flatMap((group) =>
      Object.keys(group.variables).map((name) => {
        expect(name.startsWith(group.prefix)).toBe(true)
        return name
      }),
    )
    expect(grouped).toEqual(names)
  })

  it('speaks of existing variables only where it relates them', () => {
    const related = variableGroups.flatMap(({ baseUrl, needs, needsOneOf, distinct }) => [
      ...(baseUrl === undefined ? [] : [baseUrl]),
      ...Object.entries({ ...needs, ...needsOneOf }).flat(2),
      ...distinct.flatMap(({ variable, from }) => [variable, from]),
    ])
    expect(related.filter((name) => !names.includes(name as VariableName))).toEqual([])
  })

  it('keeps passwords, the token, API keys and the one-time code secret from sight, nothing else', () => {
    const secret = names.filter((name) => variables[name].secret)
    expect(secret).toEqual(
      names.filter((name) => /_(PASSWORD|HOSTING_TOKEN|API_KEY|OTP_SECRET)$/.test(name)),
    )
  })

  it.each(names.filter((name) => 'example' in variables[name]))(
    '%s has a valid example',
    (name) => {
      const row = variables[name]
      const example = 'example' in row ? row.example : ''
      expect(targetOf({ ...completeEnvironment, [name]: example }).codeHosting).toBeDefined()
    },
  )
})

describe('a text that a variable cannot have', () => {
  it.each(names.flatMap((name) => refused[name].map((text) => [name, text] as const)))(
    '%s refuses %j and tells it once',
    (name, text) => {
      const problems = problemsOf({ ...completeEnvironment, [name]: text })
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatchObject({ variable: name, source: 'process' })
    },
  )

  it('tells both mistakes of a base URL with credentials and a query', () => {
    const text = 'https://maria:secret@code.example.com/?a=b'
    const messages = problemsOf({ CODE_HOSTING_BASE_URL: text }).map(({ message }) => message)
    expect(messages).toEqual([
      expect.stringContaining('user name or password'),
      expect.stringContaining('query'),
    ])
  })

  it('says what is expected', () => {
    const messageOf = (name: VariableName, text: string) =>
      problemsOf({ ...completeEnvironment, [name]: text })[0]?.message
    expect(messageOf('PROBE_CONCURRENCY', '0')).toBe(
      'must be a whole number from 1 to 1000, in digits alone; unset, it is 8',
    )
    expect(messageOf('PROBE_WORDING', 'x')).toBe('must be strict or advisory; unset, it is strict')
    expect(messageOf('PROBE_READ_ONLY', 'x')).toBe('must be true or false; unset, it is false')
    expect(messageOf('CODE_HOSTING_BASE_URL', 'https://code.example.com/api/v1/')).toContain(
      'leave out /api/v1',
    )
    expect(messageOf('EVENT_PUBLISHING_BASE_URL', 'https://events.example.com/v1/')).toContain(
      'leave out /v1,',
    )
    expect(messageOf('INCIDENT_STATUS_BASE_URL', 'https://status.example.com/v1')).toContain(
      'leave out /v1,',
    )
    expect(messageOf('EVENT_PUBLISHING_EVENT_ID_POINTER', 'id')).toMatch(
      /JSON Pointer.*\/event\/id/,
    )
    expect(messageOf('EVENT_PUBLISHING_EVENT_PAYLOAD', '[]')).toContain('must be a JSON object')
    expect(messageOf('CODE_HOSTING_PUBLIC_REPOSITORY', 'x')).toMatch(/owner\/name.*maria\/public/)
  })
})

describe('the bounds of whole numbers', () => {
  it.each([
    ['PROBE_CONCURRENCY', 'concurrency', 1, 1000],
    ['PROBE_TIMEOUT_MS', 'timeoutMs', 1, 3_600_000],
    ['PROBE_RETRIES', 'retries', 0, 10],
    ['PROBE_MAX_BODY_BYTES', 'maxBodyBytes', 1, 500_000_000],
    ['PROBE_MAX_PAGES', 'maxPages', 1, 1_000_000],
  ] as const)('%s accepts its smallest and its largest value', (name, key, smallest, largest) => {
    expect(targetOf({ [name]: String(smallest) }).probe[key]).toBe(smallest)
    expect(targetOf({ [name]: String(largest) }).probe[key]).toBe(largest)
  })
})
