import { describe, expect, it } from 'vitest'
import { basic } from '../credentials.ts'
import { Redactor } from './redaction.ts'

const secret = 'pä ss/w+ö"r\\d&<€>\'=\n!~*()'

function redactorOf(secrets: Record<string, string>, words: string[] = []): Redactor {
  const redactor = new Redactor({ words: new Set(words) })
  for (const [name, value] of Object.entries(secrets)) redactor.add(name, value)
  return redactor
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('basic authentication', () => {
  const redactor = new Redactor()
  redactor.addBasic('maria', 'PASSWORD', secret)
  redactor.addBasic('maria', 'SHORT', 'ab12')
  redactor.add('TOKEN', 'abc.def')

  it.each([
    [`Basic ${base64(`maria:${secret}`)}`, 'Basic $PASSWORD'],
    [`{"got":"${base64(`maria:${secret}`)}"}`, '{"got":"$PASSWORD"}'],
    [secret, '$PASSWORD'],
    ['{"got":"bWFyaWE6YWIxMg=="}', '{"got":"$SHORT=="}'],
    ['Basic abc.def', 'Basic $TOKEN'],
  ])('hides the password in any context: %s', (text, expected) => {
    expect(redactor.redact(text)).toBe(expected)
  })

  it('shows the username in a request, with a placeholder for the password', () => {
    const { value, user } = basic('any', secret)
    const headers = [{ name: 'Authorization', value }]
    const redacted = redactor.redactRequest({
      ...{ method: 'GET', url: 'http://a/', headers, user, body: null },
    })
    expect(redacted).toMatchObject({
      headers: [{ value: 'Basic base64(any:$PASSWORD)' }],
      user: 'any:$PASSWORD',
      placeholders: [{ in: 'user', at: 4, name: 'PASSWORD' }],
    })
    expect(redactor.redactRequest(redacted)).toEqual(redacted)
  })
})

describe('a secret that is a number, short, or a word', () => {
  const SECRETS = { CODE: '123456', SHORT: 'ab12', WORD: 'admin', SERVICE: 'code-hosting' }
  const redactor = redactorOf({ ...SECRETS, TINY: 'abc' }, ['code-hosting'])

  it.each([
    ['123456', '$CODE'],
    ['{"code":123456}', '{"code":$CODE}'],
    ['\\u0020123456', '\\u0020$CODE'],
    ['MTIzNDU2', '$CODE'],
    ['"ab12"', '"$SHORT"'],
    ['password is ab12.', 'password is $SHORT.'],
    ['{"user":"admin"}', '{"user":"$WORD"}'],
    ['maria:admin@host', 'maria:$WORD@host'],
    ['the code-hosting service', 'the $SERVICE service'],
  ])('is replaced as a separate word: %s', (text, expected) => {
    expect(redactor.redact(text)).toBe(expected)
  })

  it.each([
    ...['1234567', '0123456', '99123456', '1123456123456', '0ab12', 'administrator'],
    ...['https://admin.example.com/ab12x', '/api/v1/users/admin/tokens', 'plumbline-run-admin'],
    ...['CODE_HOSTING_ADMIN_PASSWORD', 'code-hosting/errors/body', 'abc "abc"'],
  ])('is kept within a name, path, host or number, or if it is too short: %s', (text) => {
    expect(redactor.redact(text)).toBe(text)
  })

  it('is kept in a message of Plumbline if the message contains it', () => {
    const text = 'the admin account of code-hosting'
    expect(redactor.redactMessage(`${text}: ab12`)).toBe(`${text}: $SHORT`)
  })
})

describe('a request', () => {
  const redactor = redactorOf({
    ...{ KEY: 'abcd1234', KEY_CUT: 'abcd123', OTHER: 'wxyz9876', PIN: 'q7x9' },
  })
  const request = (url: string, value = '', body: string | null = null, user?: string) => {
    const headers = [{ name: 'Authorization', value }]
    return { method: 'GET', url, headers, body, ...(user !== undefined && { user }) }
  }
  type Locations = [part: 'url' | 'user' | 'body' | number, at: number, name: string][]

  it.each<[Parameters<typeof request>, Locations]>([
    [['http://a/?k=abcd1234'], [['url', 12, 'KEY']]],
    [
      ['http://a/', 'wxyz9876', '"abcd123" abcd1234'],
      [
        [0, 0, 'OTHER'],
        ['body', 1, 'KEY_CUT'],
        ['body', 11, 'KEY'],
      ],
    ],
    [['http://a/', '', null, 'a:wxyz9876'], [['user', 2, 'OTHER']]],
    [['http://a/', 'abcd12349'], [[0, 0, 'KEY']]],
    [['http://a/', 'nothing'], []],
    // Names of secrets are text.
    [['http://a/?$KEY', '$OTHER', '$KEY_CUT'], []],
    [['http://a/', '$OTHER wxyz9876 $OTHER'], [[0, 7, 'OTHER']]],
    [['http://a/', '', null, '$KEY:wxyz9876'], [['user', 5, 'OTHER']]],
    [['http://a/', '', null, '$PIN:q7x9'], [['user', 5, 'PIN']]],
  ])('records its placeholders: %j', (parts, expected) => {
    const redacted = redactor.redactRequest(request(...parts))
    const { placeholders = [], secrets = [] } = redacted
    expect(placeholders).toEqual(expected.map(([part, at, name]) => ({ in: part, at, name })))
    expect(new Set(secrets)).toEqual(new Set(expected.map(([, , name]) => name)))
    expect(JSON.stringify(redacted)).not.toMatch(/abcd123|wxyz9876|q7x9/)
    expect(redactor.redactRequest(redacted)).toEqual(redacted)
  })

  it('shows its origin even if that is a secret', () => {
    const hosts = redactorOf({ KEY: 'abcd1234', HOST: '127.0.0.1' })
    const { url } = hosts.redactRequest(request('http://127.0.0.1:3000/a?token=abcd1234'))
    expect(url).toBe('http://127.0.0.1:3000/a?token=$KEY')
  })

  it('records placeholders of a later secret, and none for earlier text', () => {
    const late = redactorOf({ KEY: 'abcd1234' })
    const redacted = late.redactRequest(
      request('http://a/', 'wxyz9876 abcd1234', '$LATER wxyz9876'),
    )
    expect(redacted.placeholders).toEqual([{ in: 0, at: 9, name: 'KEY' }])
    late.add('LATER', 'wxyz9876')
    expect(late.redactRequest(redacted)).toMatchObject({
      body: '$LATER $LATER',
      placeholders: [
        { in: 0, at: 0, name: 'LATER' },
        { in: 0, at: 7, name: 'KEY' },
        { in: 'body', at: 7, name: 'LATER' },
      ],
    })
  })
})

it.each([
  ['x 0123456789abcdef y', 'x $KEY y'],
  ['x 01234567', 'x $KEY'],
  ['x "0123%34567', 'x "$KEY'],
  ['x \\u0030\\u0031\\u0032\\u0033\\u0034\\u00', 'x $KEY'],
  [`x ${base64('0123456789abcdef').slice(0, 12)}`, 'x $KEY'],
  ['x 012', 'x 012'],
  ['x 6789abcd', 'x 6789abcd'],
])('redactCut replaces a prefix of a secret at the end: %s', (text, expected) => {
  expect(redactorOf({ KEY: '0123456789abcdef' }).redactCut(text)).toBe(expected)
})

describe('a prefix of a secret', () => {
  const value = 'Tr0ub4dor&3 "<pä/ß漢字-Über'
  const redactor = redactorOf({
    KEY: value,
    TOKEN: '0123456789abcdef0123456789abcdef01234567',
    SHORT: 'q1w2e3r4t5',
    PHRASE: 'correct horse battery',
  })

  it.each([
    [`invalid token ${value.slice(0, 17)}…`, 'invalid token $KEY…'],
    [JSON.stringify({ error: value.slice(0, 16) }), '{"error":"$KEY"}'],
    ['0123456789abcdef0123xxxxxxxxxxxxxxxxxxxx', '$TOKENxxxxxxxxxxxxxxxxxxxx'],
    [`?token=${encodeURIComponent(value.slice(0, 16))}...`, '?token=$KEY...'],
    ['q1w2e3r4…', '$SHORT…'],
    ['token correct horse ba…', 'token $PHRASE…'],
  ])('is replaced if it is half of the secret: %s', (text, expected) => {
    expect(redactor.redact(text)).toBe(expected)
    expect(redactor.holdsSecret(text)).toBe(false)
  })

  it.each([
    ...[`token ${value.slice(0, 12)}…`, '0123456789abcdef012', value.slice(12), 'q1w2e3r…'],
    'correct horse battles, incorrect horse, correct horse-racing',
  ])('is kept if it is shorter, not a prefix, or the prefix of other words: %s', (text) => {
    expect(redactor.redact(text)).toBe(text)
  })

  it.each([
    ['the name of an account', 'release-bot-7', 'release-bot-7-Pw!'],
    ['the owner of a repository', 'release-bot-7/public-one', 'release-bot-7-Pw!'],
    ['a word of reports', 'documentation', 'Documentation123'],
  ])('is kept if it is %s', (_, name, password) => {
    const redactor = new Redactor()
    redactor.addNames([name])
    redactor.addBasic('release-bot-7', 'PASSWORD', password)
    const texts = [`{"login":"${name}"}`, `/repos/${name}`, `Basic ${base64(`${name}:another`)}`]
    for (const text of texts) expect(redactor.redact(text)).toBe(text)
    expect(redactor.redact(`"${password.slice(0, -1)}…"`)).toBe('"$PASSWORD…"')
    expect(redactor.redact(password)).toBe('$PASSWORD')
  })

  it('is the whole secret if a longer name begins with it, also with an escape', () => {
    const redactor = new Redactor()
    redactor.addNames(['release%2Dbots'])
    redactor.add('KEY', 'release%2Dbot')
    expect(redactor.redact('release-b… release-bot')).toBe('release-b… $KEY')
  })
})

describe('several secrets', () => {
  it.each<[Record<string, string>, string, string]>([
    // A secret contains another.
    [{ SHORT: 'abcd1234', LONG: 'abcd1234efgh' }, 'abcd1234efgh', '$LONG'],
    [{ SHORT: 'abcd1234', LONG: 'abcd1234efgh' }, 'abcd1234', '$SHORT'],
    [{ SHORT: 'abcd1234', LONG: 'abcd1234efgh' }, 'abcd1234abcd1234efgh', '$SHORT$LONG'],
    [{ LONG: 'abcd1234efgh', TAIL: '1234efgh' }, 'x1234efgh', 'x$TAIL'],
    [{ KEY: 'abcd1234efgh5678', WHOLE: 'abcd1234efgh' }, 'abcd1234efgh abcd1234ef', '$WHOLE $KEY'],
    // They overlap.
    [{ ONE: 'abcdef1234', OTHER: '1234ghijkl' }, 'abcdef1234ghijkl', '$ONE$OTHER'],
    [{ ONE: 'abcdef1234', OTHER: '1234ghijkl' }, 'abcdef1234ghijkl1234', '$ONE$OTHER1234'],
    [{ KEY: 'aaaaaaaa' }, 'aaaaaaaaaaaa', '$KEY'],
    // The first name counts.
    [{ FIRST: 'same', SECOND: 'same' }, 'same', '$FIRST'],
    // Letter case distinguishes secrets, but does not hide one, and keeps all offsets.
    [
      { TOKEN: 'a1b2c3d4e5f6', CASE: 'A1B2C3D4E5F6' },
      'a1b2c3d4e5f6 A1B2C3D4E5F6 a1B2C3D4E5F6',
      '$TOKEN $CASE $TOKEN',
    ],
    [{ KEY: 'Abcd-efGh' }, 'ABCD-EFGH abcd-efgh', '$KEY $KEY'],
    [{ KEY: 'abcd1fgh' }, '\u0130 ABCD1FGH \u0130', '\u0130 $KEY \u0130'],
    [{ HALF: 'a1\ud800b2' }, 'a1\ud800b2', '$HALF'],
  ])('%j: %j', (secrets, text, expected) => {
    expect(redactorOf(secrets).redact(text)).toBe(expected)
  })

  it('never change a placeholder', () => {
    const redactor = redactorOf({ API_TOKEN: 'wxyz', OTHER: 'TOKEN', THIRD: 'OTHER' })
    redactor.addBasic('ann', 'ANN_PASSWORD', 'API1')
    const redacted = '$API_TOKEN $OTHER $ANN_PASSWORD $ANN_PASSWORD='
    expect(redactor.redact(`wxyz TOKEN API1 ${base64('ann:API1')}`)).toBe(redacted)
    expect(redactor.redact(redacted)).toBe(redacted)
  })
})

describe('redactPrefix', () => {
  const redactor = redactorOf({ KEY: 'abcd1fgh' })

  it.each([
    [0, ''],
    [3, 'xx$KEY'],
    [9, 'xx$KEY'],
    [11, 'xx$KEYy'],
    [100, 'xx$KEYyyyabc'],
  ])('with %d characters replaces whole secrets only', (length, expected) => {
    expect(redactor.redactPrefix('xxabcd1fghyyyabc', length)).toBe(expected)
  })

  it('reads only the prefix of a long text', () => {
    const text = `${'-'.repeat(1000)}abcd1fgh`.repeat(1000)
    expect(redactor.redactPrefix(text, 1500)).toBe(`${'-'.repeat(1000)}$KEY${'-'.repeat(492)}`)
  })
})

it('redactJson keeps the structure, with redacted texts, names and numbers', () => {
  const redactor = redactorOf({ KEY: 'abcd1fgh', CODE: '123456' })
  const value = { abcd1fgh: ['x abcd1fgh', 123456, 1234567, null, true, { a: {} }] }
  expect(redactor.redactJson(value)).toEqual({
    $KEY: ['x $KEY', '$CODE', 1234567, null, true, { a: {} }],
  })
})

it('redactFields redacts names and values, and hides any cookie value, but not its attributes', () => {
  const fields = [
    ['X-Abcd1fgh', 'an abcd1fgh', 'X-$KEY', 'an $KEY'],
    [
      'Set-Cookie',
      'session=0123456789abcdef; Path=/',
      'Set-Cookie',
      'session=$COOKIE_VALUE; Path=/',
    ],
    ['set-cookie', 'language=en', 'set-cookie', 'language=en'],
    ['X-Cookie', 'a=0123456789', 'X-Cookie', 'a=0123456789'],
  ].map(([name = '', value = '', ...shown]) => ({ sent: { name, value }, shown }))
  const redacted = redactorOf({ KEY: 'abcd1fgh' }).redactFields(fields.map(({ sent }) => sent))
  expect(redacted.map(({ name, value }) => [name, value])).toEqual(fields.map(({ shown }) => shown))
})
