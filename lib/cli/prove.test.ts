import { expect, it } from 'vitest'
import { scenarios } from '../test-bed/prove/scenario.ts'
import { onErrorOutput, plumbline } from './command.fixture.ts'
import { scenariosOf, selectScenarios } from './prove.ts'

it('plumbline prove prints the results so far if it is interrupted', async () => {
  const args = ['prove', '--fault', 'incident-*']
  const { status, output, errors } = await plumbline(args, {}, (child) =>
    onErrorOutput(child, ' a time', () => child.kill('SIGINT')),
  )
  expect(errors).toMatch(/interrupted; \d+ of \d+ /)
  expect(output).toMatch(/(?:^|\n)\d+ passed, 0 failed\n$/)
  expect(status).toBe(3)
})

it('scenariosOf returns the scenarios that probe a service, with needs of its requirements', async () => {
  const [all, found] = [await scenariosOf([]), await scenariosOf(['incident-*'])]
  expect(all.filter(({ kind }) => kind !== 'need')).toEqual(scenarios)
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['fault', 'variant', 'need']))
  for (const { name, services, skipped = [], variant = {} } of found) {
    expect(services, name).toContain('incident-status')
    expect('eventPublishing' in variant && !('incidentStatus' in variant), name).toBe(false)
    expect(skipped.filter((id) => !id.startsWith('incident-status/'))).toEqual([])
  }
  // Without a key, a run of the service judges nothing.
  const verdicts = new Map(found.map(({ name, verdict }) => [name, verdict]))
  expect(verdicts.get('without incident status key')).toBeUndefined()
  expect(verdicts.has('incident-update-nested')).toBe(true)
  expect(verdicts.has('responses-in-chunks')).toBe(true)
  await expect(scenariosOf(['none'])).rejects.toThrow('none')
})

it('selectScenarios returns all scenarios, or the named ones once, in the order of the registries', () => {
  expect(selectScenarios(scenarios, {})).toBe(scenarios)
  const fault = ['next-link-stuck', 'limit-not-low*']
  const found = selectScenarios(scenarios, { fault, variant: ['link-relativ*', 'link-relative'] })
  const selected = /^(next-link-stuck$|limit-not-low|link-relativ)/
  expect(found).toEqual(scenarios.filter(({ name }) => selected.test(name)))
  expect(found.length).toBeGreaterThan(3)
})
