import { expect, it } from 'vitest'
import { didYouMean } from './suggestions.ts'

const paths = ['code-hosting/tokens/created', 'code-hosting/pagination/limit-lowered']
const names = [
  'limit-not-lowered',
  'link-stuck',
  'page-stuck',
  'OTP_SECRET',
  'OTHER_USERNAME',
  'TIMEOUT_MS',
]

it.each([
  ['limit-not-lowred*', 'limit-not-lowered'],
  ['Limit-Not-Lowered', 'limit-not-lowered'],
  ['code-hosting/tokens/creatd', 'code-hosting/tokens/created'],
  ['limit-lowered', 'code-hosting/pagination/limit-lowered'],
  ['pagination/limit-lowerd', 'code-hosting/pagination/limit-lowered'],
  ['SECRET', 'OTP_SECRET'],
  ['OTHERUSERNAME', 'OTHER_USERNAME'],
  ['TIMOUT', 'TIMEOUT_MS'],
  ['stuck', 'link-stuck or page-stuck'],
  ...['API_KEY', 'x', '', '*', 'code-hosting/pagination/zzzz', 'something-else'].map((name) => {
    return [name, '']
  }),
])('didYouMean suggests for %j: %s', (name = '', nearest = '') => {
  const hint = nearest === '' ? '' : ` Did you mean ${nearest}?`
  expect(didYouMean(name, [...paths, ...names])).toBe(hint)
})
