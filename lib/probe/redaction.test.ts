import { describe, expect, it } from 'vitest'
import { Redactor } from './redaction.ts'

const secret = 'pä ss/w+ö"r\\d&<€>\'=\n!~*()'

function redactorOf(secrets: Record<string, string>): Redactor {
  const redactor = new Redactor()
  for (const [name, value] of Object.entries(secrets)) redactor.add(name, value)
  return redactor
}

const redactor = redactorOf({ THE_SECRET: secret })

describe('basic authentication', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  it('shows the name and hides the password', () => {
    const known = new Redactor()
    known.addBasic('maria', 'PASSWORD', secret)
    const credentials = Buffer.from(`maria:${secret}`).toString('base64')
    const shown = 'base64(maria:$PASSWORD)'
    expect(known.redact(`Basic ${credentials}`)).toBe(`Basic ${shown}`)
    expect(known.redact(`{"got":"${credentials}"}`)).toBe('{"got":"$PASSWORD"}')
    expect(known.redact(secret)).toBe('$PASSWORD')
  })

  it('hides a short password among them', () => {
    const known = new Redactor()
    known.addBasic('maria', 'PASSWORD', 'ab12')
    expect(known.redact('{"got":"bWFyaWE6YWIxMg=="}')).toBe('{"got":"$PASSWORD=="}')
  })

  it('is looked into where name and password were not registered together', () => {
    expect(redactor.redact(basic(`any:${secret}`))).toBe('Basic base64(any:$THE_SECRET)')
    expect(redactor.redact(basic(`${secret}:x`).replace('B', 'b'))).toBe(
      'basic base64($THE_SECRET:x)',
    )
  })

  it('is decoded only where that shows no beginning of a secret', () => {
    const known = redactorOf({ NAME: 'a-known-name', KEY: 'k??>>>~~~///k??>>>~~~///' })
    const credentials = Buffer.from('a-known-name:k??>>>~~~///k??>>>~~~///').toString('base64')
    expect(known.redact(`Basic ${credentials}`)).toBe('Basic base64($NAME:$KEY)')
    const escaped = known.redact(`Basic ${encodeURIComponent(credentials)}`)
    expect(escaped).toMatch(/^Basic \$NAME.{0,2}\$KEY$/)
  })

  it('is looked into also where an escape or a line break is behind it', () => {
    const known = redactorOf({ KEY: 'abcde' })
    for (const end of ['\r\nHost: x', '\\r\\n', '%0D%0A', '&quot;']) {
      expect(known.redact(basic('plumbline:abcde') + end)).toBe(
        `Basic base64(plumbline:$KEY)${end}`,
      )
    }
  })

  it('leaves other credentials alone, and finds a secret that stands there as it is', () => {
    expect(redactor.redact(basic('maria:other'))).toBe(basic('maria:other'))
    expect(redactorOf({ TOKEN: 'abc.def' }).redact('Basic abc.def')).toBe('Basic $TOKEN')
  })
})

describe('numeric secrets', () => {
  const known = redactorOf({ CODE: '123456' })

  it.each([
    ['123456', '$CODE'],
    ['{"code":123456}', '{"code":$CODE}'],
    ['code%20123456', 'code%20$CODE'],
    ['\\u0020123456', '\\u0020$CODE'],
    ['MTIzNDU2', '$CODE'],
  ])('count as a whole number: %j', (text, expected) => {
    expect(known.redact(text)).toBe(expected)
  })

  it.each(['1234567', '0123456', '99123456', '1123456123456'])('not within %j', (text) => {
    expect(known.redact(text)).toBe(text)
  })
})

describe('a secret that is short or a word', () => {
  const known = new Redactor({ words: new Set(['code-hosting']) })
  known.add('SHORT', 'ab12')
  known.add('WORD', 'admin')
  known.add('SERVICE', 'code-hosting')

  it.each([
    ['"ab12"', '"$SHORT"'],
    ['password is ab12.', 'password is $SHORT.'],
    ['{"user":"admin"}', '{"user":"$WORD"}'],
    ['maria:admin@host', 'maria:$WORD@host'],
    ['%22admin%22', '%22$WORD%22'],
    ['the code-hosting service', 'the $SERVICE service'],
  ])('is replaced where it stands alone: %s', (text, expected) => {
    expect(known.redact(text)).toBe(expected)
  })

  it.each([
    'https://admin.example.com/ab12x',
    '/api/v1/users/admin/tokens',
    'plumbline-run-admin',
    'administrator',
    'CODE_HOSTING_ADMIN_PASSWORD',
    'code-hosting/errors/body',
    '0ab12',
  ])('is no part of a name, a path, a host or a number: %s', (text) => {
    expect(known.redact(text)).toBe(text)
  })

  it('is left alone in our own words where it is one of them', () => {
    const text = 'the admin account of code-hosting'
    expect(known.redactOwnWords(`${text}: ab12`)).toBe(`${text}: $SHORT`)
  })

  it('is ignored when it is in every text', () => {
    expect(redactorOf({ TINY: 'abc' }).redact('abc "abc"')).toBe('abc "abc"')
  })
})

describe('a URL', () => {
  it('shows where it leads, whatever is a secret', () => {
    const known = redactorOf({ KEY: 'abcd1234', HOST: '127.0.0.1' })
    expect(known.redactUrl('http://127.0.0.1:3000/a?token=abcd1234')).toBe(
      'http://127.0.0.1:3000/a?token=$KEY',
    )
  })
})

describe('what was kept of a text', () => {
  const known = redactorOf({ KEY: '0123456789abcdef' })

  it.each([
    ['x 0123456789abcdef y', 'x $KEY y'],
    ['x 01234567', 'x $KEY'],
    ['x "0123%34567', 'x "$KEY'],
    ['x \\u0030\\u0031\\u0032\\u0033\\u0034\\u00', 'x $KEY'],
    [`x ${Buffer.from('0123456789abcdef').toString('base64').slice(0, 12)}`, 'x $KEY'],
    ['x 012', 'x 012'],
    ['x 6789abcd', 'x 6789abcd'],
  ])('may end within a secret: %s', (text, expected) => {
    expect(known.redactCut(text)).toBe(expected)
  })
})

describe('several secrets', () => {
  it.each([
    ['abcd1234efgh', '$LONG'],
    ['abcd1234', '$SHORT'],
    ['abcd1234abcd1234efgh', '$SHORT$LONG'],
    ['x1234efgh', 'x$TAIL'],
  ])('of which one is part of another: %j', (text, expected) => {
    const known = redactorOf({ SHORT: 'abcd1234', LONG: 'abcd1234efgh', TAIL: '1234efgh' })
    expect(known.redact(text)).toBe(expected)
  })

  it.each([
    ['abcdef1234ghijkl', '$ONE$OTHER'],
    ['abcdef1234ghijkl1234', '$ONE$OTHER1234'],
    ['1234ghijklabcdef1234', '$OTHER$ONE'],
  ])('of which one goes on where another ends: %j', (text, expected) => {
    expect(redactorOf({ ONE: 'abcdef1234', OTHER: '1234ghijkl' }).redact(text)).toBe(expected)
  })

  it('never reach into a placeholder, at once or later', () => {
    const known = redactorOf({ API_TOKEN: 'wxyz', OTHER: 'TOKEN', THIRD: 'OTHER' })
    known.addBasic('ann', 'ANN_PASSWORD', 'API1')
    const text = `wxyz TOKEN API1 ${Buffer.from('ann:API1').toString('base64')}`
    const redacted = '$API_TOKEN $OTHER $ANN_PASSWORD $ANN_PASSWORD='
    expect(known.redact(text)).toBe(redacted)
    expect(known.redact(redacted)).toBe(redacted)
  })

  it('of the same value: the first name wins', () => {
    const known = redactorOf({ FIRST: 'same', SECOND: 'same' })
    expect(known.redact('same')).toBe('$FIRST')
  })
})

it('a secret that repeats itself is taken out whole', () => {
  expect(redactorOf({ KEY: 'aaaaaaaa' }).redact('aaaaaaaaaaaa')).toBe('$KEY')
})

describe('letter case', () => {
  it('tells apart secrets that differ in nothing else', () => {
    const known = redactorOf({ TOKEN: 'a1b2c3d4e5f6', OTHER_CASE: 'A1B2C3D4E5F6' })
    const text = 'a1b2c3d4e5f6 A1B2C3D4E5F6 a1B2C3D4E5F6'
    expect(known.redact(text)).toBe('$TOKEN $OTHER_CASE $TOKEN')
  })

  it('does not hide a secret', () => {
    expect(redactorOf({ KEY: 'Abcd-efGh' }).redact('ABCD-EFGH abcd-efgh')).toBe('$KEY $KEY')
  })

  it('leaves every character at its place, also one that becomes two', () => {
    expect(redactorOf({ KEY: 'abcd1fgh' }).redact('\u0130 ABCD1FGH \u0130')).toBe(
      '\u0130 $KEY \u0130',
    )
  })
})

describe('the beginning of a text', () => {
  const known = redactorOf({ KEY: 'abcd1fgh' })

  it.each([
    [0, ''],
    [2, 'xx'],
    [3, 'xx$KEY'],
    [9, 'xx$KEY'],
    [10, 'xx$KEY'],
    [11, 'xx$KEYy'],
    [100, 'xx$KEYyyyabc'],
  ])('of %d characters has a secret whole or not at all', (length, expected) => {
    expect(known.redactBeginning('xxabcd1fghyyyabc', length)).toBe(expected)
  })

  it('is all that is read of a long text', () => {
    const text = `${'-'.repeat(1000)}abcd1fgh`.repeat(1000)
    expect(known.redactBeginning(text, 1500)).toBe(`${'-'.repeat(1000)}$KEY${'-'.repeat(492)}`)
  })
})

describe('a JSON value', () => {
  it('has its texts, names and numbers redacted, and keeps its shape', () => {
    const known = redactorOf({ KEY: 'abcd1fgh', CODE: '123456' })
    const value = { abcd1fgh: ['x abcd1fgh', 123456, 1234567, null, true, { a: {} }] }
    expect(known.redactJson(value)).toEqual({
      $KEY: ['x $KEY', '$CODE', 1234567, null, true, { a: {} }],
    })
  })
})

describe('header fields', () => {
  const fields = (known: Redactor, ...lines: [string, string][]) =>
    known.redactFields(lines).map(({ name, value }) => `${name}: ${value}`)

  it('have their names and values redacted', () => {
    expect(fields(redactorOf({ KEY: 'abcd1fgh' }), ['X-Abcd1fgh', 'an abcd1fgh'])).toEqual([
      'X-$KEY: an $KEY',
    ])
  })

  it.each([
    [
      ['0123456789', 'abcdef'],
      ['$KEY', '$KEY'],
    ],
    [
      ['x 0123456789ab', 'cdef y'],
      ['x $KEY', 'cdef y'],
    ],
    [
      ['0123456', '789abc', 'def'],
      ['$KEY', '$KEY', 'def'],
    ],
  ])('hide a secret that goes on in the next line: %j', (values, expected) => {
    const known = redactorOf({ KEY: '0123456789abcdef' })
    const lines = values.map((value): [string, string] => ['X', value])
    expect(known.redactFields(lines).map(({ value }) => value)).toEqual(expected)
    expect(known.redact(values.join(', '))).toBe(expected.join(', '))
  })

  it('are not read together where a short secret would come about by chance', () => {
    expect(fields(redactorOf({ KEY: 'abcd' }), ['X', 'ab'], ['Y', 'cd'])).toEqual([
      'X: ab',
      'Y: cd',
    ])
  })

  it('hide what a cookie holds, whatever it is, and show its attributes', () => {
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

describe('a text that is made to be slow', () => {
  const backslashes = '\\'.repeat(40)

  it.each([
    ['of backslashes, which may stand for themselves or be escaped', `${backslashes}x`, '\\'],
    ['of quotes, which may be doubled', `${'"'.repeat(40)}x`, '"'],
    ['of what stands for letters that cannot be decoded', `${'äöü'.repeat(20)}x`, '?'],
    ['that never stops to begin', `${'a'.repeat(60)}!`, 'a'],
    ['of a long secret again and again', 'a1'.repeat(2048).concat('!'), 'a1'],
    ['of escapes of escapes', `${'%'.repeat(60)}x`, '%25'],
  ])('%s, is searched all the same', (_, value, unit) => {
    const known = redactorOf({ KEY: value })
    expect(known.redact(unit.repeat(50_000))).toBe(unit.repeat(50_000))
    expect(known.redact(`${unit.repeat(5_000)} ${value}`)).toContain('$KEY')
  })
})

it('half a surrogate pair breaks nothing', () => {
  expect(redactorOf({ HALF: 'a1\ud800b2' }).redact('a1\ud800b2')).toBe('$HALF')
})
