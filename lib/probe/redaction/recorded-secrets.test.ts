import { describe, expect, it } from 'vitest'
import { isSecretName, recordedSecrets } from './recorded-secrets.ts'

const secretsOf = (url: string, headers: Record<string, string> = {}, body = '') =>
  recordedSecrets(url, [
    { headers: Object.entries(headers).map(([name, value]) => ({ name, value })), body },
  ]).flatMap(({ name, value }) => (value === '' ? [] : [[name, value]]))

const url = 'https://git.example.com/api/v1/user'

describe('recordedSecrets', () => {
  it('returns credentials without their scheme, and the password of basic authentication', () => {
    const basic = Buffer.from('maria:pass:word').toString('base64')
    expect(secretsOf(url, { authorization: `Basic ${basic}` })).toEqual([
      ['RECORDED_AUTHORIZATION', basic],
      ['RECORDED_AUTHORIZATION', 'pass:word'],
    ])
    expect(secretsOf(url, { 'Proxy-Authorization': 'Bearer abc' })).toEqual([
      ['RECORDED_PROXY_AUTHORIZATION', 'abc'],
    ])
    expect(secretsOf(url, { Authorization: 'token' })).toEqual([])
    expect(secretsOf(url, { Authorization: 'a-raw-key' })).toEqual([
      ['RECORDED_AUTHORIZATION', 'a-raw-key'],
    ])
  })

  it('returns cookies, one-time codes and keys of fields', () => {
    const headers = {
      Cookie: 'session=one; lang=two',
      'Set-Cookie': 'session=three; Path=/',
      'X-Gitea-OTP': '123456',
      'X-Events-Key': 'four',
    }
    expect(secretsOf(url, headers).map(([, value]) => value)).toEqual([
      'one',
      'two',
      'three',
      '123456',
      'four',
    ])
  })

  it('returns parameters of URLs, also of those in fields and forms', () => {
    expect(secretsOf(`${url}?page=2&access_token=a%20b#x`)).toEqual([
      ['RECORDED_ACCESS_TOKEN', 'a b'],
    ])
    expect(secretsOf(url, { Link: `<${url}?token=abc>; rel="next"` })).toEqual([
      ['RECORDED_TOKEN', 'abc'],
    ])
    expect(secretsOf(url, {}, 'login=maria&password=a+b')).toEqual([['RECORDED_PASSWORD', 'a b']])
    expect(secretsOf('https://maria:p%2Fw@git.example.com/')).toEqual([
      ['RECORDED_PASSWORD', 'p/w'],
    ])
  })

  it('returns members of bodies at any depth', () => {
    const body = JSON.stringify({
      a: [{ sha1: 'one', token_last_eight: '12345678' }],
      newPassword: 'a"b',
    })
    expect(secretsOf(url, {}, body)).toEqual([
      ['RECORDED_SHA1', 'one'],
      ['RECORDED_NEWPASSWORD', 'a"b'],
    ])
  })

  it.each([
    'author',
    'token_type',
    'token_last_eight',
    'next',
    'sha',
    'keyboard',
    'WWW-Authenticate',
  ])('leaves %s', (name) => expect(isSecretName(name)).toBe(false))
})
