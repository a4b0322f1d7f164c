import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { instrumentReference, type Mutant, oneLine } from './instrument.ts'
import { compareSurvivors, type SurvivorEntry } from './survivors.ts'

const file = 'rules.ts'
const source = 'const limit = asked > 0 ? asked : 20; const page = asked > 0 ? asked : 1'
const sources = new Map([[file, source]])

function mutantOf(code: string, replacement: string, after = 0): Mutant {
  const start = source.indexOf(code, after)
  return { id: '', file, line: 1, start, end: start + code.length, replacement }
}

const entryOf = (entry: Pick<SurvivorEntry, 'code' | 'replacement'>): SurvivorEntry => ({
  ...{ file, ...entry },
  ...{ reason: 'not stated', why: 'The document does not mention it.' },
})

const ofLimit = mutantOf('asked > 0', 'asked >= 0')
const ofPage = mutantOf('asked > 0', 'asked >= 0', source.indexOf('page'))

describe('compareSurvivors', () => {
  it('lists the mutants within a piece of code, and no others', () => {
    const entries = [entryOf({ code: 'limit = asked > 0 ?\n    asked' })]
    const { unlisted, unused } = compareSurvivors(entries, [ofLimit, ofPage], sources)
    expect(unlisted).toEqual([ofPage])
    expect(unused).toEqual([])
  })

  it('lists all places of a piece of code', () => {
    const entries = [entryOf({ code: 'asked > 0' })]
    expect(compareSurvivors(entries, [ofLimit, ofPage], sources)).toEqual({
      unlisted: [],
      unused: [],
    })
  })

  it('lists only mutants with a replacement of the entry', () => {
    const always = mutantOf('asked > 0', 'true')
    const entries = [entryOf({ code: 'limit = asked > 0', replacement: 'true' })]
    const { unlisted } = compareSurvivors(entries, [ofLimit, always], sources)
    expect(unlisted).toEqual([ofLimit])
  })

  it('returns each piece and each replacement without a survivor', () => {
    const entries = [
      entryOf({ code: ['limit = asked > 0', 'page = asked'], replacement: ['asked >= 0', 'true'] }),
    ]
    const { unused } = compareSurvivors(entries, [ofLimit], sources)
    expect(unused).toEqual(['rules.ts: page = asked', 'rules.ts: → true'])
  })

  it('does not list mutants of another file', () => {
    const entries = [{ ...entryOf({ code: 'asked > 0' }), file: 'endpoints.ts' }]
    expect(compareSurvivors(entries, [ofLimit], sources)).toEqual({
      unlisted: [ofLimit],
      unused: ['endpoints.ts: asked > 0'],
    })
  })
})

describe('survivors.json', () => {
  it('names mutants that exist', async () => {
    const entries = readFileSync(new URL('survivors.json', import.meta.url), 'utf8')
    const { mutants, sources } = await instrumentReference()
    expect(compareSurvivors(JSON.parse(entries), mutants, sources).unused).toEqual([])
  })
})

describe('oneLine', () => {
  it('makes one space of line breaks and indentation', () => {
    expect(oneLine('a ?\n    b')).toBe('a ? b')
  })
})
