import { expect, it } from 'vitest'
import { catalogues, loadTarget } from '../../cli/services.ts'
import { needScenarios } from './scenario.ts'

it('needScenarios returns one scenario for each set of variables, with the skipped requirements', async () => {
  const services = ['code-hosting', 'event-publishing', 'incident-status']
  const chosen = catalogues.filter(({ service }) => services.includes(service))
  const found = await needScenarios(chosen, loadTarget)
  const names = found.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  await expect(`${names.join('\n')}\n`).toMatchFileSnapshot('snapshots/needs.txt')
  const other = found.find(({ name }) => name === 'without other account')
  expect(other?.skipped).toEqual([
    'code-hosting/errors/hidden-repository',
    'code-hosting/tokens/own-credentials',
    'code-hosting/tokens/name-unique-per-user',
    'code-hosting/resources/hidden-repository-listing',
  ])
})
