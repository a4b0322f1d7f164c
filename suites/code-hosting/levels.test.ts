import { describe, expect, it } from 'vitest'
import { tableOf } from '../../lib/conformance/suite.ts'
import { suite } from './index.ts'
import { type Case, describe as describeCase, idOf, needsOf } from './levels.ts'
import { targetWith } from './service.fixture.ts'
import { codeHostingNeeds } from './variables.ts'

const { settings } = targetWith()
const table = tableOf(suite, settings)
const rows = [...table.rows.values()]

it('each case has its own id and text, and known needs', () => {
  expect([...table.rows.keys()]).toEqual(rows.map(idOf))
  expect(new Set(rows.map(describeCase)).size).toBe(rows.length)
  expect(Object.keys(codeHostingNeeds)).toEqual(expect.arrayContaining(rows.flatMap(needsOf)))
})

it('each case is judged, and only by requirements that the settings allow', () => {
  const judged = Object.keys(suite.requirements).flatMap((name) => table.casesOf(name).map(idOf))
  expect(new Set(judged)).toEqual(new Set(table.rows.keys()))
  const disabled = { ...settings, allowLegacyTokenScheme: false, disableQueryAuthToken: true }
  const idsOf = (name: string) => tableOf(suite, disabled).casesOf(name).map(idOf)
  expect(idsOf('authentication/legacy-accepted')).toEqual([])
  expect(idsOf('authentication/query-disabled')).toContain('user/?token=')
  expect(idsOf('scopes/read-suffices').some((id) => /token/i.test(id))).toBe(false)
})

describe('a request that is sent again', () => {
  it('names the one before it, and is judged like the first', () => {
    const id = 'private repository/Bearer/after=(private repository/Bearer/scopes=read+public-only)'
    expect(table.casesOf('authentication/bearer').map(idOf)).toContain(id)
    expect(table.rows.get(id)?.after).toMatchObject({ scopes: 'read+public-only' })
  })
})

/** Returns the levels of a factor, each with those of another that no case has beside it. */
function missingPairs(one: (row: Case) => string, other: (row: Case) => string): string[] {
  const others = [...new Set(rows.map(other))]
  return [...new Set(rows.map(one))].map((level) => {
    const seen = new Set(rows.filter((row) => one(row) === level).map(other))
    return `  ${level}: ${others.filter((name) => !seen.has(name)).join(', ') || 'all'}`
  })
}

it('the pairs of levels that no case has are known', async () => {
  const factors = {
    resource: ({ resource }: Case) => resource,
    actor: ({ actor, sudo }: Case) => `${actor}${sudo ? ' with sudo' : ''}`,
    'sent as': ({ sentAs }: Case) => sentAs,
    problem: ({ problem }: Case) => problem ?? 'none',
    scopes: ({ scopes }: Case) => scopes,
  }
  const pairs = [
    ['sent as', 'resource'],
    ['sent as', 'problem'],
    ['sent as', 'scopes'],
    ['actor', 'resource'],
    ['actor', 'sent as'],
    ['actor', 'problem'],
    ['scopes', 'resource'],
    ['problem', 'resource'],
  ] as const
  const text = pairs.map(([one, other]) =>
    [`${one}: each without ${other}`, ...missingPairs(factors[one], factors[other])].join('\n'),
  )
  await expect(`${text.join('\n\n')}\n`).toMatchFileSnapshot('./snapshots/missing-pairs.txt')
})
