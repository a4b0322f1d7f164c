import { describe, expect, it } from 'vitest'
import { exchangeFixture, reportFixture } from './report.fixture.ts'
import { counted, durationText, embeddedNote, requestsText, serviceName } from './run-words.ts'

describe('durationText', () => {
  it.each([
    [0, '0 ms'],
    [839.6, '840 ms'],
    [12_340, '12.3 s'],
    [59_949, '59.9 s'],
    [59_960, '1 min 00 s'],
    [185_000, '3 min 05 s'],
  ])('%d is %s', (milliseconds, expected) => {
    expect(durationText(milliseconds)).toBe(expected)
  })
})

describe('requestsText', () => {
  it('names retries where there were any', () => {
    expect(requestsText(reportFixture())).toBe('3 requests (1 retry) in 12.3 s')
    expect(requestsText(reportFixture({ exchanges: [exchangeFixture()] }))).toBe(
      '1 request in 12.3 s',
    )
  })
})

describe('embeddedNote', () => {
  it('is there for the embedded deployment only', () => {
    expect(embeddedNote(reportFixture())).toContain('none of yours')
    expect(embeddedNote({ target: { codeHosting: { baseUrl: 'https://a.example' } } })).toBe('')
  })
})

it('spells services as ids do, and counts', () => {
  expect(serviceName('codeHosting')).toBe('code-hosting')
  expect([counted(1, 'thing', 'things'), counted(0, 'thing', 'things')]).toEqual([
    '1 thing',
    '0 things',
  ])
})
