import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { variables } from '../cli/services.ts'
import { completeEnvironment, problemsOf, targetOf } from './complete-environment.fixture.ts'

const example = readFileSync(new URL('../../config/staging.env.example', import.meta.url), 'utf8')

const names = variables.map(({ name }) => name)
const prefixes = new Set(Object.keys(completeEnvironment).map((name) => /^[A-Z]+/.exec(name)?.[0]))
/** Variables of other services are tested in their folders, unless their kind is tested here. */
const tested = names.filter((name) => prefixes.has(/^[A-Z]+/.exec(name)?.[0]))

const reservedFields = [
  ...['Authorization', 'SUDO', 'x-events-key', 'X-Service-OTP', 'X-Api-Key', 'Idempotency-Key'],
  ...['Content-Length', 'transfer-encoding', 'Host', 'Connection', 'Proxy-Authorization', 'Expect'],
  ...['User-Agent', 'Accept', 'Content-Type', 'TE', 'Upgrade', 'Trailer', 'Keep-Alive', 'Origin'],
  'Traceparent',
]

type Values = readonly (readonly [text: string, value: unknown])[]

/** Variables of one kind, texts that are invalid for them, and valid texts with their values. */
type Kind = readonly [names: RegExp, rejects: readonly string[], accepts?: Values]

const same = (...texts: string[]) => texts.map((text) => [text, text] as const)

const wholeNumbers = (names: RegExp, minimum: number, maximum: number): Kind => [
  names,
  ['-1', '1.5', '1e3', '0x10', '8 items', String(BigInt(maximum) + 2n)],
  [minimum, maximum].map((value) => [String(value), value]),
]
const baseUrls = (names: RegExp, path: string): Kind => [
  names,
  [
    ...['host.example.com', 'https://host example.com', 'https://maria:secret@host.example.com'],
    ...['https://host.example.com?', 'https://host.example.com/#top'],
    `https://host.example.com/forge${path.toUpperCase()}//`,
  ],
  [
    ['HTTPS://Host.Example.com:443/Forge//', 'https://host.example.com/Forge'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
    ['  https://host.example.com\n', 'https://host.example.com'],
  ],
]

const kinds: readonly Kind[] = [
  baseUrls(/HOSTING_BASE_URL$/, '/api/v1'),
  baseUrls(/(PUBLISHING|STATUS)_BASE_URL$/, '/v1'),
  [
    /_DOCUMENT_URL$/,
    ['a.md', 'ftp://host.example.com/', 'https://m:s@host.example.com/'],
    [['https://Wiki.example.com/a?page=1#b', 'https://wiki.example.com/a?page=1']],
  ],
  [/_USERNAME$/, ['maria:secret', 'ma\nria', 'm'.repeat(1025)]],
  [
    /_PASSWORD$/,
    ['with a line break\n', 'with\u007fdelete', 'abc', 'p'.repeat(1025)],
    same(' p w '),
  ],
  [
    /(HOSTING_TOKEN|_API_KEY)$/,
    ['two words', 'key\n', 'kéys', 'Bearer key', 'key', 'k'.repeat(4097)],
    same('key1', 'a:b=c/d+e~"{}'),
  ],
  [
    /OTP_SECRET$/,
    ['JBSW1', 'JB=SW', 'otpauth://totp/x', 'A'.repeat(1025)],
    [['jbsw y3dp ehpk 3pxp ==\n', 'JBSWY3DPEHPK3PXP']],
  ],
  [
    /(PUBLIC|PRIVATE)_REPOSITORY$/,
    ['maria', 'maria/', 'maria/private/tree', '../private', 'ma ria/private'],
  ],
  [
    /(ARCHIVED_CHANGE|CONFLICT|NO_CONTENT)$/,
    [
      ...['delete /api/v1/things', 'DELETE https://elsewhere.example/things', 'PO,ST /api/v1'],
      ...['DELETE //elsewhere.example/things', 'DELETE /\\elsewhere.example/things'],
      ...['PSOT /api/v1/things {}', 'PURGE /things', 'CONNECT /things'],
    ],
    [
      ['OPTIONS  /things   [1, 2]', { method: 'OPTIONS', path: '/things', body: '[1, 2]' }],
      ['PUT / null', { method: 'PUT', path: '/', body: 'null' }],
    ],
  ],
  [
    /HOSTING_(READ|LARGE)_|TOKEN_LIST$|HOSTING_RELEASE$/,
    ['POST /things', 'HEAD /things', '/things', 'GET //elsewhere.example/', 'GET / {}'],
    [['GET  /things?a=%7B1', { method: 'GET', path: '/things?a=%7B1', body: null }]],
  ],
  wholeNumbers(/(MAX_RESPONSE_ITEMS|PAGING_NUM|TREES_PER_PAGE|MAX_PAGES)$/, 1, 1_000_000),
  wholeNumbers(/(BLOB_SIZE|MAX_RESPONSE_SIZE)$/, 1, Number.MAX_SAFE_INTEGER),
  wholeNumbers(/PROBE_CONCURRENCY$/, 1, 1000),
  wholeNumbers(/PROBE_REQUESTS_PER_SECOND$/, 1, 10_000),
  wholeNumbers(/PROBE_TIMEOUT_MS$/, 1, 3_600_000),
  wholeNumbers(/PROBE_RETRIES$/, 0, 10),
  wholeNumbers(/PROBE_MAX_BODY_BYTES$/, 1, 500_000_000),
  [
    /(TOKEN_SCHEME|QUERY_AUTH_TOKEN|RATE_LIMITS|PRODUCTION|READ_ONLY|PROBE_TRACE)$/,
    ['yes', '1', 'truefalse'],
  ],
  [/TOKEN_DELETE_PATH$/, ['api/v1/tokens/{name}', '/api/v1/tokens', '//elsewhere.example/{name}']],
  [/EVENT_TYPE$/, ['order\ncreated', 'order\u007f'], [[' Création 1 ', 'Création 1']]],
  [
    /EVENT_PAYLOAD$/,
    ['{', '[]', 'null', '"{}"'],
    [[' {"__proto__":{"a":1e400},"b":1.0}\n', '{"__proto__":{"a":1e400},"b":1.0}']],
  ],
  [
    /(PUBLISHING_EVENT_ID|INCIDENT_ID)$/,
    ['.', '..', 'evt\n1', 'evt\u007f', 'evt\ud800'],
    same('a/b', 'a%2Fb', '...', 'é'),
  ],
  [
    /POINTER$/,
    ['event/id', '#/id', '$.id', '/a~2', '/~'],
    same('/', '/events/0/id', '/a~1b/m~0n', '//'),
  ],
  [/_BODY$/, ['{', "{'a':1}", '{"a":1} {"b":2}', 'NaN'], [['{"a":1,"a":2}\n', '{"a":1,"a":2}']]],
  [/PROBE_WORDING$/, ['lenient', 'Strict']],
  [
    /PROBE_CONNECT_TO$/,
    [
      ...['code.example.com:443', 'code.example.com:443::', 'code.example.com:0:10.0.0.7:443'],
      'code.example.com:443:10.0.0.7:65536',
      'code.example.com:443:2001:db8::7:443',
      'code.example.com:443:10.0.0.999:443',
      'code.example.com:443:https://10.0.0.7:443',
      'code.example.com:443:m:s@10.0.0.7:443',
      'code.example.com:443:10.0.0.7:443\nx',
    ],
    same(
      ...['CODE.example.com:443:10.0.0.7:8443', ':443:[::1]:80', ':::8443'],
      'code.example.com::node-1.internal:',
    ),
  ],
  [/PROBE_EVIDENCE$/, ['none']],
  [
    /PROBE_HEADERS$/,
    [
      ...['X-Key: secret', '{', '[]', 'null', '"X-Key"', '{"X-Key":1}', '{"X-Key":["a"]}'],
      ...['', 'X Key', 'X-Kéy', 'X-Key:', 'X\\r\\nKey'].map((name) => `{"${name}":"secret"}`),
      ...['', ' a', 'a\\t', 'é', 'a\\r\\nX-B: b', 'a\\u0000b', 'a'.repeat(4097)].map(
        (value) => `{"X-Key":"${value}"}`,
      ),
      '{"X-Key":"one","x_key":"two"}',
      ...reservedFields.map((field) => JSON.stringify({ [field]: 'secret-value' })),
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    ],
    [
      [' {"X-A":"1","__proto__":"~ \\t!"}\n', { 'X-A': '1', ['__proto__']: '~ \t!' }],
      ['{}', {}],
    ],
  ],
  [/PROBE_USER_AGENT$/, ['a\nb', 'a\tb', 'é', 'a'.repeat(257)], same('Mozilla/5.0 (X11; a)', '~')],
  [
    /TRACE_URL$/,
    [
      ...['https://traces.example.com/', 'https://{traceId}.example.com/', '/trace/{traceId}'],
      ...['javascript:alert(1)//{traceId}', 'https://m:s@traces.example.com/{traceId}'],
      'https://traces.example.com/{traceId} b',
    ],
    same('http://127.0.0.1:16686/trace/{traceId}', 'HTTPS://t.example.com?a={traceId}#{traceId}'),
  ],
  [
    /PROBE_TLS_(CA|CERT|KEY)$/,
    ['-----BEGIN CERTIFICATE-----', '/no-such-directory/a.pem', '/', '/dev/zero', 'a\nb'],
  ],
  [
    /PROBE_TLS_KEY_PASSPHRASE$/,
    ['with a line break\n', 'abc', 'another passphrase', 'p'.repeat(1025)],
  ],
]

const tlsNames = names.filter((name) => name.startsWith('PROBE_TLS_'))
const withoutTls = {
  ...completeEnvironment,
  ...Object.fromEntries(tlsNames.map((name) => [name, ''])),
}

/** Returns a complete environment. Only TLS variables have TLS files, since an encrypted key takes time. */
const environmentFor = (name: string) =>
  tlsNames.includes(name) ? completeEnvironment : withoutTls

const baseUrl = { CODE_HOSTING_BASE_URL: 'https://code.example.com' }

const connectTo = { PROBE_CONNECT_TO: 'code.example.com:443:10.0.0.7:443' }

/** Variables that are wrong together, or unknown. */
const combinations: readonly NodeJS.ProcessEnv[] = [
  { CODE_HOSTING_USER_NAME: 'x' },
  { CODE_HOSTING_FROBNICATE: 'x' },
  { CODE_HOSTING_URL: 'x' },
  { PROBE_TIMEOUT: 'x', PROBE_: 'x' },
  { CODE_HOSTING_DEFAULT_PAGING_NUM: '10' },
  { CODE_HOSTING_DEFAULT_PAGING_NUM: '10', CODE_HOSTING_TOKEN: 'secret' },
  { ...baseUrl, CODE_HOSTING_PASSWORD: 'secret', CODE_HOSTING_TOKEN: 'secret' },
  { ...baseUrl, CODE_HOSTING_USERNAME: 'maria' },
  { ...baseUrl, CODE_HOSTING_OTP_USERNAME: 'otto', CODE_HOSTING_OTP_PASSWORD: 'secret' },
  { ...baseUrl, CODE_HOSTING_PUBLIC_REPOSITORY: 'a/b', CODE_HOSTING_PRIVATE_REPOSITORY: 'A/B' },
  { ...completeEnvironment, CODE_HOSTING_OTHER_USERNAME: 'Maria' },
  { https_proxy: 'ftp://proxy' },
  { PROBE_TRACE_URL: 'https://traces.example.com/{traceId}' },
  connectTo,
  { ...connectTo, CODE_HOSTING_BASE_URL: 'https://other.example.com' },
  { ...connectTo, CODE_HOSTING_BASE_URL: 'https://code.example.com:8443' },
  { ...connectTo, CODE_HOSTING_BASE_URL: 'http://code.example.com' },
  { ...connectTo, ...baseUrl, HTTPS_PROXY: 'http://proxy.example.com:3128' },
]

const cases = tested.flatMap((name) =>
  kinds.flatMap(([names, rejects, accepts = []]) =>
    names.test(name) ? { name, rejects, accepts } : [],
  ),
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

  it.each(cases)('$name accepts texts of its kind', ({ name, accepts }) => {
    for (const [text, value] of accepts) {
      const values = valuesIn(targetOf({ ...environmentFor(name), [name]: text }))
      expect(values, text).toContainEqual(value)
    }
  })

  it('rejects other texts with one problem, which has the text of the snapshot', async () => {
    const rejected = cases.flatMap(({ name, rejects }) =>
      rejects.map((text) => {
        const problems = problemsOf({ ...environmentFor(name), [name]: text })
        expect(problems, `${name}=${text}`).toMatchObject([{ variable: name, source: 'process' }])
        // A message shows no value, which may be a secret.
        if (/secret|password/.test(text)) expect(problems[0]?.message).not.toContain(text)
        return problems
      }),
    )
    const lines = [...rejected, ...combinations.map(problemsOf)]
      .flat()
      .map(({ variable, message }) => `${variable} ${message}\n`)
    await expect([...new Set(lines)].join('')).toMatchFileSnapshot('snapshots/problems.txt')
  })

  it('is secret if it is a password, the token, an API key, the one-time code secret or sent to a gateway', () => {
    const pattern = /_(PASSWORD|HOSTING_TOKEN|API_KEY|SECRET|PASSPHRASE|HEADERS)$/
    const others = variables.filter(({ name, secret }) => pattern.test(name) && !secret)
    expect(others).toEqual([])
  })
})

it('the example file contains only known variables', () => {
  const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(10)
  for (const name of named) expect(names).toContain(name)
})
