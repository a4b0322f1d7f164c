import { describe, expect, it } from 'vitest'
import type { ExchangeRecord } from '../probe/exchange.ts'
import type { RunReport } from '../results/run-report.ts'
import { evidenceHar } from './har.ts'
import { readHar } from './har-schema.fixture.ts'
import { exchangeFixture, reportFixture } from './report.fixture.ts'

const logOf = (parts: Partial<RunReport> = {}) =>
  readHar(evidenceHar(reportFixture(parts), 'nonconformant: 1')).log

function entryOf(parts: Partial<ExchangeRecord>) {
  const [entry] = logOf({ exchanges: [exchangeFixture(parts)] }).entries
  if (entry === undefined) throw new Error('there is no entry')
  return entry
}

describe('evidenceHar', () => {
  it('returns valid HAR 1.2', () => {
    expect(logOf()).toMatchObject({ version: '1.2', creator: { name: 'Plumbline' } })
  })

  it('has the redirect URL, and no size of an encoded body', () => {
    const headers = [
      { name: 'Location', value: '/elsewhere' },
      { name: 'Content-Encoding', value: 'gzip' },
    ]
    const response = { status: 302, headers, body: 'unpacked', bodyBytes: 7 }
    expect(entryOf({ response }).response).toMatchObject({
      redirectURL: '/elsewhere',
      bodySize: -1,
    })
  })

  it.each([
    ['http://[::1]:3000/a?b[]={c}|^`', 'http://[::1]:3000/a?b%5B%5D=%7Bc%7D%7C%5E%60'],
    ['https://a.example/100%/ä?q="x"#part', 'https://a.example/100%25/%C3%A4?q=%22x%22'],
    ['https://a.example/%41\ud800', 'https://a.example/%41%EF%BF%BD'],
    ['https://a.example?token=$ALL_TOKEN', 'https://a.example?token=$ALL_TOKEN'],
    ['no url <script>', 'http://url.invalid/?no%20url%20%3Cscript%3E'],
    ['http://a b/c', 'http://url.invalid/?http://a%20b/c'],
  ])('makes of %j a URL that can be parsed', (url, expected) => {
    const request = { ...exchangeFixture().request, url }
    expect(entryOf({ request }).request.url).toBe(expected)
    expect(URL.canParse(expected)).toBe(true)
  })
})
