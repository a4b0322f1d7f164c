import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  compareSurvivors,
  instrumentReference,
  type Mutant,
  type SurvivorEntry,
} from './instrument.ts'

const file = 'rules.ts'
const source = 'const limit = asked > 0 ? asked : 20; const page = asked > 0 ? asked : 1'
const sources = new Map([[file, source]])

function mutantOf(code: string, replacement: string, after = 0): Mutant {
  const start = source.indexOf(code, after)
  return { id: '', file, line: 1, start, end: start + code.length, replacement }
}

const ofLimit = mutantOf('asked > 0', 'asked >= 0')
const ofPage = mutantOf('asked > 0', 'asked >= 0', source.indexOf('page'))
const always = mutantOf('asked > 0', 'true')

describe('compareSurvivors', () => {
  it.each<[string, Partial<SurvivorEntry>, Mutant[], Mutant[], string[]]>([
    [
      'a piece of code',
      { code: 'limit = asked > 0 ?\n    asked' },
      [ofLimit, ofPage],
      [ofPage],
      [],
    ],
    ['all places of a piece of code', { code: 'asked > 0' }, [ofLimit, ofPage], [], []],
    [
      'a replacement',
      { code: 'limit = asked > 0', replacement: 'true' },
      [ofLimit, always],
      [ofLimit],
      [],
    ],
    [
      'pieces and replacements without a survivor',
      { code: ['limit = asked > 0', 'page = asked'], replacement: ['asked >= 0', 'true'] },
      [ofLimit],
      [],
      ['rules.ts: page = asked', 'rules.ts: → true'],
    ],
    [
      'another file',
      { code: 'asked > 0', file: 'endpoints.ts' },
      [ofLimit],
      [ofLimit],
      ['endpoints.ts: asked > 0'],
    ],
  ])('compares survivors with an entry of %s', (_name, entry, survivors, unlisted, unused) => {
    const entries = [
      {
        file,
        code: '',
        reason: 'not stated',
        why: 'The document does not say.',
        ...entry,
      } as const,
    ]
    expect(compareSurvivors(entries, survivors, sources)).toEqual({ unlisted, unused })
  })
})

describe('survivors.json', () => {
  it('names mutants that exist', async () => {
    const entries = readFileSync(new URL('survivors.json', import.meta.url), 'utf8')
    const { mutants, sources } = await instrumentReference()
    expect(compareSurvivors(JSON.parse(entries), mutants, sources).unused).toEqual([])
  })
})
