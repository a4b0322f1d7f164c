import { expect, it } from 'vitest'
import type { Observed } from '../compare/observation-diff.ts'
import {
  type Baseline,
  baselineText,
  readBaseline,
  reviewBaseline,
  updatedBaseline,
} from './baseline.ts'

const target = { codeHosting: { baseUrl: 'https://git.example.com/base' } }
const [one, two, three] = ['code-hosting/a/one', 'code-hosting/a/two', 'code-hosting/a/three']
const ofOtherService = 'event-publishing/a/status'
const known = new Set([one, two, three, ofOtherService])

const baseline: Baseline = {
  schema: 1,
  target: { codeHosting: 'https://git.example.com/base' },
  observations: { [one]: 400, [two]: 'array', [ofOtherService]: 202, 'code-hosting/a/gone': 1 },
}

const exchanges = ['e7']
const observed = (values: Record<string, unknown>): Observed => {
  return {
    target,
    observations: Object.entries(values).map(([id, value]) => ({ id, value, exchanges })),
  }
}
const strings = { type: 'array', items: { type: 'string' } }

it('is compared without values that differ in every run, and has the exchanges', () => {
  const review = (values: Record<string, unknown>) =>
    reviewBaseline(observed(values), baseline, { pinned: false, known }).observations
  const after = '(the origin of the base URL)'
  expect(review({ [one]: 'https://git.example.com', [two]: strings, [three]: 'x' })).toMatchObject([
    { id: one, state: 'changed', before: 400, after, exchanges },
    { id: three, state: 'new', after: 'x', exchanges },
    { id: two, state: 'unchanged', exchanges },
  ])
  expect(review({ [one]: 400 })).toMatchObject([
    { id: one, state: 'unchanged' },
    { id: two, state: 'missing', exchanges: [] },
  ])
})

it('an update takes what was observed, keeps what was not, and drops what is no longer known', () => {
  expect(updatedBaseline(observed({ [one]: 422, [three]: 'x' }), baseline, known)).toEqual({
    ...baseline,
    observations: { [one]: 422, [two]: 'array', [three]: 'x', [ofOtherService]: 202 },
  })
})

it('an update keeps unchanged values, and adds new ones', () => {
  const full = observed({ [one]: 400, [two]: strings })
  const learned = updatedBaseline(full, baseline, known)
  expect(learned.observations[two]).toEqual({ '': 'array', '[]': 'string' })
  for (const again of [full, observed({ [one]: 400, [two]: { type: 'array' } }), observed({})]) {
    expect(baselineText(updatedBaseline(again, learned, known))).toBe(baselineText(learned))
  }
})

it('does not depend on the port of the reference server', () => {
  const at = (baseUrl: string) => {
    const probed = { ...observed({ [one]: baseUrl }), target: { one: { baseUrl, embedded: true } } }
    return baselineText(updatedBaseline(probed, undefined, known))
  }
  expect(at('http://127.0.0.1:40001')).toBe(at('http://127.0.0.1:40002'))
})

it('is sorted in its file, a line for a value, and read back', () => {
  const text = baselineText(baseline)
  expect(text.indexOf('a/gone')).toBeLessThan(text.indexOf('a/one'))
  expect(text).toMatch(/^ {4}"code-hosting\/a\/one": 400,$/m)
  expect(text.endsWith('}\n')).toBe(true)
  expect(readBaseline(text)).toEqual({ value: baseline })
})
