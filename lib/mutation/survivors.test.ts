import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  compareSurvivors,
  instrumentReference,
  type Mutant,
  type SurvivorEntry,
} from './instrument.ts'
import { instrumentModel, scenariosFor } from './model-mutants.ts'

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

describe.each([
  ['survivors.json', instrumentReference],
  ['model-survivors.json', instrumentModel],
])('%s', (name, instrument) => {
  it('names mutants that exist', async () => {
    const entries = readFileSync(new URL(name, import.meta.url), 'utf8')
    const { mutants, sources } = await instrument()
    expect(compareSurvivors(JSON.parse(entries), mutants, sources).unused).toEqual([])
  })
})

describe('scenariosFor', () => {
  it('returns the scenarios of the requirement of a rule, or a covering set of its sections', async () => {
    const { mutants } = await instrumentModel()
    const failingFor = (file: string, replacement: string) => {
      const mutant = mutants.find((one) => one.file === file && one.replacement === replacement)
      expect(mutant, replacement).toBeDefined()
      return new Set(scenariosFor(mutant as Mutant).flatMap(({ failing }) => failing))
    }
    expect(failingFor('access.ts', "problem !== 'unknown user'")).toContain(
      'code-hosting/authentication/unknown-username',
    )
    expect(failingFor('access.ts', "problem !== 'unknown user'").size).toBeLessThan(10)
    expect(failingFor('pages.ts', 'number + 1').size).toBeGreaterThan(10)
  })
})
