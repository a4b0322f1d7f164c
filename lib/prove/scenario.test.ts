import { describe, expect, it } from 'vitest'
import { catalogues, loadTarget } from '../cli/services.ts'
import { needScenarios } from './scenario.ts'

describe('needScenarios', () => {
  it('returns one scenario for each set of variables, with the skipped requirements', async () => {
    const known = ['code-hosting', 'event-publishing', 'incident-status']
    const ofKnown = catalogues.filter(({ service }) => known.includes(service))
    const found = await needScenarios(ofKnown, loadTarget)
    const names = found.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toMatchInlineSnapshot(`
      [
        "without main account",
        "without write requests",
        "without token-creating account",
        "without public repository",
        "without private repository",
        "without other account",
        "without two-factor account",
        "without site administrator",
        "without rejected sudo target",
        "without archived repository change",
        "without conflicting request",
        "without no-content request",
        "without request to change something",
        "without repository category request",
        "without admin request",
        "without token list",
        "without large tree",
        "without large blob",
        "without large files",
        "without event publishing key",
        "without incident status key",
        "without test incident",
        "without update body",
      ]
    `)
    const other = found.find(({ name }) => name === 'without other account')
    expect(other?.skipped).toEqual([
      'code-hosting/errors/hidden-repository',
      'code-hosting/tokens/own-credentials',
      'code-hosting/tokens/name-unique-per-user',
      'code-hosting/resources/hidden-repository-listing',
    ])
  })
})
