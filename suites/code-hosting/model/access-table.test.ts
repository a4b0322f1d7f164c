import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { targetWith } from '../support/service.fixture.ts'
import { accessRequirements, expectedAccess } from './access.ts'
import { coreCases, sampledCases } from './access-table.ts'
import type { Case } from './case.ts'
import { describeCase } from './describe-case.ts'

const target = targetWith()
const core = coreCases(target)

const targets = [true, false].flatMap((allowLegacyTokenScheme) =>
  [false, true].map((disableQueryAuthToken) =>
    targetWith({ settings: { ...target.settings, allowLegacyTokenScheme, disableQueryAuthToken } }),
  ),
)

describe('the access table', () => {
  it.each(targets)(
    'has a documented result, and a successful control for each rejection',
    (target) => {
      const expected = [...accessRequirements, 'code-hosting/scopes/public-only-shows-public']
      for (const one of coreCases(target)) {
        const { requirement, rejected, control } = expectedAccess(one, target.settings) ?? {}
        expect(expected, describeCase(one)).toContain(requirement)
        if (rejected === undefined) continue
        const access = control && expectedAccess(control, target.settings)
        expect(access, describeCase(one)).toMatchObject({ requirement: expect.anything() })
        expect(access?.rejected, describeCase(one)).toBeUndefined()
      }
    },
  )

  it.each(['main', 'other', 'admin'])('sends fewer than six wrong passwords of %s', (actor) => {
    const wrong = core.filter(({ sentAs, problem, ...one }) => {
      if (one.actor !== actor || problem === 'unknown user') return false
      return sentAs === 'Basic' ? problem && problem !== 'nothing' : sentAs === 'password'
    })
    expect(wrong.length).toBeLessThan(6)
  })
})

describe('the sample', () => {
  it('depends only on the seed, and is empty for 0', async () => {
    const sampled = (seed: number) => sampledCases(core, target, seed)
    expect(await sampled(7)).toEqual(await sampled(7))
    expect(await sampled(7)).not.toEqual(await sampled(8))
    expect(await sampled(0)).toEqual([])
  })

  it('has additional requests with core controls, and no wrong password', async () => {
    const key = (one: Case | undefined) =>
      JSON.stringify(one, Object.keys({ ...one, problem: 0, sudo: 0, as: 0, in: 0 }).toSorted())
    const any = fc.constantFrom(...targets, targetWith({ username: undefined, other: undefined }))
    await fc.assert(
      fc.asyncProperty(any, fc.integer({ min: 1 }), async (target, seed) => {
        const all = coreCases(target)
        const controls = all.map((one) => expectedAccess(one, target.settings)?.control)
        const coreKeys = new Set(all.map(key))
        const sent = new Set([...all, ...controls].map(key))
        const cases = await sampledCases(all, target, seed)
        expect(cases).toHaveLength(5)
        for (const one of cases) {
          const { control, requirement } = expectedAccess(one, target.settings) ?? {}
          expect(accessRequirements).toContain(requirement)
          expect([coreKeys.has(key(one)), sent.has(key(control))]).toEqual([false, true])
          expect(one.sentAs === 'Basic' && one.problem !== undefined).toBe(false)
        }
      }),
      { numRuns: 50 },
    )
  })
})
