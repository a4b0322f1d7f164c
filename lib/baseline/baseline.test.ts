import { describe, expect, it } from 'vitest'
import type { Observation, RunReport } from '../conformance/result.ts'
import {
  type Baseline,
  baselineText,
  otherPlaces,
  readBaseline,
  reviewBaseline,
  updatedBaseline,
} from './baseline.ts'

const target = { codeHosting: { baseUrl: 'https://git.example.com/base' } }
const [one, two, three] = ['code-hosting/a/one', 'code-hosting/a/two', 'code-hosting/a/three']
const foreign = 'event-publishing/a/status'
const known = new Set([one, two, three, foreign])

const baseline: Baseline = {
  schema: 1,
  target: { codeHosting: 'https://git.example.com/base' },
  observations: { [one]: 400, [two]: { type: 'array' }, [foreign]: 202, 'code-hosting/a/gone': 1 },
}

function observed(values: Record<string, unknown>): Pick<RunReport, 'target' | 'observations'> {
  const observations = Object.entries(values).map(
    ([id, value]): Observation => ({ id, value, exchanges: ['e7'] }),
  )
  return { target, observations }
}

function statesOf(values: Record<string, unknown>): Record<string, string> {
  const { observations } = reviewBaseline(observed(values), baseline, { pinned: false, known })
  return Object.fromEntries(observations.map(({ id, state }) => [id, state]))
}

describe('reviewBaseline', () => {
  it('tells what is as it was, changed, new and missing', () => {
    const items = { type: 'string' }
    expect(statesOf({ [one]: 422, [two]: { type: 'array', items }, [three]: 'x' })).toEqual({
      [one]: 'changed',
      [two]: 'unchanged',
      [three]: 'new',
    })
    expect(statesOf({ [one]: 400 })).toEqual({ [one]: 'unchanged', [two]: 'missing' })
  })

  it('has both values without what differs from run to run, and where it was seen', () => {
    const own = observed({ [one]: 'https://git.example.com' })
    expect(reviewBaseline(own, baseline, { pinned: false, known }).observations[0]).toEqual({
      id: one,
      state: 'changed',
      before: 400,
      after: '(the origin of the base URL)',
      exchanges: ['e7'],
    })
  })
})

describe('updatedBaseline', () => {
  it('takes what was observed, keeps what was not, and drops what is no longer known', () => {
    const updated = updatedBaseline(observed({ [one]: 422, [three]: 'x' }), baseline, known)
    expect(updated).toEqual({
      schema: 1,
      target: { codeHosting: 'https://git.example.com/base' },
      observations: { [one]: 422, [two]: { type: 'array' }, [three]: 'x', [foreign]: 202 },
    })
  })

  it('stays as it is where nothing changed, and learns what it could not know', () => {
    const items = { type: 'string' }
    const full = observed({ [one]: 400, [two]: { type: 'array', items } })
    const learned = updatedBaseline(full, baseline, known)
    expect(learned.observations[two]).toEqual({ items, type: 'array' })
    for (const again of [full, observed({ [one]: 400, [two]: { type: 'array' } }), observed({})]) {
      expect(baselineText(updatedBaseline(again, learned, known))).toBe(baselineText(learned))
    }
  })

  it('does not depend on the port of the embedded deployment', () => {
    const at = (port: number) => {
      const baseUrl = `http://127.0.0.1:${port}`
      const probed = {
        ...observed({ [one]: baseUrl }),
        target: { codeHosting: { baseUrl, embedded: true } },
      }
      return baselineText(updatedBaseline(probed, undefined, known))
    }
    expect(at(40001)).toBe(at(40002))
  })
})

describe('otherPlaces', () => {
  it('names the services that were elsewhere', () => {
    expect(otherPlaces({ target }, baseline)).toEqual([])
    const moved = { target: { codeHosting: { baseUrl: 'https://new.example.com' } } }
    expect(otherPlaces(moved, baseline)).toEqual([
      {
        service: 'code-hosting',
        baseline: 'https://git.example.com/base',
        probed: 'https://new.example.com',
      },
    ])
  })
})

describe('the file', () => {
  it('is sorted, a line for a value, and read back', () => {
    const text = baselineText(baseline)
    expect(text.indexOf('a/gone')).toBeLessThan(text.indexOf('a/one'))
    expect(text).toMatch(/^ {4}"code-hosting\/a\/one": 400,$/m)
    expect(text.endsWith('}\n')).toBe(true)
    expect(readBaseline(text)).toEqual({ value: baseline })
  })

  it.each([
    ['', 'is damaged, or no JSON ('],
    ['{"schema":2,"target":{},"observations":{}}', '/schema must be equal to constant'],
    ['{"schema":1,"target":{},"observations":{"\\u001b[31m":1}}', 'is damaged, or no baseline'],
    ['[]', 'is damaged, or no baseline of this version of Plumbline ('],
  ])('is refused when it is %s', (text, expected) => {
    const read = readBaseline(text)
    const problem = 'problem' in read ? read.problem : ''
    expect(problem).toContain(expected)
    expect(problem).not.toMatch(/\p{Cc}/u)
  })
})
