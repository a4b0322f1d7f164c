import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { services, variables } from '../cli/services.ts'
import { completeEnvironment, problemsOf, targetOf } from './complete-environment.fixture.ts'
import type { VariableGroup } from './variable.ts'

const example = readFileSync(new URL('../../config/staging.env.example', import.meta.url), 'utf8')

const names = variables.map(({ name }) => name)

const booleans = { takes: [], refuses: ['yes', '1', '0', 'on', 'truefalse'] }
const wholeNumbers = (maximum: number) => ({
  takes: [
    ['1', 1],
    [String(maximum), maximum],
  ] as const,
  refuses: [
    ...['0', '-1', '1.5', '8.0', '1e3', '0x10', 'ten', '8 items', '99999999999999999999'],
    String(BigInt(maximum) + 2n),
  ],
  message: `must be a whole number from 1 to ${maximum}, in digits alone`,
})
const repositories = {
  takes: [],
  refuses: [
    'maria',
    '/private',
    'maria/',
    'maria/private/tree',
    'https://code.example.com/maria/private',
    '../private',
    'ma ria/private',
  ],
  message: 'must be owner/name',
}
const requests = {
  takes: [
    ['DELETE /things', { method: 'DELETE', path: '/things', body: null }],
    ['PURGE-ALL  /things   [1, 2]', { method: 'PURGE-ALL', path: '/things', body: '[1, 2]' }],
    ['PUT / null', { method: 'PUT', path: '/', body: 'null' }],
    [
      'POST /a?b=c {\n"d": "e f"\n}\n',
      { method: 'POST', path: '/a?b=c', body: '{\n"d": "e f"\n}' },
    ],
  ] as const,
  refuses: [
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
  ],
  message: 'must be METHOD /path {json}',
}
const usernames = {
  takes: [],
  refuses: ['maria:secret', 'maria\u0000', 'ma\nria', 'm'.repeat(1025)],
  message: 'must be a login name',
}
const passwords = {
  takes: [[' p w ', ' p w ']] as const,
  refuses: [
    'with a line break\n',
    'with\u0007bell',
    'with\u007fdelete',
    // In every text, and more than a request should carry.
    'abc',
    'p'.repeat(1025),
  ],
  message: 'look for a line break at its end',
}
const keys = {
  takes: [
    ['key1', 'key1'],
    ['a:b=c/d+e~"{}', 'a:b=c/d+e~"{}'],
  ] as const,
  refuses: [...['two words', 'key\n', '\tkey', 'kéys', 'Bearer key', 'key', 'k'.repeat(4097)]],
  message: 'alone, 4 to 4096 characters of printable ASCII',
}
const pathSegments = {
  takes: ['evt_1', '7', 'a b', 'a/b', 'a%2Fb', '...', 'é'].map((text) => [text, text] as const),
  refuses: ['.', '..', 'evt\n1', 'evt\u0000', 'evt\u007f', 'evt\ud800'],
  message: 'must be an id exactly as the service gave it',
}
const json = {
  takes: ['{"a" :  1}', '[]', 'null', '"text"', '12345678901234567890', '{"a":1,"a":2}'].map(
    (text) => [`${text}\n`, text] as const,
  ),
  refuses: ['{', "{'a':1}", '{"a":1,}', 'text', '{"a":1} {"b":2}', '{"a":"line\nbreak"}', 'NaN'],
  message: 'must be valid JSON',
}
const baseUrls = (path: string) => ({
  takes: [
    ['https://host.example.com///', 'https://host.example.com'],
    ['HTTPS://Host.Example.com:443/Forge//', 'https://host.example.com/Forge'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
    [`https://host.example.com${path}0`, `https://host.example.com${path}0`],
    [`https://host.example.com${path}/forge`, `https://host.example.com${path}/forge`],
    ['  https://host.example.com\n', 'https://host.example.com'],
  ] as const,
  refuses: [
    'host.example.com',
    'ftp://host.example.com',
    '//host.example.com',
    'https://',
    'https:host.example.com',
    'https:///host.example.com',
    'https://host.example.com:port',
    'https://host example.com',
    'https://maria@host.example.com',
    'https://maria:secret@host.example.com',
    'https://@host.example.com',
    'https://host.example.com/?page=1',
    'https://host.example.com?',
    'https://host.example.com/#top',
    `https://host.example.com${path}`,
    `https://host.example.com/forge${path.toUpperCase()}//`,
  ],
})

interface Texts {
  /** Texts with the value that they stand for. */
  takes: readonly (readonly [text: string, value: unknown])[]
  refuses: readonly string[]
  message?: string
}

/** What each variable takes, and what it refuses while all others are valid. */
const texts: Record<keyof typeof completeEnvironment, Texts> = {
  CODE_HOSTING_BASE_URL: baseUrls('/api/v1'),
  CODE_HOSTING_USERNAME: usernames,
  CODE_HOSTING_PASSWORD: passwords,
  CODE_HOSTING_TOKEN: keys,
  CODE_HOSTING_OTHER_USERNAME: usernames,
  CODE_HOSTING_OTHER_PASSWORD: passwords,
  CODE_HOSTING_OTP_USERNAME: usernames,
  CODE_HOSTING_OTP_PASSWORD: passwords,
  CODE_HOSTING_OTP_SECRET: {
    takes: [
      'JBSWY3DPEHPK3PXP',
      'jbsw y3dp ehpk 3pxp',
      'JBSWY3DPEHPK3PXP====',
      'JBSW Y3DP EHPK 3PXP ==\n',
    ].map((text) => [text, 'JBSWY3DPEHPK3PXP'] as const),
    refuses: [
      ...['JBSW1', 'JBSW0', 'JB=SW', '====', 'otpauth://totp/x', 'JBSW-Y3DP', 'A'.repeat(1025)],
    ],
    message: 'must be a secret in base32',
  },
  CODE_HOSTING_ADMIN_USERNAME: usernames,
  CODE_HOSTING_ADMIN_PASSWORD: passwords,
  CODE_HOSTING_PUBLIC_REPOSITORY: repositories,
  CODE_HOSTING_PRIVATE_REPOSITORY: repositories,
  CODE_HOSTING_ARCHIVED_CHANGE: requests,
  CODE_HOSTING_CONFLICT: requests,
  CODE_HOSTING_NO_CONTENT: requests,
  CODE_HOSTING_MAX_RESPONSE_ITEMS: wholeNumbers(1_000_000),
  CODE_HOSTING_DEFAULT_PAGING_NUM: wholeNumbers(1_000_000),
  CODE_HOSTING_DEFAULT_GIT_TREES_PER_PAGE: wholeNumbers(1_000_000),
  CODE_HOSTING_DEFAULT_MAX_BLOB_SIZE: wholeNumbers(Number.MAX_SAFE_INTEGER),
  CODE_HOSTING_DEFAULT_MAX_RESPONSE_SIZE: wholeNumbers(Number.MAX_SAFE_INTEGER),
  CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME: booleans,
  CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN: booleans,
  CODE_HOSTING_GATEWAY_RATE_LIMITS: booleans,
  CODE_HOSTING_TOKEN_DELETE_PATH: {
    takes: [],
    refuses: [
      'api/v1/tokens/{name}',
      '/api/v1/tokens',
      '/api/v1/tokens/{id}/{name}',
      '//elsewhere.example/{name}',
      '/api/v1/tokens/{name} ok',
      '{name}/tokens',
    ],
    message: 'must be a path that starts with one slash and has {name}',
  },
  EVENT_PUBLISHING_BASE_URL: baseUrls('/v1'),
  EVENT_PUBLISHING_API_KEY: keys,
  EVENT_PUBLISHING_EVENT_TYPE: {
    takes: ['order.created', 'Order Created', 'création', 'x'].map(
      (text) => [` ${text} `, text] as const,
    ),
    refuses: ['order\ncreated', 'order.created\u0000', 'order\u007f'],
    message: 'must be the type of an event',
  },
  EVENT_PUBLISHING_EVENT_PAYLOAD: {
    takes: ['{}', '{\n"a": {"b": [1, null, "ü"]}\n}', '{"__proto__":{"a":1e400},"b":1.0}'].map(
      (text) => [` ${text}\n`, text] as const,
    ),
    refuses: [...json.refuses, '[]', '[{}]', 'null', '1', '"{}"'],
    message: 'must be a JSON object',
  },
  EVENT_PUBLISHING_EVENT_ID: pathSegments,
  EVENT_PUBLISHING_EVENT_ID_POINTER: {
    takes: ['/id', '/', '/event/id', '/events/0/id', '/a~1b/m~0n', '/a b', '//'].map(
      (text) => [text, text] as const,
    ),
    refuses: ['id', 'event/id', '#/id', '$.id', '/a~b', '/a~2', '/~'],
    message: 'must be a JSON Pointer',
  },
  EVENT_PUBLISHING_REPLAY_BODY: json,
  INCIDENT_STATUS_BASE_URL: baseUrls('/v1'),
  INCIDENT_STATUS_API_KEY: keys,
  INCIDENT_STATUS_INCIDENT_ID: pathSegments,
  INCIDENT_STATUS_UPDATE_BODY: json,
  PROBE_READ_ONLY: booleans,
  PROBE_WORDING: {
    takes: [],
    refuses: ['lenient', 'Strict', 'strict,advisory'],
    message: 'must be strict or advisory; unset, it is strict',
  },
  PROBE_EVIDENCE: { takes: [], refuses: ['none', 'Full', 'headers,bodies'] },
  PROBE_CONCURRENCY: wholeNumbers(1000),
  PROBE_TIMEOUT_MS: wholeNumbers(3_600_000),
  PROBE_RETRIES: {
    takes: [
      ['0', 0],
      ['10', 10],
    ],
    refuses: ['11', '-1', '0.5', 'none'],
  },
  PROBE_MAX_BODY_BYTES: wholeNumbers(500_000_000),
  PROBE_MAX_PAGES: wholeNumbers(1_000_000),
}

/** All values in a target, and the objects that hold them. */
function valuesIn(part: unknown): unknown[] {
  if (typeof part !== 'object' || part === null) return [part]
  return [part, ...Object.values(part).flatMap(valuesIn)]
}

const messagesOf = (environment: NodeJS.ProcessEnv) =>
  problemsOf(environment).map(({ message }) => message)

describe('a variable', () => {
  it.each(Object.entries(texts).flatMap(([name, { takes }]) => takes.map((row) => [name, ...row])))(
    '%s takes %j for %j',
    (name, text, value) => {
      const target = targetOf({ ...completeEnvironment, [String(name)]: String(text) })
      expect(valuesIn(target)).toContainEqual(value)
    },
  )

  it.each(
    Object.entries(texts).flatMap(([name, { refuses, message = 'must ' }]) =>
      refuses.map((text) => [name, text, message] as const),
    ),
  )('%s refuses %j, and tells it once', (name, text, message) => {
    const environment = { ...completeEnvironment, [name]: text }
    expect(problemsOf(environment)).toEqual([
      { variable: name, message: expect.stringContaining(message), source: 'process' },
    ])
  })

  it.each([
    [
      'CODE_HOSTING_BASE_URL',
      'https://maria:secret@code.example.com/?a=b',
      [expect.stringContaining('user name or password'), expect.stringContaining('query')],
    ],
    [
      'CODE_HOSTING_BASE_URL',
      'https://code.example.com/api/v1/',
      [
        'must not end in the prefix of the API: leave out /api/v1, requests add it; for example https://code.example.com',
      ],
    ],
    [
      'EVENT_PUBLISHING_BASE_URL',
      'https://events.example.com/v1/',
      [
        'must not end in the version of the API: leave out /v1, requests add it; for example https://events.example.com',
      ],
    ],
    [
      'EVENT_PUBLISHING_EVENT_ID_POINTER',
      'id',
      [expect.stringMatching(/JSON Pointer.*; for example \/event\/id$/)],
    ],
    [
      'PROBE_CONCURRENCY',
      '0',
      ['must be a whole number from 1 to 1000, in digits alone; unset, it is 8'],
    ],
    ['PROBE_READ_ONLY', 'x', ['must be true or false; unset, it is false']],
  ])('%s with %j says what is expected', (name, text, messages) => {
    expect(messagesOf({ ...completeEnvironment, [name]: text })).toEqual(messages)
  })

  it.each(variables)('$name has a meaning of one line, and a valid example if any', (variable) => {
    const { name, meaning, example } = variable
    expect(meaning).toMatch(/^\S.*\.$/)
    if (example !== undefined) targetOf({ ...completeEnvironment, [name]: example })
  })

  it('is secret where it is a password, the token, an API key or the one-time code secret', () => {
    const secret = variables.filter((variable) => variable.secret).map(({ name }) => name)
    expect(secret).toEqual(
      names.filter((name) => /_(PASSWORD|HOSTING_TOKEN|API_KEY|OTP_SECRET)$/.test(name)),
    )
  })
})

describe.each(Object.entries(services))('the variables of %s', (key, service) => {
  const group: VariableGroup = service.variables

  it('have its prefix and its key', () => {
    expect(group.key).toBe(key)
    const own = names.filter((name) => name.startsWith(group.prefix))
    expect(own[0]).toBe(`${group.prefix}BASE_URL`)
    expect(group.prefix).toBe(`${service.catalogue.service.toUpperCase().replaceAll('-', '_')}_`)
  })

  it('are those that its relations name', () => {
    const { together = {}, oneOf = {}, distinct = [], whetherSet = {} } = group
    const related = [
      ...Object.entries({ ...together, ...oneOf }).flat(2),
      ...distinct.flatMap(({ variable, from }) => [variable, from]),
      ...Object.values(whetherSet),
    ]
    for (const name of related) expect(names).toContain(name)
  })
})

describe('what users read about variables', () => {
  it('names no variable in the example file that does not exist', () => {
    const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)

    expect(named.length).toBeGreaterThan(10)
    for (const name of named) expect(names).toContain(name)
  })
})
