import { describe, expect, it } from 'vitest'
import { exchangeLines, requestLine, statusLine } from './exchange-text.ts'
import { exchangeFixture } from './report.fixture.ts'

const options = { about: '', requestDetails: true, body: { characters: 40, lines: 2 } }

function responding(body: string | null, headers: { name: string; value: string }[] = []) {
  return exchangeFixture({ response: { status: 404, headers, body, bodyBytes: 0 } })
}

describe('requestLine', () => {
  it('has the method and the whole URL', () => {
    expect(requestLine(exchangeFixture())).toBe(
      'GET https://git.example.com/api/v1/user/repos?limit=26',
    )
  })
})

describe('statusLine', () => {
  it('has the status and its standard phrase', () => {
    expect(statusLine(responding(null))).toBe('404 Not Found')
  })

  it('does without a phrase for an unknown status', () => {
    const exchange = exchangeFixture({
      response: { status: 799, headers: [], body: null, bodyBytes: 0 },
    })
    expect(statusLine(exchange)).toBe('799')
  })

  it('says why nothing arrived', () => {
    expect(statusLine(exchangeFixture({ response: null, error: 'reset\u001b' }))).toBe(
      'no response: reset\\u001b',
    )
    expect(statusLine(exchangeFixture({ response: null, error: null }))).toContain('not known')
  })
})

describe('exchangeLines', () => {
  it('marks what was sent and what was received', () => {
    expect(exchangeLines(exchangeFixture(), options).slice(0, 7)).toEqual([
      '> GET https://git.example.com/api/v1/user/repos?limit=26',
      '> Accept: application/json',
      '> Authorization: Bearer $READ_USER_TOKEN',
      '< 200 OK',
      '< Content-Type: application/json',
      '< X-PerPage: 50',
      '<',
    ])
  })

  it('shows the request line alone when asked to', () => {
    const lines = exchangeLines(exchangeFixture(), { ...options, requestDetails: false })
    expect(lines.filter((line) => line.startsWith('>'))).toHaveLength(1)
  })

  it('shows a common header where the text names it', () => {
    expect(exchangeLines(exchangeFixture(), options).join()).not.toContain('Date:')
    const about = 'A `Date` is sent.'
    expect(exchangeLines(exchangeFixture(), { ...options, about }).join()).toContain('Date:')
  })

  it('lets no body pass for a header or a line of ours', () => {
    const lines = exchangeLines(responding('a\r\nX-Fake: 1'), options)
    expect(lines.slice(-3)).toEqual(['<', '< a', '< X-Fake: 1'])
  })

  it('writes control characters out, in headers too', () => {
    const headers = [{ name: 'X-Hostile', value: 'a\u001b[2J\nb' }]
    const lines = exchangeLines(responding('\u0000', headers), options)
    expect(lines).toContain('< X-Hostile: a\\u001b[2J … [2 more characters]')
    expect(lines.at(-1)).toBe('< \\u0000')
  })

  it('says of a body that was not kept how large it was', () => {
    const { request, response } = exchangeFixture()
    const lines = exchangeLines(
      exchangeFixture({
        request: { ...request, method: 'POST', bodyBytes: 34 },
        response: { status: 404, headers: [], bodyBytes: 1, ...response, body: null },
      }),
      options,
    )
    expect(lines).toContain('> [34 bytes of body, not kept]')
    expect(lines.at(-1)).toBe('< [72 bytes of body, not kept]')
  })

  it('says of a body of which the beginning was kept how much of it', () => {
    const { response } = responding('abc')
    const kept = { status: 200, headers: [], ...response, body: 'abc' }
    const last = (bodyKept: number, bodyBytes: number) =>
      exchangeLines(exchangeFixture({ response: { ...kept, bodyKept, bodyBytes } }), options).at(-1)
    expect(last(64_000, 9_000_000)).toBe('< [kept 64 kB of 9 MB]')
    expect(last(4000, 70_000)).toBe('< [kept 4 kB of 70 kB]')
  })

  it('cuts long bodies and shows no empty ones', () => {
    expect(exchangeLines(responding('x'.repeat(50)), options).at(-1)).toBe(
      `< ${'x'.repeat(40)} … [10 more characters]`,
    )
    expect(exchangeLines(responding(''), options).at(-1)).toBe('< 404 Not Found')
  })
})
