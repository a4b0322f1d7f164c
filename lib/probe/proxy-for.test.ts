import { expect, it } from 'vitest'
import { proxyFor } from './proxy-for.ts'

const proxies = { http: 'http://proxy.example:3128', https: 'http://proxy.example:3129' }
const isDirect = (url: string, no: string) =>
  proxyFor(new URL(url), { ...proxies, no }) === undefined

it.each([
  ['*', 'http://a.example'],
  ['a.example', 'http://a.example'],
  ['A.example', 'https://b.a.example:8443'],
  ['x, .example', 'http://a.example'],
  ['*.example', 'http://a.example'],
  ['a.example:8080', 'http://a.example:8080'],
  ['a.example:443', 'https://a.example'],
  ['::1', 'http://[::1]:3000'],
  ['[::1]', 'http://[::1]'],
  ['[::1]:3000', 'http://[::1]:3000'],
  ['0:0:0:0:0:0:0:1', 'http://[::1]'],
  ['127.0.0.1 localhost', 'http://localhost'],
  ['10.0.0.0/8', 'http://10.1.2.3'],
  ['fd00::/8', 'http://[fd12::3]'],
])('NO_PROXY=%s excludes %s', (no, url) => {
  expect(isDirect(url, no)).toBe(true)
})

it.each([
  ['', 'http://a.example'],
  ['a.example', 'http://ba.example'],
  ['a.example:8080', 'http://a.example'],
  ['::1', 'http://[::2]'],
  ['[::1]:3000', 'http://[::1]:3001'],
  ['0.0.1', 'http://127.0.0.1'],
  ['10.0.0.0/8', 'http://11.1.2.3'],
  ['10.0.0.0/8', 'http://a.example'],
  ['10.*, a.example/path, 10/8, [::1, a@b, a:b', 'http://a.example'],
])('NO_PROXY=%s does not exclude %s', (no, url) => {
  expect(isDirect(url, no)).toBe(false)
})

it('returns the proxy of the scheme', () => {
  expect(proxyFor(new URL('http://a.example'), proxies)).toBe(proxies.http)
  expect(proxyFor(new URL('https://a.example'), proxies)).toBe(proxies.https)
  expect(proxyFor(new URL('https://a.example'))).toBeUndefined()
})
