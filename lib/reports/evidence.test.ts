import { describe, expect, it } from 'vitest'
import {
  Evidence,
  exchangeLines,
  exchangeTitle,
  readParts,
  relatedFailures,
  relatedText,
  statusLine,
} from './evidence.ts'
import { exchangeFixture, resultFixture } from './report.fixture.ts'

const answered = exchangeFixture({ id: 'e1' })
const unanswered = exchangeFixture({ id: 'e2', attempt: 2, response: null, error: 'reset' })
const last = exchangeFixture({ id: 'e3' })
const evidence = new Evidence([answered, unanswered, last])
const all = ['e1', 'e2', 'e3']

describe('Evidence', () => {
  it('shows a failure by its first exchange', () => {
    expect(evidence.of(resultFixture({ verdict: 'fail', exchanges: all }))).toBe(answered)
  })

  it('shows anything else by the exchange without a response, or by the last', () => {
    expect(evidence.of(resultFixture({ verdict: 'inconclusive', exchanges: all }))).toBe(unanswered)
    const both = resultFixture({ verdict: 'inconclusive', exchanges: ['e1', 'e3'] })
    expect(evidence.of(both)).toBe(last)
  })
})

describe('exchangeTitle', () => {
  it('tells when it was and how long it took', () => {
    const result = resultFixture({ exchanges: ['e1'] })
    expect(exchangeTitle(answered, result)).toBe('e1, sent 2026-02-03T02:59:13.120Z, 12 ms')
  })

  it('names the attempt and the other exchanges', () => {
    expect(exchangeTitle(unanswered, resultFixture({ exchanges: all }))).toMatch(
      /12 ms, attempt 2; see also e1, e3$/,
    )
  })
})

function failure(name: string, ...exchanges: string[]) {
  return resultFixture({ requirement: `code-hosting/tokens/${name}`, verdict: 'fail', exchanges })
}

describe('related failures', () => {
  it('rest on an exchange that shows one of the two', () => {
    const [lowered, settings] = [failure('a', 'e52', 'e30'), failure('b', 'e3', 'e30', 'e52')]
    const failures = [lowered, settings, failure('c', 'e9')]

    expect(relatedFailures(lowered, failures)).toEqual([
      { requirement: 'code-hosting/tokens/b', exchange: 'e52' },
    ])
    expect(relatedFailures(settings, failures)).toEqual([
      { requirement: 'code-hosting/tokens/a', exchange: 'e52' },
    ])
  })

  it('are none where only what shows neither is shared, or nothing is known', () => {
    const failures = [failure('a', 'e1', 'e7'), failure('b', 'e2', 'e7'), failure('c')]

    for (const one of failures) expect(relatedFailures(one, failures)).toEqual([])
  })

  it('are told by name, three at most', () => {
    const failures = ['a', 'b', 'c', 'd', 'e'].map((name) => failure(name, 'e1'))
    const [first = failure('none')] = failures

    expect(relatedText(relatedFailures(first, failures))).toBe(
      'code-hosting/tokens/b rests on e1 too; code-hosting/tokens/c rests on e1 too; ' +
        'code-hosting/tokens/d rests on e1 too; 1 more likewise',
    )
    expect(relatedText([])).toBe('')
  })
})

const options = {
  read: readParts([]),
  requestDetails: true,
  body: { characters: 40, lines: 2 },
}

function responding(body: string | null, parts: object = {}) {
  const response = { status: 404, headers: [], body, bodyBytes: 0, ...parts }
  return exchangeFixture({ response })
}

function linesOf(exchange: Parameters<typeof exchangeLines>[0], parts: object = {}): string[] {
  return exchangeLines(exchange, { ...options, ...parts }).map(({ text }) => text)
}

describe('statusLine', () => {
  it('has the phrase of a status that has one, or says why nothing arrived', () => {
    expect(statusLine(responding(null))).toBe('404 Not Found')
    expect(statusLine(responding(null, { status: 799 }))).toBe('799')
    const unanswered = exchangeFixture({ response: null, error: 'reset\u001b' })
    expect(statusLine(unanswered)).toBe('no response: reset\\u001b')
  })
})

describe('exchangeLines', () => {
  it('tells apart what was sent and what was received', () => {
    expect(linesOf(exchangeFixture()).slice(0, 7)).toEqual([
      '> GET https://git.example.com/api/v1/user/repos?limit=26',
      '> Accept: application/json',
      '> Authorization: Bearer $READ_USER_TOKEN',
      '< 200 OK',
      '< Content-Type: application/json',
      '< X-PerPage: 50',
      '<',
    ])
    const brief = linesOf(exchangeFixture(), { requestDetails: false })
    expect(brief.filter((line) => line.startsWith('>'))).toHaveLength(1)
  })

  it('marks what was read, which may be a header that is common otherwise', () => {
    const reading = (reads: object) => {
      const read = readParts([resultFixture({ reads } as never)])
      const lines = exchangeLines(exchangeFixture(), { ...options, read })
      return lines.filter(({ isRead }) => isRead).map(({ text }) => text)
    }
    expect(reading({ header: 'date' })).toEqual(['< Date: Tue, 03 Feb 2026 02:59:13 GMT'])
    expect(reading({ status: true })).toEqual(['< 200 OK'])
    expect(linesOf(exchangeFixture()).join()).not.toContain('Date:')
  })

  it('lets no body pass for a header or a line of ours, nor anything be obeyed', () => {
    expect(linesOf(responding('a\r\nX-Fake: 1')).slice(-3)).toEqual(['<', '< a', '< X-Fake: 1'])
    const headers = [{ name: 'X-Hostile', value: 'a\u001b[2J\nb' }]
    const lines = linesOf(responding('\u0000', { headers }))
    expect(lines).toContain('< X-Hostile: a\\u001b[2J … [2 more characters]')
    expect(lines.at(-1)).toBe('< \\u0000')
  })

  it('says of a body that was not kept how large it was, and how much of one was', () => {
    const { request } = exchangeFixture()
    const unkept = {
      ...responding(null, { bodyBytes: 72 }),
      request: { ...request, bodyBytes: 34 },
    }
    expect(linesOf(unkept)).toContain('> [34 bytes of body, not kept]')
    expect(linesOf(unkept).at(-1)).toBe('< [72 bytes of body, not kept]')
    const last = (bodyKept: number, bodyBytes: number) =>
      linesOf(responding('abc', { bodyKept, bodyBytes })).at(-1)
    expect(last(64_000, 9_000_000)).toBe('< [kept 64 kB of 9 MB]')
    expect(last(4000, 70_000)).toBe('< [kept 4 kB of 70 kB]')
  })

  it('cuts long bodies and shows no empty ones', () => {
    expect(linesOf(responding('x'.repeat(50))).at(-1)).toBe(
      `< ${'x'.repeat(40)} … [10 more characters]`,
    )
    expect(linesOf(responding('')).at(-1)).toBe('< 404 Not Found')
  })
})
