import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accessRequirements, expectedAccess } from './access-model.ts'
import { coreCells, sampledCells } from './access-table.ts'
import type { Cell } from './cell.ts'
import { describeCell } from './support/access.ts'
import { targetWith } from './support/service.fixture.ts'

const target = targetWith()
const core = coreCells(target)

const targets = [true, false].flatMap((allowLegacyTokenScheme) =>
  [false, true].map((disableQueryAuthToken) =>
    targetWith({ settings: { ...target.settings, allowLegacyTokenScheme, disableQueryAuthToken } }),
  ),
)

type Target = typeof target

function describeAccess(cell: Cell, { settings }: Target): string {
  const access = expectedAccess(cell, settings)
  if (access === undefined) return `${describeCell(cell)}: undocumented`
  const { requirement, as, rejected, messages, control, explainedBy } = access
  const parts = {
    'rejected with': rejected,
    message: messages?.join(' or '),
    as,
    control: control && describeCell(control),
    unless: explainedBy && describeCell(explainedBy),
  }
  const texts = Object.entries(parts).flatMap(([name, part]) => (part ? `\n  ${name} ${part}` : []))
  return `${describeCell(cell)}: ${requirement.replace('code-hosting/', '')}${texts.join('')}`
}

describe('the access table', () => {
  it('has the requests of the snapshot, and others for other settings', async () => {
    const { username, other, ...missing } = target
    const all = [...targets, { ...missing, other }, { ...missing, username }]
    const [first = [], ...more] = all.map((one) =>
      coreCells(one).map((cell) => describeAccess(cell, one)),
    )
    const others = more.map((lines) => lines.filter((line) => !first.includes(line)))
    const text = [first, ...others].map((lines) => lines.join('\n')).join('\n\n')
    await expect(`${text}\n`).toMatchFileSnapshot('snapshots/access-table.txt')
  })

  it.each(targets)(
    'has a documented result, and a successful control for each rejection',
    (one) => {
      const expected = [...accessRequirements, 'code-hosting/scopes/public-only-shows-public']
      for (const cell of coreCells(one)) {
        const { requirement, rejected, control } = expectedAccess(cell, one.settings) ?? {}
        expect(expected, describeCell(cell)).toContain(requirement)
        if (rejected === undefined) continue
        const access = control && expectedAccess(control, one.settings)
        expect(access, describeCell(cell)).toMatchObject({ requirement: expect.anything() })
        expect(access?.rejected, describeCell(cell)).toBeUndefined()
      }
    },
  )

  it.each(['main', 'other', 'admin'])('sends fewer than six wrong passwords of %s', (actor) => {
    const wrong = core.filter(({ sentAs, problem, ...cell }) => {
      if (cell.actor !== actor || problem === 'unknown user') return false
      return sentAs === 'Basic' ? problem && problem !== 'nothing' : sentAs === 'password'
    })
    expect(wrong.length).toBeLessThan(6)
  })
})

describe('the sample', () => {
  it('depends only on the seed, and is empty for 0', async () => {
    const sampled = (seed: number) => sampledCells(core, target, seed)
    expect(await sampled(7)).toEqual(await sampled(7))
    expect(await sampled(7)).not.toEqual(await sampled(8))
    expect(await sampled(0)).toEqual([])
  })

  it('has additional requests with core controls, and no wrong password', async () => {
    const key = (cell: Cell | undefined) =>
      JSON.stringify(cell, Object.keys({ ...cell, problem: 0, sudo: 0, as: 0, in: 0 }).toSorted())
    const any = fc.constantFrom(...targets, targetWith({ username: undefined, other: undefined }))
    await fc.assert(
      fc.asyncProperty(any, fc.integer({ min: 1 }), async (one, seed) => {
        const all = coreCells(one)
        const controls = all.map((cell) => expectedAccess(cell, one.settings)?.control)
        const coreKeys = new Set(all.map(key))
        const sent = new Set([...all, ...controls].map(key))
        const cells = await sampledCells(all, one, seed)
        expect(cells).toHaveLength(5)
        for (const cell of cells) {
          const { control, requirement } = expectedAccess(cell, one.settings) ?? {}
          expect(accessRequirements).toContain(requirement)
          expect([coreKeys.has(key(cell)), sent.has(key(control))]).toEqual([false, true])
          expect(cell.sentAs === 'Basic' && cell.problem !== undefined).toBe(false)
        }
      }),
      { numRuns: 50 },
    )
  })
})
