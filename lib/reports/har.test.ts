import { describe, expect, it } from 'vitest'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { evidenceHar } from './har.ts'
import { readHar } from './har-schema.fixture.ts'
import { reportModel } from './model.ts'
import { exchangeFixture, reportFixture, resultFixture } from './report.fixture.ts'

const { log } = readHar(evidenceHar(reportModel(reportFixture())))

function entryOf(parts: Partial<ExchangeRecord>) {
  const [entry] = readHar(
    evidenceHar(reportModel(reportFixture({ exchanges: [exchangeFixture(parts)] }))),
  ).log.entries
  if (entry === undefined) throw new Error('there is no entry')
  return entry
}

function requesting(parts: Partial<ExchangeRecord['request']>) {
  return entryOf({ request: { ...exchangeFixture().request, ...parts } }).request
}

function responding(headers: [string, string][], body: string | null = null) {
  const fields = headers.map(([name, value]) => ({ name, value }))
  return entryOf({ response: { status: 302, headers: fields, body, bodyBytes: 7 } }).response
}

describe('evidenceHar', () => {
  it('returns valid HAR 1.2 with its creator', () => {
    expect(log).toMatchObject({
      version: '1.2',
      creator: { name: 'Plumbline', version: '0.1.0' },
      comment: 'Run q7k2, nonconformant: 2 of 9 requirements failed; 1 of 9 inconclusive',
    })
  })
})

describe('evidenceHar, entries', () => {
  it('have the unchanged request and response', () => {
    const [, { request, response } = entryOf({})] = log.entries
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://git.example.com/api/v1/users/maria/tokens',
      headers: [
        { name: 'Authorization', value: 'Basic base64(maria:$CODE_HOSTING_PASSWORD)' },
        { name: 'Content-Type', value: 'application/json' },
      ],
      postData: {
        mimeType: 'application/json',
        text: '{"name":"it\'s a name","scopes":["read:user"]}',
      },
      bodySize: 45,
    })
    expect(response).toMatchObject({
      status: 500,
      statusText: 'Internal Server Error',
      headers: [{ name: 'X-Hostile', value: 'value\u001b[2J' }],
      content: { size: 180, mimeType: 'x-unknown', text: expect.stringMatching(/^first line\n/) },
      bodySize: 180,
    })
  })

  it('have status 0 and the error if there is no response', () => {
    const { response, comment } = log.entries[2] ?? {}
    expect(response).toMatchObject({
      status: 0,
      content: { size: 0, mimeType: 'x-unknown' },
      _error: 'connect ECONNREFUSED 192.0.2.7:443',
    })
    expect(comment).toContain('attempt 2; no response: connect ECONNREFUSED')
  })

  it('have a comment with the purpose and the verdicts', () => {
    const results = [
      resultFixture({ requirement: 'a/b/one', exchanges: ['e1', 'e1'] }),
      resultFixture({ requirement: 'a/b/two', verdict: 'fail', exchanges: ['e2', 'e1'] }),
      resultFixture({ requirement: 'a/b/three', exchanges: ['e1'] }),
    ]
    const read = readHar(evidenceHar(reportModel(reportFixture({ results }))))
    expect(read.log.entries.map(({ comment }) => comment)).toEqual([
      'e1, for code-hosting/pagination/limit-lowered; pass: a/b/one; fail: a/b/two; pass: a/b/three',
      'e2, for token read-user; fail: a/b/two',
      expect.stringMatching(/^e3, (?!.*; (?:pass|fail): )/),
    ])
  })

  it('have the redirect URL, the media type, and no unknown size', () => {
    expect(responding([['Location', '/elsewhere']])).toMatchObject({
      redirectURL: '/elsewhere',
      content: { mimeType: 'x-unknown', size: 7 },
      bodySize: 7,
    })
    expect(responding([['Content-Encoding', 'gzip']], 'unpacked').bodySize).toBe(-1)
  })
})

describe('evidenceHar, URLs', () => {
  it.each([
    ['https://a.example/api/../x?limit=26', 'https://a.example/api/../x?limit=26'],
    ['http://[::1]:3000/a?b[]={c}|^`', 'http://[::1]:3000/a?b%5B%5D=%7Bc%7D%7C%5E%60'],
    ['https://a.example/100%/ä?q="x"#part', 'https://a.example/100%25/%C3%A4?q=%22x%22'],
    ['https://a.example/%41\ud800', 'https://a.example/%41%EF%BF%BD'],
    ['https://a.example?token=$ALL_TOKEN', 'https://a.example?token=$ALL_TOKEN'],
    ['no url <script>', 'http://url.invalid/?no%20url%20%3Cscript%3E'],
    ['javascript:alert(1)', 'http://url.invalid/?javascript:alert(1)'],
    ['http://a b/c', 'http://url.invalid/?http://a%20b/c'],
  ])('%j becomes one that URL can parse', (url, expected) => {
    const read = requesting({ url }).url
    expect(read).toBe(expected)
    expect(URL.canParse(read)).toBe(true)
  })
})
