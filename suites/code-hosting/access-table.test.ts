import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cell, type CredentialProblem, expectedAccess } from './access-model.ts'
import { accessRequirements, coreCells, sampledCells } from './access-table.ts'
import { targetWith } from './support/service.fixture.ts'

const target = targetWith()
const core = coreCells(target)
const { settings } = target

const targets = [true, false].flatMap((allowLegacyTokenScheme) =>
  [true, false].map((disableQueryAuthToken) =>
    targetWith({ settings: { ...settings, allowLegacyTokenScheme, disableQueryAuthToken } }),
  ),
)

const isToken = ({ actor, sentAs }: Cell) =>
  actor !== 'anonymous' && sentAs !== 'Basic' && sentAs !== 'any valid'
const schemes = ['Bearer', 'token', '?token=', '?access_token='] as const
const nearMisses: readonly (CredentialProblem | undefined)[] = [
  'other start',
  'other end',
  'other case',
  'longer',
  'shorter',
]
const closed = [
  'private repository',
  'missing repository',
  'repository of a missing owner',
] as const

const covers = (matches: (cell: Cell) => boolean) => core.some(matches)

describe('the access table', () => {
  it.each(targets)('has requests with a documented result', (variant) => {
    for (const cell of coreCells(variant)) {
      const requirement = expectedAccess(cell, variant.settings)?.requirement
      const expected = [...accessRequirements, 'code-hosting/scopes/public-only-shows-public']
      expect(expected, JSON.stringify(cell)).toContain(requirement)
    }
  })

  it.each(targets)('has a successful control for each rejection', (variant) => {
    for (const cell of coreCells(variant)) {
      const { rejected, control } = expectedAccess(cell, variant.settings) ?? {}
      if (rejected === undefined) continue
      expect(control, JSON.stringify(cell)).toBeDefined()
      const controlAccess = control && expectedAccess(control, variant.settings)
      expect(controlAccess?.rejected, JSON.stringify(control)).toBeUndefined()
    }
  })

  it.each(schemes)(
    'sends as %s tokens without a scope, public-only, invalid and empty tokens',
    (sentAs) => {
      const sent = (matches: (cell: Cell) => boolean) =>
        covers((cell) => isToken(cell) && cell.sentAs === sentAs && matches(cell))
      expect({
        lacking: sent(
          ({ scopes, problem }) => scopes.join() === 'read:issue' && problem === undefined,
        ),
        publicOnly: sent(
          ({ scopes, resource }) =>
            scopes.includes('public-only') && resource === 'private repository',
        ),
        wrong: sent(({ problem }) => nearMisses.includes(problem)),
        nothing: sent(({ problem }) => problem === 'nothing'),
      }).toEqual({ lacking: true, publicOnly: true, wrong: true, nothing: true })
    },
  )

  it.each(closed)('requests a %s with a password, a token, and nothing', (resource) => {
    const kinds = new Set(
      core
        .filter((cell) => cell.resource === resource && !cell.sudo)
        .map((cell) =>
          cell.actor === 'anonymous' ? 'nothing' : isToken(cell) ? 'token' : 'password',
        ),
    )
    expect([...kinds].toSorted()).toEqual(['nothing', 'password', 'token'])
    expect(covers((cell) => cell.resource === resource && cell.actor === 'other')).toBe(true)
  })

  it.each(['user', 'repositories', 'private repository'])(
    'uses sudo at %s in each role',
    (resource) => {
      const roleOf = ({ actor, sentAs, scopes, sudo }: Cell) => {
        if (sudo?.as === 'unknown') return 'as unknown user'
        if (actor === 'anonymous') return actor
        if (actor === 'admin' && isToken({ actor, sentAs, scopes, resource: 'user' })) {
          return scopes.includes('all') ? 'admin token' : 'narrow token'
        }
        return `${actor} password`
      }
      const acting = core.filter((cell) => cell.sudo && cell.resource === resource)
      expect(new Set(acting.map(({ sudo }) => sudo?.in)).size).toBe(2)
      expect(acting.map(roleOf)).toEqual(
        expect.arrayContaining([
          'admin password',
          'admin token',
          'narrow token',
          'as unknown user',
          'other password',
          'anonymous',
        ]),
      )
    },
  )

  it('sends fewer than six wrong passwords of an account', () => {
    const wrong = core.filter(({ sentAs, problem }) =>
      sentAs === 'Basic' ? problem !== undefined && problem !== 'nothing' : sentAs === 'password',
    )
    for (const actor of ['main', 'other', 'admin']) {
      const sent = wrong.filter((cell) => cell.actor === actor && cell.problem !== 'unknown user')
      expect(sent.length, actor).toBeLessThan(6)
    }
  })
})

describe('the sample', () => {
  const sampled = (seed: number) => sampledCells(core, target, seed)

  it('depends only on the seed, and is empty for 0', async () => {
    expect(await sampled(7)).toEqual(await sampled(7))
    expect(await sampled(7)).not.toEqual(await sampled(8))
    expect(await sampled(0)).toEqual([])
  })

  it('has additional requests with core controls, and no wrong password', async () => {
    const key = (cell: Cell | undefined) =>
      JSON.stringify(cell, Object.keys({ ...cell, problem: 0, sudo: 0, as: 0, in: 0 }).toSorted())
    const any = fc.constantFrom(...targets, targetWith({ username: undefined, other: undefined }))
    await fc.assert(
      fc.asyncProperty(any, fc.integer({ min: 1 }), async (variant, seed) => {
        const all = coreCells(variant)
        const controls = all.map((cell) => expectedAccess(cell, variant.settings)?.control)
        const coreKeys = new Set(all.map(key))
        const sent = new Set([...all, ...controls].map(key))
        const cells = await sampledCells(all, variant, seed)
        expect(cells).toHaveLength(5)
        for (const cell of cells) {
          const { control, requirement } = expectedAccess(cell, variant.settings) ?? {}
          expect(accessRequirements).toContain(requirement)
          expect([coreKeys.has(key(cell)), sent.has(key(control))]).toEqual([false, true])
          expect(cell.sentAs === 'Basic' && cell.problem !== undefined).toBe(false)
        }
      }),
      { numRuns: 50 },
    )
  })
})
