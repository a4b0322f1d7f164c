import { describe, expect, it } from 'vitest'
import { relatedFailures, relatedText } from './related-failures.ts'
import { resultFixture } from './report.fixture.ts'

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
