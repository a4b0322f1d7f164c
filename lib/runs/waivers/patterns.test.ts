import { describe, expect, it } from 'vitest'
import { createNormalizer } from '../../results/normalize.ts'
import { matchWaiver, toPattern } from './patterns.ts'

const normalizeIn = (id: string) =>
  createNormalizer({
    run: { id },
    target: { codeHosting: { baseUrl: `https://${id}.example.com` } },
  })
const normalize = normalizeIn('q7k2')

const deviation = (actual: string, subject?: string) => ({
  expected: 'another one',
  actual,
  ...(subject !== undefined && { subject }),
})

const isCovered = (actual: string | string[] | undefined, text: string, subject?: string) =>
  matchWaiver(actual === undefined ? {} : { actual }, [deviation(text, subject)], normalize).others
    .length === 0

describe('a pattern', () => {
  it.each<[string | string[] | undefined, string, boolean]>([
    [undefined, 'anything', true],
    ['status 403', 'status 403', true],
    ['status 403', 'status 403 (no)', false],
    ['status 40', 'status 403', false],
    ['status *', 'status 403', true],
    ['*', '', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['ab*bc', 'abc', false],
    ['*.*', 'status 403', false],
    [['status 401', 'status 403'], 'status 403', true],
    [['status 401', 'status 404'], 'status 403', false],
    // An asterisk of the text itself.
    ['Access-Control-Allow-Origin: \\*', 'Access-Control-Allow-Origin: *', true],
    ['Access-Control-Allow-Origin: \\*', 'Access-Control-Allow-Origin: x', false],
    ['a folded\n  text', 'a folded text', true],
    [
      'link https://q7k2.example.com/x?at=2026-01-01T00:00:00Z',
      'link https://q7k2.example.com/x?at=2026-03-04T05:06:07Z',
      true,
    ],
    ['name plumbline-*', 'name plumbline-q7k2-all', true],
    ['name plumbline-20260203t0259-a1b2c3-all', 'name plumbline-q7k2-all', true],
  ])('%j of a waiver matches %j: %s', (pattern, text, expected) => {
    expect(isCovered(pattern, text)).toBe(expected)
  })

  it('includes the request and the status of a deviation', () => {
    const matches = (pattern: string) => isCovered(pattern, 'no url', 'GET /api/v1/user 403')
    expect(
      [
        'GET /api/v1/user 403: no url',
        '* 403: no url',
        'no url',
        'GET /api/v1/user/repos 403: no url',
      ].map(matches),
    ).toEqual([true, true, false, false])
  })

  it('made from a deviation matches it in another run and on another host only', () => {
    const seen = (run: string) =>
      deviation(
        `* "a\\*" {"id":${run.length}} plumbline-${run}-all at https://${run}.example.com/x`,
      )
    const pattern = toPattern(seen('q7k2'), normalize)
    const elsewhere = normalizeIn('another-run')
    const matched = (actual: string) =>
      matchWaiver({ actual: pattern }, [{ ...seen('another-run'), actual }], elsewhere).covered
        .length
    expect(matched(seen('another-run').actual)).toBe(1)
    expect(matched(seen('another-run').actual.replace('*', 'x'))).toBe(0)
  })

  it('with many asterisks is matched in linear time', () => {
    expect(isCovered(`${'*a'.repeat(500)}b`, 'a'.repeat(2000))).toBe(false)
  })
})

it('splits deviations by whether a pattern matches, and returns unmatched patterns', () => {
  const deviations = ['one', 'two', 'three'].map((text) => deviation(text))
  const { covered, others, unmatched } = matchWaiver(
    { actual: ['t*', 'four', 'three'] },
    deviations,
    normalize,
  )
  expect(covered).toEqual(deviations.slice(1))
  expect(others).toEqual(deviations.slice(0, 1))
  expect(unmatched).toEqual(['four'])
})
