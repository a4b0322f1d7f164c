import { describe, expect, it } from 'vitest'
import type { InspectedPart } from '../results/run-report.ts'
import { excerptBody, messagesOf } from './exchange-text.ts'
import { exchangeFixture } from './report.fixture.ts'

const body = { characters: 40, lines: 2 }

function linesOf(exchange = exchangeFixture(), reads: InspectedPart[] = []): string[] {
  const { sent, received } = messagesOf(exchange, reads, body)
  const lines = [sent, received].flatMap((one) => [...one.head, ...one.body])
  return lines.map(({ text, isMarked }) => (isMarked ? `! ${text}` : text))
}

function responding(body: string | null, parts: object = {}) {
  const response = { status: 404, headers: [], body, bodyBytes: 0, ...parts }
  return exchangeFixture({ response })
}

describe('messagesOf', () => {
  it('marks an inspected status', () => {
    expect(linesOf(exchangeFixture(), [{ status: true }])).toContain('! 200 OK')
  })

  it('marks an inspected field in any letter case', () => {
    const headers = [{ name: 'x-page', value: '1' }]
    const lines = linesOf(responding('', { headers }), [{ header: 'X-Page' }])
    expect(lines).toContain('! x-page: 1')
  })

  it('keeps lines of a body distinct from header fields and removes control characters', () => {
    expect(linesOf(responding('a\r\nX-Fake: 1')).slice(-2)).toEqual(['a', 'X-Fake: 1'])
    expect(linesOf(responding('X-Fake: 1'), [{ header: 'X-Fake' }]).at(-1)).toBe('X-Fake: 1')
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

it.each([
  [' [ ] ', '[]'],
  ['"a, b: {c}"', '"a, b: {c}"'],
  ['{"a":1,"b":[true,null]}', '{\n  "a": 1,\n  "b": [\n    true,\n    null\n  ]\n}'],
  ['[{"a":{}},[]]', '[\n  {\n    "a": {}\n  },\n  []\n]'],
  [
    '{"id":12345678901234567890,"id":1.0e2,"name":"\\u00e4\\/","name":"\\"}{"}',
    '{\n  "id": 12345678901234567890,\n  "id": 1.0e2,\n  "name": "\\u00e4\\/",\n  "name": "\\"}{"\n}',
  ],
  ['<b>\r\n"a": 1\n', '<b>\n"a": 1\n'],
  ['{"a" : ', '{"a" : '],
])('formats %s as JSON, changing only white space', (text, formatted) => {
  const lines = excerptBody(text, { characters: 1000, lines: 100 })
  expect(lines.map((line) => line.text).join('\n')).toBe(formatted)
})

it('excerptBody truncates a body and counts the omitted characters', () => {
  const body = JSON.stringify(Array.from({ length: 50 }, (_, index) => index))
  const lines = excerptBody(body, { characters: 1000, lines: 10 })
  expect(lines).toHaveLength(10)
  expect(lines.at(-1)?.text).toMatch(/ … \[\d+ more characters\]$/)
})

describe('excerptBody with pointers', () => {
  const record = (index: number) => ({
    id: index,
    full_name: `maria/repository-${index}`,
    description: 'x'.repeat(60),
    permissions: { admin: true, push: true, pull: true },
  })
  const list = JSON.stringify(Array.from({ length: 400 }, (_, index) => record(index)))
  const small = { characters: 480, lines: 8 }
  const large = { characters: 4000, lines: 20 }
  const excerptOf = (body: string, pointer: string, limits = small) =>
    excerptBody(body, limits, [{ pointer }])
  const markedIn = (...args: Parameters<typeof excerptOf>) =>
    excerptOf(...args).flatMap(({ text, isMarked }) => (isMarked ? text : []))

  it('returns one record of a list of 60 kB and marks its line', () => {
    expect(list.length).toBeGreaterThan(60_000)
    const lines = excerptOf(list, '/317/full_name')
    expect(markedIn(list, '/317/full_name')).toEqual(['    "full_name": "maria/repository-317",'])
    expect(lines.length).toBeLessThanOrEqual(small.lines + 2)
    expect(lines.map(({ text }) => text).join('').length).toBeLessThan(2 * small.characters)
  })

  it('marks each line of a value, and the first line of a record that lacks a member', () => {
    expect(markedIn(list, '/5/permissions', large)).toHaveLength(5)
    expect(markedIn(list, '/5', large)).toHaveLength(10)
    expect(markedIn(list, '/5/url', large)).toEqual(['  {'])
  })

  it('truncates a long line around the part without splitting a character', () => {
    const body = JSON.stringify({ text: '😀'.repeat(5000), wrong: 'y'.repeat(5000) })
    expect(markedIn(body, '/wrong')[0]).toMatch(/^ {2}"wrong": "y+…$/)
    expect(JSON.stringify(excerptOf(body, '/wrong'))).not.toContain('\\\\ud8')
  })

  it('names the part if it was not kept', () => {
    const start = list.slice(0, 30_000)
    const [line, ...others] = excerptOf(start, '/317/full_name', large)
    expect([line?.isMarked, others]).toEqual([false, []])
    expect(line?.text).toMatch(/^\[\/317\/full_name .*\]$/)
    expect(markedIn(start, '/17/full_name')).toHaveLength(1)
  })
})
