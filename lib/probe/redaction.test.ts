import { describe, expect, it } from 'vitest'
import { Redactor } from './redaction.ts'

const secret = 'pä ss/w+ö"r\\d&<€>\'=\n!~*()'

function redactorOf(secrets: Record<string, string>): Redactor {
  const redactor = new Redactor()
  for (const [name, value] of Object.entries(secrets)) redactor.add(name, value)
  return redactor
}

const redactor = redactorOf({ THE_SECRET: secret })
const base64 = Buffer.from(secret).toString('base64')
const percentEncoded = encodeURIComponent(secret)

function lowerCaseEscapes(text: string): string {
  return text.replace(/%[\dA-F]{2}/g, (encoded) => encoded.toLowerCase())
}

function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]|[<>&]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

describe('a secret is replaced', () => {
  it.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in JSON of ASCII alone, as PHP and Python write it', asciiJson(secret).slice(1, -1)],
    ['in JSON with a slash escaped', JSON.stringify(secret).slice(1, -1).replace('/', '\\/')],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1)],
    ['in a URL', percentEncoded],
    ['in a URL with escapes in lower case', lowerCaseEscapes(percentEncoded)],
    ['in a URL with few escapes', encodeURI(secret)],
    ['in a form', new URLSearchParams({ a: secret }).toString().slice(2)],
    [
      'in a form with escapes in lower case',
      lowerCaseEscapes(`${new URLSearchParams([['', secret]])}`).slice(1),
    ],
    ['in a header that is decoded byte by byte', Buffer.from(secret).toString('latin1')],
    ['in HTML', secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;')],
    ['in base64', base64],
    ['in base64 without padding', base64.replace(/=+$/, '')],
    ['in base64 for URLs', Buffer.from(secret).toString('base64url')],
    ['in base64 within a URL', encodeURIComponent(base64)],
  ])('%s', (_, form) => {
    expect(form).not.toBe('')
    expect(redactor.redact(`a:${form};b ${form}`)).toBe('a:$THE_SECRET;b $THE_SECRET')
  })

  it.each(['YQ', 'a?~~', 'b??>', 'abc'])('in every base64 form of %j', (value) => {
    const short = redactorOf({ KEY: value })
    const bytes = Buffer.from(value)
    for (const form of [bytes.toString('base64'), bytes.toString('base64url')]) {
      expect(short.redact(`<${form}>`)).toBe('<$KEY>')
    }
  })
})

describe('basic authentication', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  it('shows the name and hides the password', () => {
    const known = new Redactor()
    known.addBasic('maria', 'PASSWORD', secret)
    const credentials = Buffer.from(`maria:${secret}`).toString('base64')
    const shown = 'base64(maria:$PASSWORD)'
    expect(known.redact(`Basic ${credentials}`)).toBe(`Basic ${shown}`)
    expect(known.redact(`{"got":"${credentials}"}`)).toBe(`{"got":"${shown}"}`)
    expect(known.redact(`?got=${encodeURIComponent(credentials)}`)).toBe(`?got=${shown}`)
    expect(known.redact(credentials.replace(/=+$/, '').replaceAll('/', '_'))).toBe(shown)
    expect(known.redact(secret)).toBe('$PASSWORD')
  })

  it('is looked into where name and password were not registered together', () => {
    expect(redactor.redact(basic(`any:${secret}`))).toBe('Basic base64(any:$THE_SECRET)')
    expect(redactor.redact(basic(`${secret}:x`).replace('B', 'b'))).toBe(
      'basic base64($THE_SECRET:x)',
    )
  })

  it('hides a name that is a secret too', () => {
    const known = new Redactor()
    known.addBasic('maria', 'PASSWORD', 'maria')
    expect(known.redact(basic('maria:maria'))).toBe('Basic base64($PASSWORD:$PASSWORD)')
  })

  it('leaves other credentials alone, and finds a secret that stands there as it is', () => {
    expect(redactor.redact(basic('maria:other'))).toBe(basic('maria:other'))
    expect(redactorOf({ TOKEN: 'abc.def' }).redact('Basic abc.def')).toBe('Basic $TOKEN')
  })

  it('with an empty password has nothing to hide', () => {
    const known = new Redactor()
    known.addBasic('maria', 'PASSWORD', '')
    expect(known.redact(basic('maria:'))).toBe(basic('maria:'))
  })
})

describe('numeric secrets', () => {
  const known = redactorOf({ CODE: '123456' })

  it.each([
    ['123456', '$CODE'],
    ['{"code":123456}', '{"code":$CODE}'],
    ['code=123456&a', 'code=$CODE&a'],
    ['a123456b', 'a$CODEb'],
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

describe('several secrets', () => {
  it.each([
    ['abcdef', '$LONG'],
    ['abc', '$SHORT'],
    ['abcabcdef', '$SHORT$LONG'],
    ['xbcdef', 'x$TAIL'],
  ])('of which one is part of another: %j', (text, expected) => {
    const known = redactorOf({ SHORT: 'abc', LONG: 'abcdef', TAIL: 'bcdef' })
    expect(known.redact(text)).toBe(expected)
  })

  it('never reach into a placeholder, at once or later', () => {
    const known = redactorOf({ API_TOKEN: 'xyz', OTHER: 'TOKEN', THIRD: 'OTHER' })
    known.addBasic('ann', 'ANN_PASSWORD', 'API')
    const text = `xyz TOKEN API ${Buffer.from('ann:API').toString('base64')}`
    const redacted = '$API_TOKEN $OTHER $ANN_PASSWORD base64(ann:$ANN_PASSWORD)'
    expect(known.redact(text)).toBe(redacted)
    expect(known.redact(redacted)).toBe(redacted)
  })

  it('of the same value: the first name wins', () => {
    const known = redactorOf({ FIRST: 'same', SECOND: 'same' })
    expect(known.redact('same')).toBe('$FIRST')
  })

  it('that come later are known from then on', () => {
    const known = redactorOf({ FIRST: 'one' })
    expect(known.redact('one two')).toBe('$FIRST two')
    known.add('SECOND', 'two')
    expect(known.redact('one two')).toBe('$FIRST $SECOND')
  })
})

describe('no secret', () => {
  it('is an empty value', () => {
    expect(redactorOf({ EMPTY: '' }).redact('a b')).toBe('a b')
    expect(redactorOf({ EMPTY: '', KEY: 'k1' }).redact('a k1')).toBe('a $KEY')
  })

  it('leaves any text as it is', () => {
    expect(new Redactor().redact('Basic YTpi $A')).toBe('Basic YTpi $A')
    expect(redactor.redact('$1 $& .*')).toBe('$1 $& .*')
  })

  it('is broken by half a surrogate pair', () => {
    expect(redactorOf({ HALF: 'a\ud800b' }).redact('a\ud800b')).toBe('$HALF')
  })
})
