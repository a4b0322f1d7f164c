import { expect, it } from 'vitest'
import { tableOf } from '../../lib/conformance/suite.ts'
import { suite } from './index.ts'
import { caseOf, describe as describeCase, idOf, isStatedLimit } from './levels.ts'
import { targetWith } from './service.fixture.ts'

const { settings } = targetWith()
const table = tableOf(suite, settings)
const rows = [...table.rows.values()]

it('each case has its own id and text', () => {
  expect([...table.rows.keys()]).toEqual(rows.map(idOf))
  expect(new Set(rows.map(describeCase)).size).toBe(rows.length)
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

it.each([
  [4, true],
  [5, true],
  [6, false],
])('the default %i of a maximum of 5 is stated: %s', (defaultPagingNum, isStated) => {
  const sizes = { ...settings, defaultPagingNum }
  expect(isStatedLimit(sizes, caseOf({ limit: 'absent' }))).toBe(isStated)
})
