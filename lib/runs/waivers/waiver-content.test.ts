import { describe, expect, it } from 'vitest'
import type { Deviation } from '../../results/run-report.ts'
import { matchWaiver } from './match-waiver.ts'
import { toWaiverContent } from './waiver-content.ts'

const normalize = (text: string) => text

/** Actors, ways to send credentials, and endpoints, each in every combination. */
const ids = ['a', 'b', 'c'].flatMap((actor) =>
  ['', 'sent as token, ', 'sent as ?token=, '].flatMap((way) =>
    ['GET /user', 'GET /user, Accept: */*', 'GET /user/repos'].map(
      (path) => `${actor}, ${way}${path}`,
    ),
  ),
)
const numbers = ids.map((_, number) => number)
const having = (text: string) => numbers.filter((number) => ids[number]?.includes(text))

const deviation = (parts: Partial<Deviation> = {}): Deviation => ({
  ...{ subject: 'GET /user 200', expected: '', actual: 'no X' },
  ...parts,
})

/** Returns the content for these cases, if all others conform. */
function contentFor(cases: readonly number[], ...more: Deviation[]) {
  const conforming = numbers.filter((number) => !cases.includes(number))
  const all = [deviation({ cases: [...cases] }), ...more]
  return toWaiverContent(all, conforming, normalize, ids)
}

describe('toWaiverContent', () => {
  it.each([
    ['one case', [4], 1],
    ['a part that only they have', having('sent as token, '), 1],
    [
      'the first and the last part',
      having('c, ').filter((n) => having('/user/repos').includes(n)),
      3,
    ],
    ['an asterisk', having('*'), 1],
    ['two parts', [...having('a, '), ...having('sent as token, ')], 2],
    ['no common part', [0, 4, 8, 9, 14], 5],
  ])('covers exactly the cases with %s, by few patterns', (_name, cases, count) => {
    const content = contentFor(cases)
    expect(content.deviations?.[0]?.cases.length).toBeLessThanOrEqual(count)
    const again = numbers.map((number) => deviation({ cases: [number] }))
    const { covered } = matchWaiver(content, again, normalize, ids)
    const numbersOf = covered.flatMap((one) => one.cases ?? [])
    expect(numbersOf).toEqual([...new Set(cases)].toSorted((a, b) => a - b))
  })

  it('has no cases if none conforms', () => {
    expect(contentFor(numbers)).toEqual({ actual: 'GET /user 200: no X' })
    const other = deviation({ subject: 'GET /b 404', actual: 'x *' })
    const both = ['GET /user 200: no X', 'GET /b 404: x \\*']
    expect(contentFor(numbers, other)).toEqual({ actual: both })
  })

  it('has one pattern for equal values of several requests, which covers no other value', () => {
    const others = ['GET /a 200', 'GET /b 404'].map((subject) => deviation({ subject }))
    const content = contentFor(numbers, ...others)
    expect(content).toEqual({ actual: '*: no X' })
    const again = [deviation({ subject: 'GET /c 200' }), deviation({ actual: 'X: 0' })]
    expect(matchWaiver(content, again, normalize)).toEqual({
      ...{ covered: again.slice(0, 1), others: again.slice(1), unmatched: [] },
    })
  })
})
