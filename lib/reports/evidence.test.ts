import { describe, expect, it } from 'vitest'
import { aboutText, Evidence, exchangeTitle, relatedFailures, relatedText } from './evidence.ts'
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

  it('has nothing for a result without exchanges, or with unknown ones', () => {
    expect(evidence.of(resultFixture())).toBeUndefined()
    expect(evidence.of(resultFixture({ verdict: 'fail', exchanges: ['e9'] }))).toBeUndefined()
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

  it('does not list hundreds', () => {
    const exchanges = Array.from({ length: 300 }, (_, index) => `e${index + 1}`)
    expect(exchangeTitle(answered, resultFixture({ exchanges }))).toMatch(
      /see also e2, e3, e4, e5, e6 and 294 more$/,
    )
  })
})

describe('aboutText', () => {
  it('has all that is said about a result', () => {
    const result = resultFixture({ statement: 'one', expected: 'two', actual: 'three' })
    expect(aboutText(result).trim()).toBe('one two three')
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
