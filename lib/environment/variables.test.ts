import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { services, variables } from '../cli/services.ts'
import { completeEnvironment, problemsOf, targetOf } from './complete-environment.fixture.ts'
import type { VariableGroup } from './variable.ts'

const example = readFileSync(new URL('../../config/staging.env.example', import.meta.url), 'utf8')

const names = variables.map(({ name }) => name)
const prefixes = new Set(Object.keys(completeEnvironment).map((name) => /^[A-Z]+/.exec(name)?.[0]))
/** Variables of other services are tested in their folders, unless their kind is tested here. */
const tested = names.filter((name) => prefixes.has(/^[A-Z]+/.exec(name)?.[0]))

const reservedFields = [
  ...['Authorization', 'SUDO', 'x-events-key', 'X-Service-OTP', 'X-Api-Key', 'Idempotency-Key'],
  ...['Content-Length', 'transfer-encoding', 'Host', 'Connection', 'Proxy-Authorization', 'Expect'],
  ...['User-Agent', 'Accept', 'Content-Type', 'TE', 'Upgrade', 'Trailer', 'Keep-Alive', 'Origin'],
]

interface Texts {
  /** Variables of this kind. */
  names: RegExp
  /** Valid texts and their values. */
  takes?: readonly (readonly [text: string, value: unknown])[]
  /** Invalid texts. */
  refuses: readonly string[]
  /** Expected message for invalid texts. */
  message: string
}

const same = (...texts: string[]) => texts.map((text) => [text, text] as const)

const wholeNumbers = (names: RegExp, minimum: number, maximum: number): Texts => ({
  names,
  takes: [
    [String(minimum), minimum],
    [String(maximum), maximum],
  ],
  refuses: ['-1', '1.5', '1e3', '0x10', '8 items', String(BigInt(maximum) + 2n)],
  message: `must be a whole number from ${minimum} to ${maximum}, in digits only`,
})
const baseUrls = (names: RegExp, path: string): Texts => ({
  names,
  takes: [
    ['HTTPS://Host.Example.com:443/Forge//', 'https://host.example.com/Forge'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
    ['  https://host.example.com\n', 'https://host.example.com'],
  ],
  refuses: [
    'host.example.com',
    'https://host example.com',
    'https://maria:secret@host.example.com',
    'https://host.example.com?',
    'https://host.example.com/#top',
    `https://host.example.com/forge${path.toUpperCase()}//`,
  ],
  message: 'must ',
})

const kinds: readonly Texts[] = [
  baseUrls(/HOSTING_BASE_URL$/, '/api/v1'),
  baseUrls(/(PUBLISHING|STATUS)_BASE_URL$/, '/v1'),
  {
    names: /_DOCUMENT_URL$/,
    takes: [['https://Wiki.example.com/a?page=1', 'https://wiki.example.com/a?page=1']],
    refuses: [
      'a.md',
      'ftp://host.example.com/',
      'https://m:s@host.example.com/',
      'https://host/a#b',
    ],
    message: 'must ',
  },
  {
    names: /_USERNAME$/,
    refuses: ['maria:secret', 'ma\nria', 'm'.repeat(1025)],
    message: 'must be a username',
  },
  {
    names: /_PASSWORD$/,
    takes: same(' p w '),
    // The last two are too short and too long.
    refuses: ['with a line break\n', 'with\u007fdelete', 'abc', 'p'.repeat(1025)],
    message: 'check for a line break at its end',
  },
  {
    names: /(HOSTING_TOKEN|_API_KEY)$/,
    takes: same('key1', 'a:b=c/d+e~"{}'),
    refuses: ['two words', 'key\n', 'kéys', 'Bearer key', 'key', 'k'.repeat(4097)],
    message: 'only, 4 to 4096 characters of printable ASCII',
  },
  {
    names: /OTP_SECRET$/,
    takes: [['jbsw y3dp ehpk 3pxp ==\n', 'JBSWY3DPEHPK3PXP']],
    refuses: ['JBSW1', 'JB=SW', 'otpauth://totp/x', 'A'.repeat(1025)],
    message: 'must be a secret in base32',
  },
  {
    names: /(PUBLIC|PRIVATE)_REPOSITORY$/,
    refuses: ['maria', 'maria/', 'maria/private/tree', '../private', 'ma ria/private'],
    message: 'must be owner/name',
  },
  {
    names: /(ARCHIVED_CHANGE|CONFLICT|NO_CONTENT)$/,
    takes: [
      ['PURGE-ALL  /things   [1, 2]', { method: 'PURGE-ALL', path: '/things', body: '[1, 2]' }],
      ['PUT / null', { method: 'PUT', path: '/', body: 'null' }],
    ],
    refuses: [
      'delete /api/v1/things',
      'DELETE https://elsewhere.example/things',
      'DELETE //elsewhere.example/things',
      'DELETE /\\elsewhere.example/things',
      'PO,ST /api/v1/things',
    ],
    message: 'must be METHOD /path {json}',
  },
  {
    names: /HOSTING_(READ|LARGE)_|TOKEN_LIST$|HOSTING_RELEASE$/,
    takes: [['GET  /things?a=%7B1', { method: 'GET', path: '/things?a=%7B1', body: null }]],
    refuses: ['POST /things', 'HEAD /things', '/things', 'GET //elsewhere.example/', 'GET / {}'],
    message: 'must be GET /path',
  },
  wholeNumbers(/(MAX_RESPONSE_ITEMS|PAGING_NUM|TREES_PER_PAGE|MAX_PAGES)$/, 1, 1_000_000),
  wholeNumbers(/(BLOB_SIZE|MAX_RESPONSE_SIZE)$/, 1, Number.MAX_SAFE_INTEGER),
  wholeNumbers(/PROBE_CONCURRENCY$/, 1, 1000),
  wholeNumbers(/PROBE_REQUESTS_PER_SECOND$/, 1, 10_000),
  wholeNumbers(/PROBE_TIMEOUT_MS$/, 1, 3_600_000),
  wholeNumbers(/PROBE_RETRIES$/, 0, 10),
  wholeNumbers(/PROBE_MAX_BODY_BYTES$/, 1, 500_000_000),
  {
    names: /(TOKEN_SCHEME|QUERY_AUTH_TOKEN|RATE_LIMITS|PRODUCTION|READ_ONLY)$/,
    refuses: ['yes', '1', 'truefalse'],
    message: 'must be true or false',
  },
  {
    names: /TOKEN_DELETE_PATH$/,
    refuses: ['api/v1/tokens/{name}', '/api/v1/tokens', '//elsewhere.example/{name}'],
    message: 'must be a path that starts with one slash and has {name}',
  },
  {
    names: /EVENT_TYPE$/,
    takes: [[' Création 1 ', 'Création 1']],
    refuses: ['order\ncreated', 'order\u007f'],
    message: 'must be the type of an event',
  },
  {
    names: /EVENT_PAYLOAD$/,
    takes: [[' {"__proto__":{"a":1e400},"b":1.0}\n', '{"__proto__":{"a":1e400},"b":1.0}']],
    refuses: ['{', '[]', 'null', '"{}"'],
    message: 'must be a JSON object',
  },
  {
    names: /(PUBLISHING_EVENT_ID|INCIDENT_ID)$/,
    takes: same('a/b', 'a%2Fb', '...', 'é'),
    refuses: ['.', '..', 'evt\n1', 'evt\u007f', 'evt\ud800'],
    message: 'must be an id exactly as the service returned it',
  },
  {
    names: /POINTER$/,
    takes: same('/', '/events/0/id', '/a~1b/m~0n', '//'),
    refuses: ['event/id', '#/id', '$.id', '/a~2', '/~'],
    message: 'must be a JSON Pointer',
  },
  {
    names: /_BODY$/,
    takes: [['{"a":1,"a":2}\n', '{"a":1,"a":2}']],
    refuses: ['{', "{'a':1}", '{"a":1} {"b":2}', 'NaN'],
    message: 'must be valid JSON',
  },
  {
    names: /PROBE_WORDING$/,
    refuses: ['lenient', 'Strict'],
    message: 'must be strict or advisory; unset, it is strict',
  },
  {
    names: /PROBE_CONNECT_TO$/,
    takes: same(
      'CODE.example.com:443:10.0.0.7:8443',
      ':443:[::1]:80',
      'code.example.com::node-1.internal:',
      ':::8443',
    ),
    refuses: [
      'code.example.com:443',
      'code.example.com:443::',
      'code.example.com:443:10.0.0.7:65536',
      'code.example.com:0:10.0.0.7:443',
      'code.example.com:443:2001:db8::7:443',
      'code.example.com:443:10.0.0.999:443',
      'code.example.com:443:https://10.0.0.7:443',
      'code.example.com:443:m:s@10.0.0.7:443',
      'code.example.com:443:10.0.0.7:443\nx',
    ],
    message: 'for example git.example.com:443:10.0.0.7:443',
  },
  { names: /PROBE_EVIDENCE$/, refuses: ['none'], message: 'must be full or headers' },
  {
    names: /PROBE_HEADERS$/,
    takes: [
      [' {"X-A":"1","__proto__":"~ \\t!"}\n', { 'X-A': '1', ['__proto__']: '~ \t!' }],
      ['{}', {}],
    ],
    refuses: [
      ...['X-Key: secret', '{', '[]', 'null', '"X-Key"', '{"X-Key":1}', '{"X-Key":["a"]}'],
      ...['', 'X Key', 'X-Kéy', 'X-Key:', 'X\\r\\nKey'].map((name) => `{"${name}":"secret"}`),
      ...['', ' a', 'a\\t', 'é', 'a\\r\\nX-B: b', 'a\\u0000b', 'a'.repeat(4097)].map(
        (value) => `{"X-Key":"${value}"}`,
      ),
      '{"X-Key":"one","x_key":"two"}',
      ...reservedFields.map((field) => JSON.stringify({ [field]: 'secret-value' })),
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    ],
    message: '; for example {"X-Gateway-Key":"abcd1234"}',
  },
  {
    names: /PROBE_TLS_(CA|CERT|KEY)$/,
    refuses: ['-----BEGIN CERTIFICATE-----', '/no-such-directory/a.pem', '/', '/dev/zero', 'a\nb'],
    message: '; for example /etc/plumbline/',
  },
  {
    names: /PROBE_TLS_KEY_PASSPHRASE$/,
    refuses: ['with a line break\n', 'abc', 'another passphrase', 'p'.repeat(1025)],
    message: '',
  },
]

const cases = tested.flatMap((name) =>
  kinds.filter((kind) => kind.names.test(name)).map((kind) => ({ name, ...kind })),
)

/** Returns all values in a target, including objects. */
function valuesIn(part: unknown): unknown[] {
  if (typeof part !== 'object' || part === null) return [part]
  return [part, ...Object.values(part).flatMap(valuesIn)]
}

describe('a variable', () => {
  it('has exactly one kind', () => {
    expect(cases.map(({ name }) => name)).toEqual(tested)
  })

  it.each(cases)('$name accepts texts of its kind', ({ name, takes = [] }) => {
    for (const [text, value] of takes) {
      expect(valuesIn(targetOf({ ...completeEnvironment, [name]: text })), text).toContainEqual(
        value,
      )
    }
  })

  it.each(cases)('$name rejects other texts with one problem', ({ name, refuses, message }) => {
    for (const text of refuses) {
      expect(problemsOf({ ...completeEnvironment, [name]: text }), text).toEqual([
        { variable: name, message: expect.stringContaining(message), source: 'process' },
      ])
    }
  })

  it.each(variables)('$name has a meaning of one line, and any example is valid', (variable) => {
    const { meaning, example, format } = variable
    expect(meaning).toMatch(/^\S.*\.$/)
    if (example === undefined) return
    for (const [isValid, instruction] of format.rules)
      expect(isValid(example), instruction).toBe(true)
  })

  it('is secret if it is a password, the token, an API key, the one-time code secret or sent to a gateway', () => {
    const secret = variables.filter((variable) => variable.secret).map(({ name }) => name)
    expect(secret).toEqual(
      expect.arrayContaining(
        names.filter((name) =>
          /_(PASSWORD|HOSTING_TOKEN|API_KEY|SECRET|PASSPHRASE|HEADERS)$/.test(name),
        ),
      ),
    )
  })
})

it.each(Object.entries(services))(
  'the variables of %s have its prefix and its key',
  (key, service) => {
    const group: VariableGroup = service.variables
    const { oneOf = {}, distinct = [], whetherSet = {} } = group
    expect(group.key).toBe(key)
    expect(group.prefix).toBe(`${service.catalogue.service.toUpperCase().replaceAll('-', '_')}_`)
    const own = names.filter((name) => name.startsWith(group.prefix))
    expect(own[0]).toBe(`${group.prefix}BASE_URL`)
    const related = [
      ...Object.entries(oneOf).flat(2),
      ...distinct.flatMap(({ variable, from }) => [variable, from]),
      ...Object.values(whetherSet),
    ]
    for (const name of related) expect(own).toContain(name)
  },
)

describe('the example file', () => {
  it('contains only known variables', () => {
    const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)

    expect(named.length).toBeGreaterThan(10)
    for (const name of named) expect(names).toContain(name)
  })
})
