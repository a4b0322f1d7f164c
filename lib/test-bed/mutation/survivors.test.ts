import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { targetWith } from '../../../suites/code-hosting/service.fixture.ts'
import { type Scenario, scenarios } from '../prove/scenario.ts'
import { effectReader } from './effects.ts'
import {
  compareSurvivors,
  instrumentReference,
  type Mutant,
  type SurvivorEntry,
} from './instrument.ts'
import { instrumentModel } from './model-mutants.ts'
import { readSelections } from './selection.ts'
import { scenariosOf } from './trials.ts'

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
      ['page = asked', '→ true'],
    ],
    [
      'another file',
      { code: 'asked > 0', file: 'endpoints.ts' },
      [ofLimit],
      [ofLimit],
      ['asked > 0'],
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
    const found = compareSurvivors(entries, survivors, sources)
    expect(found.unlisted).toEqual(unlisted)
    expect(found.unused.map(({ part }) => part)).toEqual(unused)
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

describe('effectReader', async () => {
  const instrumented = await instrumentModel()
  const { settings, username, other } = targetWith()
  const [scenario] = scenariosOf(['code-hosting']) as [Scenario]
  const target = JSON.stringify({ settings, username, other })
  const effectsOf = await effectReader(instrumented, new Map([[scenario, target]]))
  const ids = new Set(scenarios.flatMap(({ failing }) => failing))
  it.each([
    ['access.ts', "problem !== 'empty'", 'authentication/wrong-password-message', 2],
    ['list-rules.ts', "one.page !== '1'", 'pagination/limit-lowered', 4],
    ['pages.ts', 'number + 1', 'pagination/has-more-header', 30],
  ])('returns the requirements of %s with %s', (file, replacement, requirement, most) => {
    const mutant = instrumented.mutants.find(
      (one) => one.file.endsWith(`/${file}`) && one.replacement === replacement,
    )
    const changed = effectsOf(mutant as Mutant, ids)?.(scenario).changed
    expect(changed).toContain(`code-hosting/${requirement}`)
    expect(changed?.length).toBeLessThanOrEqual(most)
  })
})

describe('readSelections', () => {
  it.each([
    ['b.ts', true, true],
    ['a/b.ts', true, true],
    ['a/b.ts:7', true, false],
    ['a/b.ts:7-9', true, false],
    ['a/b.ts:7-', true, false],
    ['a/b.ts:8-', false, false],
    ['a/b.ts:3-6', false, false],
    ['.ts', false, false],
  ])('reads %s', (text, selectsLine, selectsFile) => {
    const { selects, selectsAllOf } = readSelections([text])
    expect(selects({ file: 'a/b.ts', line: 7 })).toBe(selectsLine)
    expect(selectsAllOf('a/b.ts')).toBe(selectsFile)
  })
})
