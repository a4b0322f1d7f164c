import { describe, expect, it } from 'vitest'
import { inspectedParts, messageLines } from './exchange-text.ts'
import { exchangeFixture, resultFixture } from './report.fixture.ts'

const body = { characters: 40, lines: 2 }

function linesOf(exchange = exchangeFixture(), read = inspectedParts([])): string[] {
  const { sent, received } = messageLines(exchange, { read, body })
  return [...sent, ...received].map(({ text, isMarked }) => (isMarked ? `! ${text}` : text))
}

function responding(body: string | null, parts: object = {}) {
  const response = { status: 404, headers: [], body, bodyBytes: 0, ...parts }
  return exchangeFixture({ response })
}

describe('messageLines', () => {
  it('marks inspected parts', () => {
    const marked = (reads: { header: string } | { status: true }) => {
      const lines = linesOf(exchangeFixture(), inspectedParts([resultFixture({ reads })]))
      return lines.filter((line) => line.startsWith('! '))
    }
    expect(marked({ header: 'date' })).toEqual(['! Date: Tue, 03 Feb 2026 02:59:13 GMT'])
    expect(marked({ status: true })).toEqual(['! 200 OK'])
  })

  it('keeps lines of a body distinct from header fields and removes control characters', () => {
    expect(linesOf(responding('a\r\nX-Fake: 1')).slice(-3)).toEqual(['', 'a', 'X-Fake: 1'])
    const read = inspectedParts([resultFixture({ reads: { header: 'X-Fake' } })])
    expect(linesOf(responding('X-Fake: 1'), read).at(-1)).toBe('X-Fake: 1')
    const headers = [{ name: 'X-Hostile', value: 'a\u001b[2J\nb' }]
    const lines = linesOf(responding('\u0000', { headers }))
    expect(lines).toContain('X-Hostile: a\\u001b[2J … [2 more characters]')
    expect(lines.at(-1)).toBe('\\u0000')
  })

  it('reports the size of a body that was not kept, or of its kept part', () => {
    const request = { ...exchangeFixture().request, bodyBytes: 34 }
    const unkept = linesOf({ ...responding(null, { bodyBytes: 72 }), request })
    expect(unkept).toContainEqual(expect.stringMatching(/^\[34 .*\]$/))
    expect(unkept.at(-1)).toMatch(/^\[72 .*\]$/)
    const last = (bodyKept: number, bodyBytes: number) =>
      linesOf(responding('abc', { bodyKept, bodyBytes })).at(-1)
    expect(last(64_000, 9_000_000)).toBe('[kept 64 kB of 9 MB]')
    expect(last(4000, 70_000)).toBe('[kept 4 kB of 70 kB]')
  })
})
