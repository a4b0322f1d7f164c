import { describe, expect, it } from 'vitest'
import { targetWith } from '../service.fixture.ts'
import { UNRELATED_SCOPE } from '../tokens/scopes.ts'
import { accessRequirements, expectedAccess } from './access.ts'
import { accessCases, keyOf } from './access-table.ts'
import type { Case } from './case.ts'
import { describeCase } from './describe-case.ts'

const target = targetWith()
const seeds = Array.from({ length: 50 }, (_, seed) => seed)
const tables = seeds.map((seed) => ({ seed, cases: accessCases(target, seed) }))

const targets = [true, false].flatMap((allowLegacyTokenScheme) =>
  [false, true].map((disableQueryAuthToken) =>
    targetWith({ settings: { ...target.settings, allowLegacyTokenScheme, disableQueryAuthToken } }),
  ),
)

describe('the access table', () => {
  it.each(targets)(
    'has a documented result, and a successful control for each rejection',
    (target) => {
      const expected = [
        ...accessRequirements,
        'code-hosting/authentication/bearer',
        'code-hosting/scopes/public-only-shows-public',
      ]
      for (const one of accessCases(target, 1)) {
        const { requirement, rejected, control } = expectedAccess(one, target.settings) ?? {}
        expect(expected, describeCase(one)).toContain(requirement)
        if (rejected === undefined) continue
        const access = control && expectedAccess(control, target.settings)
        expect(access, describeCase(one)).toMatchObject({ requirement: expect.anything() })
        expect(access?.rejected, describeCase(one)).toBeUndefined()
      }
    },
  )
})

const sorted = (values: Iterable<string>) => [...new Set(values)].sort()
const pairsOf = (some: readonly string[], others: readonly string[]) =>
  some.flatMap((one) => others.map((other) => `${one}, ${other}`))

const opened = ['user', 'repositories', 'public repository']
const closed = ['private repository', 'missing repository', 'repository of a missing owner']

const granted = ({ problem, sudo, actor, after }: Case) =>
  !problem && !sudo && actor === 'main' && !after

describe.each(tables)('accessCases with seed $seed', ({ seed, cases }) => {
  const covered = (of: (one: Case) => string, holds: (one: Case) => unknown) =>
    sorted(cases.filter(holds).map(of))

  it('has each way of sending valid credentials with each resource', () => {
    const ways = ['Bearer', 'Basic', 'token', '?token=', '?access_token=']
    const of = ({ sentAs, resource }: Case) => `${sentAs}, ${resource}`
    expect(covered(of, granted)).toEqual(expect.arrayContaining(pairsOf(ways, opened)))
    const creation = ({ resource }: Case) => resource === 'tokens of the main account'
    expect(covered(of, (one) => granted(one) && creation(one))).toEqual(
      sorted(
        pairsOf(
          ['Bearer', 'token', '?token=', '?access_token=', 'password'],
          ['tokens of the main account'],
        ),
      ),
    )
  })

  it('has each letter case of the schemes', () => {
    const named = ['bearer', 'BEARER', 'bEaReR', 'Token', 'TOKEN', 'tOkEn']
    expect(covered(({ sentAs }) => sentAs, granted)).toEqual(expect.arrayContaining(named))
  })

  it('has each actor with the resources that it may see and those that it may not', () => {
    const of = ({ actor, resource }: Case) => `${actor}, ${resource}`
    expect(covered(of, ({ problem }) => !problem)).toEqual(
      expect.arrayContaining([
        ...pairsOf(['anonymous'], [...opened, ...closed, 'tokens of the main account']),
        ...pairsOf(['main'], [...opened, ...closed]),
        ...pairsOf(['other'], closed),
      ]),
    )
  })

  it('has each user of sudo in each place, by password and by token', () => {
    const of = ({ sudo, sentAs }: Case) => `${sudo?.as}, ${sudo?.in}, ${sentAs === 'Basic'}`
    const acting = covered(of, ({ sudo, actor }) => sudo && actor === 'admin')
    const places = ['header', 'query']
    expect(acting).toEqual(
      expect.arrayContaining(pairsOf(pairsOf(['main'], places), ['true', 'false'])),
    )
    const users = covered(
      ({ sudo }) => `${sudo?.as}, ${sudo?.in}`,
      ({ sudo, actor }) => sudo && actor === 'admin',
    )
    expect(users).toEqual(sorted(pairsOf(['main', 'other', 'unknown'], places)))
    const ignored = covered(
      ({ sudo, actor }) => `${actor}, ${sudo?.in}`,
      ({ sudo, actor }) => sudo && actor !== 'admin',
    )
    expect(ignored).toEqual(sorted(pairsOf(['main', 'other', 'anonymous'], places)))
  })

  it('has each problem of tokens and of passwords', () => {
    const of = ({ problem }: Case) => String(problem)
    const nearMisses = ['other start', 'other end', 'other case', 'longer', 'shorter']
    const byPassword = ({ sentAs, problem }: Case) => sentAs === 'Basic' && problem
    expect(covered(of, (one) => one.problem && !byPassword(one))).toEqual(
      sorted(['nothing', 'unknown scheme', 'invented', 'deleted', ...nearMisses]),
    )
    expect(covered(of, byPassword)).toEqual(
      sorted([
        ...['nothing', 'unknown user', 'invented', 'empty', 'of another account'],
        ...['longer', 'shorter', 'other case'],
      ]),
    )
    const invented = ({ problem }: Case) => problem === 'invented'
    const schemes = ['Basic', 'Bearer', 'token', '?token=', '?access_token=']
    const nothing = covered(
      ({ sentAs }) => sentAs,
      ({ problem }) => problem === 'nothing',
    )
    expect(nothing).toEqual(sorted(schemes))
    expect(
      covered(
        ({ resource }) => resource,
        (one) => invented(one) && !byPassword(one),
      ).length,
    ).toBeGreaterThan(1)
  })

  it('has each set of scopes', () => {
    const has = covered(
      ({ scopes }) => scopes.toSorted().join(),
      ({ actor }) => actor === 'main',
    )
    const sets = [
      ['all'],
      [],
      [UNRELATED_SCOPE],
      ['read:user', UNRELATED_SCOPE],
      ['read:repository', UNRELATED_SCOPE],
      ['write:user'],
      ['write:repository'],
      ['read:user', 'read:repository'],
      ['write:user', 'write:repository'],
      ['public-only'],
      ['public-only', 'all'],
      ['public-only', UNRELATED_SCOPE],
      ['public-only', 'read:user', 'read:repository'],
      ['public-only', 'write:user', 'write:repository'],
    ]
    expect(has).toEqual(expect.arrayContaining(sets.map((scopes) => scopes.toSorted().join())))
  })

  it('has sequences, each after another sender at the same resource', () => {
    const later = cases.filter(({ after }) => after)
    expect(later.length).toBeGreaterThan(10)
    const sender = ({ actor, sentAs, scopes, problem, sudo }: Case) =>
      JSON.stringify([actor, sentAs, scopes, problem, sudo])
    for (const one of later) {
      expect(one.after?.resource).toBe(one.resource)
      expect(one.after && sender(one.after)).not.toBe(sender(one))
    }
  })

  it.each(['main', 'other', 'admin'])('sends at most five wrong passwords of %s', (actor) => {
    const wrong = cases.filter(({ sentAs, problem, ...one }) => {
      if (one.actor !== actor || problem === 'unknown user') return false
      return sentAs === 'Basic' ? problem && problem !== 'nothing' : sentAs === 'password'
    })
    expect(wrong.length).toBeLessThanOrEqual(5)
  })

  it('has no case twice, and the same cases for the same seed', () => {
    const alone = cases.filter(({ after }) => !after)
    expect(new Set(alone.map((one) => JSON.stringify(keyOf(one)))).size).toBe(alone.length)
    expect(accessCases(target, seed)).toEqual(cases)
    expect(accessCases(target, seed + 1)).not.toEqual(cases)
  })

  it('has a documented result for each case', () => {
    for (const one of cases) expect(expectedAccess(one, target.settings)).toBeDefined()
  })
})
