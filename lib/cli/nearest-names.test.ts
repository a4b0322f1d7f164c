import { expect, it } from 'vitest'
import { didYouMean, nearestNames } from '../environment/suggestions.ts'
import { faults, variants } from '../reference/index.ts'
import { catalogues } from './services.ts'

const names = [...faults, ...variants].map(({ name }) => name)
const ids = catalogues.flatMap(({ requirements }) => requirements.map(({ id }): string => id))
const variables = ['TOKEN', 'BASE_URL', 'OTP_SECRET', 'USERNAME', 'OTHER_USERNAME']

it.each<[string, readonly string[], string | undefined]>([
  ['limit-not-lowred*', names, 'limit-not-lowered'],
  ['Limit-Not-Lowered', names, 'limit-not-lowered'],
  ['code-hosting/tokens/creatd', ids, 'code-hosting/tokens/created'],
  ['limit-lowered', ids, 'code-hosting/pagination/limit-lowered'],
  ['pagination/limit-lowerd', ids, 'code-hosting/pagination/limit-lowered'],
  ['SECRET', variables, 'OTP_SECRET'],
  ['OTHERUSERNAME', variables, 'OTHER_USERNAME'],
  ['API_KEY', variables, undefined],
])('returns the nearest name to %j, if any', (name, candidates, nearest) => {
  expect(nearestNames(name, candidates)[0]).toBe(nearest)
})

it.each(['x', '', '*', 'code-hosting/pagination/zzzz', 'something-else-entirely'])(
  'no name is near %j',
  (name) => {
    expect(nearestNames(name, [...names, ...ids])).toEqual([])
  },
)

it('returns names with equal distance', () => {
  expect(didYouMean('stuck', ['link-stuck', 'page-stuck', 'other'])).toMatch(
    / link-stuck or page-stuck\?$/,
  )
})
