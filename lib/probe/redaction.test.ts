import { describe, expect, it } from 'vitest'
import { basic } from './credentials.ts'
import { Redactor } from './redaction.ts'

const secret = 'pä ss/w+ö"r\\d&<€>\'=\n!~*()'

function redactorOf(secrets: Record<string, string>): Redactor {
  const redactor = new Redactor()
  for (const [name, value] of Object.entries(secrets)) redactor.add(name, value)
  return redactor
}

const redactor = redactorOf({ THE_SECRET: secret })

describe('basic authentication', () => {
  it('hides the password in any context', () => {
    const redactor = new Redactor()
    redactor.addBasic('maria', 'PASSWORD', secret)
    const credentials = Buffer.from(`maria:${secret}`).toString('base64')
    expect(redactor.redact(`Basic ${credentials}`)).toBe('Basic $PASSWORD')
    expect(redactor.redact(`{"got":"${credentials}"}`)).toBe('{"got":"$PASSWORD"}')
    expect(redactor.redact(secret)).toBe('$PASSWORD')
  })

  it('hides a short password', () => {
    const redactor = new Redactor()
    redactor.addBasic('maria', 'PASSWORD', 'ab12')
    expect(redactor.redact('{"got":"bWFyaWE6YWIxMg=="}')).toBe('{"got":"$PASSWORD=="}')
  })

  it('shows the username in a request, with a placeholder for the password', () => {
    const { value, user } = basic('any', secret)
    const headers = [{ name: 'Authorization', value }]
    const sent = { method: 'GET', url: 'http://a/', headers, user, body: null }
    const redacted = redactor.redactRequest(sent)
    expect(redacted).toMatchObject({
      headers: [{ value: 'Basic base64(any:$THE_SECRET)' }],
      user: 'any:$THE_SECRET',
      placeholders: [{ in: 'user', at: 4, name: 'THE_SECRET' }],
    })
    expect(redactor.redactRequest(redacted)).toEqual(redacted)
  })

  it('finds an unencoded secret', () => {
    expect(redactorOf({ TOKEN: 'abc.def' }).redact('Basic abc.def')).toBe('Basic $TOKEN')
  })
})

describe('numeric secrets', () => {
  const redactor = redactorOf({ CODE: '123456' })

  it.each([
    ['123456', '$CODE'],
    ['{"code":123456}', '{"code":$CODE}'],
    ['code%20123456', 'code%20$CODE'],
    ['\\u0020123456', '\\u0020$CODE'],
    ['MTIzNDU2', '$CODE'],
  ])('count as a whole number: %j', (text, expected) => {
    expect(redactor.redact(text)).toBe(expected)
  })

  it.each(['1234567', '0123456', '99123456', '1123456123456'])('not within %j', (text) => {
    expect(redactor.redact(text)).toBe(text)
  })
})

describe('a secret that is short or a word', () => {
  const redactor = new Redactor({ words: new Set(['code-hosting']) })
  redactor.add('SHORT', 'ab12')
  redactor.add('WORD', 'admin')
  redactor.add('SERVICE', 'code-hosting')

  it.each([
    ['"ab12"', '"$SHORT"'],
    ['password is ab12.', 'password is $SHORT.'],
    ['{"user":"admin"}', '{"user":"$WORD"}'],
    ['maria:admin@host', 'maria:$WORD@host'],
    ['%22admin%22', '%22$WORD%22'],
    ['the code-hosting service', 'the $SERVICE service'],
  ])('is replaced as a separate word: %s', (text, expected) => {
    expect(redactor.redact(text)).toBe(expected)
  })

  it.each([
    'https://admin.example.com/ab12x',
    '/api/v1/users/admin/tokens',
    'plumbline-run-admin',
    'administrator',
    'CODE_HOSTING_ADMIN_PASSWORD',
    'code-hosting/errors/body',
    '0ab12',
  ])('is kept within a name, path, host or number: %s', (text) => {
    expect(redactor.redact(text)).toBe(text)
  })

  it('is kept in a message of Plumbline if it is one of its words', () => {
    const text = 'the admin account of code-hosting'
    expect(redactor.redactMessage(`${text}: ab12`)).toBe(`${text}: $SHORT`)
  })

  it('is ignored if it is too short', () => {
    expect(redactorOf({ TINY: 'abc' }).redact('abc "abc"')).toBe('abc "abc"')
  })
})

describe('a request', () => {
  const redactor = redactorOf({
    KEY: 'abcd1234',
    KEY_CUT: 'abcd123',
    OTHER: 'wxyz9876',
    PIN: 'q7x9',
  })
  const request = (url: string, value = '', body: string | null = null, user?: string) => {
    const headers = [{ name: 'Authorization', value }]
    return { method: 'GET', url, headers, body, ...(user !== undefined && { user }) }
  }
  type Locations = [part: 'url' | 'user' | 'body' | number, at: number, name: string][]

  it.each<[string, ReturnType<typeof request>, Locations]>([
    ['in the URL', request('http://a/?k=abcd1234'), [['url', 12, 'KEY']]],
    [
      'in a field and the body',
      request('http://a/', 'wxyz9876', '"abcd123" abcd1234'),
      [
        [0, 0, 'OTHER'],
        ['body', 1, 'KEY_CUT'],
        ['body', 11, 'KEY'],
      ],
    ],
    [
      'in basic authentication',
      request('http://a/', '', null, 'a:wxyz9876'),
      [['user', 2, 'OTHER']],
    ],
    ['before more text', request('http://a/', 'abcd12349'), [[0, 0, 'KEY']]],
    ['nowhere', request('http://a/', 'nothing'), []],
    ['nowhere except its name', request('http://a/?$KEY', '$OTHER', '$KEY_CUT'), []],
    ['next to its name', request('http://a/', '$OTHER wxyz9876 $OTHER'), [[0, 7, 'OTHER']]],
    ['next to a name', request('http://a/', '', null, '$KEY:wxyz9876'), [['user', 5, 'OTHER']]],
    [
      'next to its name in basic authentication',
      request('http://a/', '', null, '$PIN:q7x9'),
      [['user', 5, 'PIN']],
    ],
  ])('records its placeholders %s', (_, sent, expected) => {
    const redacted = redactor.redactRequest(sent)
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

describe('redactCut', () => {
  const redactor = redactorOf({ KEY: '0123456789abcdef' })

  it.each([
    ['x 0123456789abcdef y', 'x $KEY y'],
    ['x 01234567', 'x $KEY'],
    ['x "0123%34567', 'x "$KEY'],
    ['x \\u0030\\u0031\\u0032\\u0033\\u0034\\u00', 'x $KEY'],
    [`x ${Buffer.from('0123456789abcdef').toString('base64').slice(0, 12)}`, 'x $KEY'],
    ['x 012', 'x 012'],
    ['x 6789abcd', 'x 6789abcd'],
  ])('redacts a prefix of a secret at the end: %s', (text, expected) => {
    expect(redactor.redactCut(text)).toBe(expected)
  })
})

describe('a prefix of a secret', () => {
  const value = 'Tr0ub4dor&3 "<pä/ß漢字-Über'
  const redactor = redactorOf({ KEY: value, TOKEN: '0123456789abcdef0123456789abcdef01234567' })

  it.each([
    [`invalid token ${value.slice(0, 17)}…`, 'invalid token $KEY…'],
    [JSON.stringify({ error: value.slice(0, 16) }), '{"error":"$KEY"}'],
    ['0123456789abcdef0123xxxxxxxxxxxxxxxxxxxx', '$TOKENxxxxxxxxxxxxxxxxxxxx'],
    [`?token=${encodeURIComponent(value.slice(0, 16))}...`, '?token=$KEY...'],
  ])('is replaced if it is half of the secret: %s', (text, expected) => {
    expect(redactor.redact(text)).toBe(expected)
    expect(redactor.holdsSecret(text)).toBe(false)
  })

  it.each([`token ${value.slice(0, 12)}…`, '0123456789abcdef012', value.slice(12)])(
    'is kept if it is shorter, or not a prefix: %s',
    (text) => expect(redactor.redact(text)).toBe(text),
  )

  it('has at least eight characters', () => {
    const short = redactorOf({ KEY: 'q1w2e3r4t5' })
    expect(short.redact('q1w2e3r… q1w2e3r4…')).toBe('q1w2e3r… $KEY…')
  })

  it('may be of a pass phrase, but not of words with the same prefix', () => {
    const phrases = redactorOf({ PHRASE: 'correct horse battery' })
    expect(phrases.redact('token correct horse ba…')).toBe('token $PHRASE…')
    const others = 'correct horse battles, incorrect horse, correct horse-racing'
    expect(phrases.redact(others)).toBe(others)
  })

  it.each([
    ['the name of an account', 'release-bot-7', 'release-bot-7-Pw!'],
    ['the owner of a repository', 'release-bot-7/public-one', 'release-bot-7-Pw!'],
    ['a word of reports', 'documentation', 'Documentation123'],
  ])('is kept if it is %s', (_, name, password) => {
    const redactor = new Redactor()
    redactor.addNames([name])
    redactor.addBasic('release-bot-7', 'PASSWORD', password)
    for (const text of [
      `{"login":"${name}"}`,
      `/api/v1/repos/${name}`,
      `Basic ${Buffer.from(`${name}:another`).toString('base64')}`,
    ]) {
      expect(redactor.redact(text)).toBe(text)
    }
    expect(redactor.redact(`"${password.slice(0, -1)}…"`)).toBe('"$PASSWORD…"')
    expect(redactor.redact(password)).toBe('$PASSWORD')
  })

  it('is the whole secret if a longer name begins with it, also with an escape', () => {
    const redactor = new Redactor()
    redactor.addNames(['release%2Dbots'])
    redactor.add('KEY', 'release%2Dbot')
    expect(redactor.redact('release-b… release-bot')).toBe('release-b… $KEY')
  })

  it('yields to another whole secret', () => {
    const several = redactorOf({ KEY: 'abcd1234efgh5678', SHORTER: 'abcd1234efgh' })
    expect(several.redact('abcd1234efgh abcd1234ef')).toBe('$SHORTER $KEY')
  })
})

describe('several secrets', () => {
  it.each([
    ['abcd1234efgh', '$LONG'],
    ['abcd1234', '$SHORT'],
    ['abcd1234abcd1234efgh', '$SHORT$LONG'],
    ['x1234efgh', 'x$TAIL'],
  ])('with one that contains another: %j', (text, expected) => {
    const redactor = redactorOf({ SHORT: 'abcd1234', LONG: 'abcd1234efgh', TAIL: '1234efgh' })
    expect(redactor.redact(text)).toBe(expected)
  })

  it.each([
    ['abcdef1234ghijkl', '$ONE$OTHER'],
    ['abcdef1234ghijkl1234', '$ONE$OTHER1234'],
    ['1234ghijklabcdef1234', '$OTHER$ONE'],
  ])('that overlap: %j', (text, expected) => {
    expect(redactorOf({ ONE: 'abcdef1234', OTHER: '1234ghijkl' }).redact(text)).toBe(expected)
  })

  it('never change a placeholder', () => {
    const redactor = redactorOf({ API_TOKEN: 'wxyz', OTHER: 'TOKEN', THIRD: 'OTHER' })
    redactor.addBasic('ann', 'ANN_PASSWORD', 'API1')
    const text = `wxyz TOKEN API1 ${Buffer.from('ann:API1').toString('base64')}`
    const redacted = '$API_TOKEN $OTHER $ANN_PASSWORD $ANN_PASSWORD='
    expect(redactor.redact(text)).toBe(redacted)
    expect(redactor.redact(redacted)).toBe(redacted)
  })

  it('with the same value get the first name', () => {
    const redactor = redactorOf({ FIRST: 'same', SECOND: 'same' })
    expect(redactor.redact('same')).toBe('$FIRST')
  })
})

it('a periodic secret is replaced completely', () => {
  expect(redactorOf({ KEY: 'aaaaaaaa' }).redact('aaaaaaaaaaaa')).toBe('$KEY')
})

describe('letter case', () => {
  it('distinguishes secrets that differ only in it', () => {
    const redactor = redactorOf({ TOKEN: 'a1b2c3d4e5f6', OTHER_CASE: 'A1B2C3D4E5F6' })
    const text = 'a1b2c3d4e5f6 A1B2C3D4E5F6 a1B2C3D4E5F6'
    expect(redactor.redact(text)).toBe('$TOKEN $OTHER_CASE $TOKEN')
  })

  it('does not hide a secret', () => {
    expect(redactorOf({ KEY: 'Abcd-efGh' }).redact('ABCD-EFGH abcd-efgh')).toBe('$KEY $KEY')
  })

  it('keeps all offsets, also of a character that becomes two', () => {
    expect(redactorOf({ KEY: 'abcd1fgh' }).redact('\u0130 ABCD1FGH \u0130')).toBe(
      '\u0130 $KEY \u0130',
    )
  })
})

describe('redactPrefix', () => {
  const redactor = redactorOf({ KEY: 'abcd1fgh' })

  it.each([
    [0, ''],
    [2, 'xx'],
    [3, 'xx$KEY'],
    [9, 'xx$KEY'],
    [10, 'xx$KEY'],
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

describe('a JSON value', () => {
  it('keeps its structure with redacted texts, names and numbers', () => {
    const redactor = redactorOf({ KEY: 'abcd1fgh', CODE: '123456' })
    const value = { abcd1fgh: ['x abcd1fgh', 123456, 1234567, null, true, { a: {} }] }
    expect(redactor.redactJson(value)).toEqual({
      $KEY: ['x $KEY', '$CODE', 1234567, null, true, { a: {} }],
    })
  })
})

describe('header fields', () => {
  const fields = (redactor: Redactor, ...lines: [string, string][]) =>
    redactor
      .redactFields(lines.map(([name, value]) => ({ name, value })))
      .map(({ name, value }) => `${name}: ${value}`)

  it('have their names and values redacted', () => {
    expect(fields(redactorOf({ KEY: 'abcd1fgh' }), ['X-Abcd1fgh', 'an abcd1fgh'])).toEqual([
      'X-$KEY: an $KEY',
    ])
  })

  it('hide any cookie value, and show the attributes', () => {
    const cookie = 'session=0123456789abcdef; Path=/; HttpOnly'
    const lines: [string, string][] = [
      ['Set-Cookie', cookie],
      ['set-cookie', 'language=en'],
      ['X-Cookie', 'a=0123456789'],
    ]
    expect(fields(new Redactor(), ...lines)).toEqual([
      'Set-Cookie: session=$COOKIE_VALUE; Path=/; HttpOnly',
      'set-cookie: language=en',
      'X-Cookie: a=0123456789',
    ])
  })
})

describe('a text designed for slow searches', () => {
  const backslashes = '\\'.repeat(40)

  it.each([
    ['of backslashes, which may be literal or escaped', `${backslashes}x`, '\\'],
    ['of quotes, which may be doubled', `${'"'.repeat(40)}x`, '"'],
    ['of replacements for undecodable letters', `${'äöü'.repeat(20)}x`, '?'],
    ['of a repeated long secret', 'a1'.repeat(2048).concat('!'), 'a1'],
    ['of a repeated longer secret', 'a1'.repeat(30_000).concat('!'), 'a1'],
    ['of escapes of escapes', `${'%'.repeat(60)}x`, '%25'],
  ])('%s, is searched in linear time', (_, value, unit) => {
    const redactor = redactorOf({ KEY: value })
    expect(redactor.redact(unit.repeat(50_000)).length).toBeLessThan(10)
    expect(redactor.redact(`${unit.repeat(5_000)} ${value}`)).toContain('$KEY')
  })

  it('of repeated prefixes is searched in linear time', () => {
    const redactor = redactorOf({ KEY: `${'a'.repeat(60)}!` })
    const text = 'a'.repeat(50_000)
    expect(redactor.redact(text) === text).toBe(true)
  })
})

it('redact replaces a secret with half a surrogate pair', () => {
  expect(redactorOf({ HALF: 'a1\ud800b2' }).redact('a1\ud800b2')).toBe('$HALF')
})
