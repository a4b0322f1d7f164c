import { describe, expect, it } from 'vitest'
import { faults, variants } from '../reference/index.ts'
import { didYouMean, nearestNames, nearestOf } from '../target/nearest.ts'
import { catalogues } from './catalogues.ts'

const names = [...faults, ...variants].map(({ name }) => name)
const ids = Object.values(catalogues).flatMap(({ requirements }) =>
  requirements.map(({ id }) => id),
)

describe('the nearest name', () => {
  it.each([
    ['limit-not-lowerd', 'limit-not-lowered'],
    ['limit-not-lowred*', 'limit-not-lowered'],
    ['Limit-Not-Lowered', 'limit-not-lowered'],
    ['next-link-stock', 'next-link-stuck'],
    ['base-pth', 'base-path'],
  ])('to %s is %s among the faults and variants', (name, nearest) => {
    expect(nearestOf(name, names)).toBe(nearest)
  })

  it.each([
    ['code-hosting/tokens/creatd', 'code-hosting/tokens/created'],
    ['code-hosting/pagination/wallk', 'code-hosting/pagination/walk'],
    ['limit-lowered', 'code-hosting/pagination/limit-lowered'],
    ['pagination/limit-lowerd', 'code-hosting/pagination/limit-lowered'],
  ])('to %s is %s among the requirements', (name, nearest) => {
    expect(nearestOf(name, ids)).toBe(nearest)
  })

  it.each(['nope', 'x', '', '*', 'code-hosting/pagination/zzzz', 'something-else-entirely'])(
    'to %j is none',
    (name) => {
      expect(nearestNames(name, [...names, ...ids])).toEqual([])
    },
  )
})

describe('names that are equally near', () => {
  it('are told of, three at most', () => {
    expect(nearestNames('stuck', ['a', 'next-link-stuck', 'page-stuck'])).toEqual([
      'next-link-stuck',
      'page-stuck',
    ])
    expect(nearestNames('link', names).length).toBeLessThanOrEqual(3)
  })

  it('are asked for in a sentence', () => {
    expect(didYouMean('stuck', ['link-stuck', 'page-stuck', 'other'])).toBe(
      ' Did you mean link-stuck or page-stuck?',
    )
    expect(didYouMean('nope', names)).toBe('')
  })
})

describe('the nearest variable', () => {
  const candidates = ['TOKEN', 'BASE_URL', 'OTP_SECRET', 'USERNAME', 'OTHER_USERNAME']

  it.each([
    ['TOKENS', 'TOKEN'],
    ['SECRET', 'OTP_SECRET'],
    ['URL', 'BASE_URL'],
    ['OTHERUSERNAME', 'OTHER_USERNAME'],
    ['API_KEY', undefined],
    ['', undefined],
  ])('to %s is %s', (name, expected) => {
    expect(nearestOf(name, candidates)).toBe(expected)
  })
})
