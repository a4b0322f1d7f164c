import { describe, expect, it } from 'vitest'
import { catalogueOfSuite, createTable, crossOf } from './requirements.ts'

interface Case {
  page: string
  user: string
  after?: Case | undefined
}

const defaults: Case = { page: '1', user: 'main' }
const cross = crossOf<Case>(defaults)
const idOf = ({ page, user, after }: Case): string =>
  [page, user, ...(after ? [idOf(after)] : [])].join()
const requirement = { statement: '', section: '' }

it.each<[string, Case[], string[]]>([
  ['the default without levels', cross({}), ['1,main']],
  [
    'each combination',
    cross({ page: ['1', '2'], by: [{ user: 'a' }, { user: 'b' }] }),
    ['1,a', '1,b', '2,a', '2,b'],
  ],
  ['no case without a level', cross({ page: [] }), []],
  ['parts of several factors', cross({ by: [{ user: 'a', page: '3' }] }), ['3,a']],
])('crossOf returns %s', (_, cases, ids) => {
  expect(cases.map(idOf)).toEqual(ids)
})

describe('createTable', () => {
  const [first, second] = cross({ page: ['1', '2'] }) as [Case, Case]
  const requirements = {
    first: { ...requirement, cases: [first, { ...first }] },
    both: {
      ...requirement,
      cases: [first, second],
      under: (isPaged: boolean, { page }: Case) => isPaged || page === '1',
    },
    also: { ...requirement, also: ({ page }: Case) => page === '2' },
    none: requirement,
  }
  const idsOf = (isPaged: boolean, sequences: readonly (readonly Case[])[] = []) => {
    const { rows, casesOf } = createTable(requirements, isPaged, idOf, sequences)
    const names = Object.keys(requirements)
    return [[...rows.keys()], ...names.map((name) => casesOf(name).map(idOf))]
  }
  const [again, later] = ['2,main,1,main', '1,main,2,main,1,main']

  it.each<[string, ReturnType<typeof idsOf>, string[][]]>([
    [
      'each request once',
      idsOf(true),
      [['1,main', '2,main'], ['1,main'], ['1,main', '2,main'], ['2,main'], []],
    ],
    ['what settings state', idsOf(false), [['1,main'], ['1,main'], ['1,main'], [], []]],
    [
      'requests of a sequence, each after the one before it',
      idsOf(true, [[first, second, first]]),
      [
        ['1,main', '2,main', again, later],
        ['1,main', later],
        ['1,main', '2,main', again, later],
        ['2,main', again],
        [],
      ],
    ],
    [
      'no request of a sequence that no requirement has',
      idsOf(true, [cross({ page: ['9', '1'] })]),
      [['1,main', '2,main'], ['1,main'], ['1,main', '2,main'], ['2,main'], []],
    ],
  ])('has %s', (_, actual, expected) => {
    expect(actual).toEqual(expected)
  })
})

it('catalogueOfSuite returns how each requirement is checked, and observations by id', () => {
  const every = { is: () => true, absence: '', shows: () => {} }
  const { requirements, observations } = catalogueOfSuite(
    { service: 'labels', document: '', needs: {} },
    {
      'a/own': { ...requirement, cases: [defaults], needs: ['key'], controlNeeds: ['body'] },
      'a/steps': { ...requirement, steps: async () => {}, every, level: 'wording' },
      'a/every': { ...requirement, every, since: '0.2.0' },
      'a/supplied': { ...requirement, steps: async () => {}, isSupplied: true },
      'a/never': { ...requirement, untestable: 'nothing shows it' },
    },
    { 'a/seen': { of: ['a/own'], description: 'seen', value: async () => 7 } },
  )
  expect(requirements.map(({ id, checkedBy }) => [id, checkedBy])).toEqual([
    ['labels/a/own', ['probe']],
    ['labels/a/steps', ['probe', 'invariant']],
    ['labels/a/every', ['invariant']],
    ['labels/a/supplied', ['supplied']],
    ['labels/a/never', ['untestable']],
  ])
  expect(requirements).toMatchObject([
    { level: 'contract', impact: 'data', since: '0.1.0', needs: ['key'], controlNeeds: ['body'] },
    { level: 'wording' },
    { since: '0.2.0' },
    {},
    { reason: 'nothing shows it' },
  ])
  expect(observations).toEqual({ 'labels/a/seen': { of: ['labels/a/own'], description: 'seen' } })
})
