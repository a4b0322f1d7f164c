import { beforeAll, describe, expect, it } from 'vitest'
import { targetWith } from '../service.fixture.ts'
import {
  adminScopes,
  publicOnlyReader,
  scopesExcept,
  type TokenScope,
  UNRELATED_SCOPE,
} from '../tokens/scopes.ts'
import { accessRequirements, expectedAccess } from './access.ts'
import { accessCases } from './access-table.ts'
import { type Case, isBasic, isInBasic, isLacking, isUnusable } from './case.ts'
import { describeCase } from './describe-case.ts'

const target = targetWith()

const targets = [true, false].flatMap((allowLegacyTokenScheme) =>
  [false, true].map((disableQueryAuthToken) =>
    targetWith({ settings: { ...target.settings, allowLegacyTokenScheme, disableQueryAuthToken } }),
  ),
)

describe('the access table', () => {
  it.each(targets)(
    'has a documented result, and a successful control for each rejection',
    (target) => {
      const cases = accessCases(target)
      const known = [...cases.map(({ resource }) => resource), 'tokens of the other account']
      for (const one of cases) {
        const { requirement, rejected, control } = expectedAccess(one, target.settings) ?? {}
        expect(accessRequirements, describeCase(one)).toContain(requirement)
        if (control) expect(known, describeCase(one)).toContain(control.resource)
        if (rejected === undefined) continue
        const access = control && expectedAccess(control, target.settings)
        expect(access, describeCase(one)).toMatchObject({ requirement: expect.anything() })
        expect(access?.rejected, describeCase(one)).toBeUndefined()
      }
    },
  )
})

it('has the other account as the user of sudo if the name of the main account is unknown', () => {
  const { username: _, ...unnamed } = target
  const users = accessCases(unnamed).flatMap(({ actor, sudo }) =>
    sudo && actor === 'admin' ? sudo.as : [],
  )
  expect(new Set(users)).toEqual(new Set(['other', 'unknown']))
})

const sorted = (values: Iterable<string>) => [...new Set(values)].sort()
const pairsOf = (some: readonly string[], others: readonly string[]) =>
  some.flatMap((one) => others.map((other) => `${one}, ${other}`))

const opened = ['user', 'repositories', 'public repository']
const resources = [...opened, 'private repository']
const creation = ['tokens of the main account']
const changes = ['archived change', 'conflicting change', 'no-content change']
const schemes = ['Bearer', 'token', '?token=', '?access_token=']
const places = ['header', 'query']
const problems = [
  ...['invented', 'invented and short', 'deleted', 'nothing', 'last eight'],
  ...['other start', 'other end', 'other case', 'longer', 'shorter'],
]

/** The ways of sending a token whose pairs are judged once, since both name a query parameter. */
const schemeOf = ({ sentAs }: Case) => (sentAs.startsWith('?') ? 'parameter' : sentAs)
const resourceOf = ({ resource }: Case) =>
  resource.includes('missing') ? 'missing repository' : resource
const scopesOf = ({ scopes }: Case) => scopes.toSorted().join()
const sudoOf = ({ sudo }: Case) => `${sudo?.as} in ${sudo?.in}`

const resourceCounts = (cases: readonly Case[]) => {
  const counts: Record<string, number> = {}
  for (const { resource } of cases) counts[resource] = (counts[resource] ?? 0) + 1
  return counts
}

const isPlain = ({ problem, sudo, scopes }: Case) => !problem && !sudo && scopes.join() === 'all'
const isOfMain = ({ actor }: Case) => actor === 'main'

const scopeSets: readonly (readonly TokenScope[])[] = [
  ['all'],
  [],
  [UNRELATED_SCOPE],
  scopesExcept('user', 'repository', 'admin'),
  ['write:user', UNRELATED_SCOPE],
  ['write:repository', UNRELATED_SCOPE],
  ['read:user'],
  ['read:repository', 'write:notification'],
  ['read:user', 'read:repository'],
  ['write:user', 'write:repository'],
  ['public-only'],
  ['public-only', 'all'],
  ['public-only', UNRELATED_SCOPE],
  ['public-only', 'read:user', 'read:repository'],
  ['public-only', 'write:user', 'write:repository'],
]

/** The pairs of a resource and scopes for which the document states the access. */
const statedPairs = scopeSets.flatMap((scopes) =>
  (['user', 'repositories', 'public repository', 'private repository'] as const).flatMap(
    (resource) => {
      const one: Case = { resource, scopes, actor: 'main', sentAs: 'Bearer' }
      return expectedAccess(one, target.settings) ? [`${resource}, ${scopesOf(one)}`] : []
    },
  ),
)

describe('accessCases', () => {
  let cases: readonly Case[] = []
  let single: readonly Case[] = []
  beforeAll(() => {
    cases = accessCases(target)
    single = cases.filter(({ after }) => !after)
  })
  const pairs = (
    some: (one: Case) => string,
    other: (one: Case) => string,
    holds: (one: Case) => unknown,
  ) => sorted(single.filter(holds).map((one) => `${some(one)}, ${other(one)}`))

  it('has each resource with each way of sending valid credentials', () => {
    const way = (one: Case) =>
      isOfMain(one) ? one.sentAs : `${one.actor}${one.sentAs === 'Basic' ? ' Basic' : ''}`
    expect(pairs(resourceOf, way, isPlain)).toEqual(
      expect.arrayContaining([
        ...pairsOf(resources, [...schemes, 'Basic']),
        ...pairsOf([...resources, 'missing repository'], ['other', 'other Basic', 'anonymous']),
        ...pairsOf(['missing repository'], [...schemes, 'Basic']),
        ...pairsOf(creation, [...schemes, 'other Basic', 'anonymous']),
      ]),
    )
  })

  it('has both repositories with each scheme of the other account', () => {
    const isOfOther = (one: Case) => one.actor === 'other' && isPlain(one)
    const repositories = ['public repository', 'private repository']
    expect(pairs(resourceOf, schemeOf, isOfOther)).toEqual(
      expect.arrayContaining(pairsOf(repositories, ['Bearer', 'token', 'parameter'])),
    )
    const ways = single.filter(isOfOther).map(({ sentAs }) => sentAs)
    expect(ways).toEqual(expect.arrayContaining(schemes))
  })

  it('has the settings with each kind of sender', () => {
    const way = ({ actor, sentAs }: Case) => `${actor} ${actor === 'anonymous' ? '' : sentAs}`
    const isSettings = ({ resource }: Case) => resource === 'settings'
    expect(sorted(single.filter(isSettings).map(way))).toEqual(
      sorted(['anonymous ', 'main Basic', 'main Bearer', 'other token', 'admin Basic']),
    )
    const sent = single.filter(isSettings).map(scopesOf)
    expect(sorted(sent)).toEqual(
      sorted(['all', UNRELATED_SCOPE, publicOnlyReader.toSorted().join()]),
    )
  })

  it('has each letter case of the schemes', () => {
    const named = ['bearer', 'BEARER', 'bEaReR', 'Token', 'TOKEN', 'tOkEn']
    expect(single.map(({ sentAs }) => sentAs)).toEqual(expect.arrayContaining(named))
  })

  it('has each set of scopes with each resource, and with each way of sending', () => {
    const hasScopes = (one: Case) =>
      isOfMain(one) && !one.problem && !one.sudo && schemes.includes(one.sentAs)
    const isShown = (one: Case) => hasScopes(one) && resources.includes(one.resource)
    expect(statedPairs.length).toBe(52)
    expect(pairs(resourceOf, scopesOf, isShown)).toEqual(sorted(statedPairs))
    const all = scopeSets.map((scopes) => scopes.toSorted().join())
    expect(pairs(schemeOf, scopesOf, hasScopes)).toEqual(
      expect.arrayContaining(pairsOf(['Bearer', 'token', 'parameter'], all)),
    )
  })

  it('has each problem of tokens with each resource, and with each way of sending', () => {
    const problemOf = ({ problem }: Case) => String(problem)
    const isToken = (one: Case) => one.problem && !isBasic(one) && !isInBasic(one)
    const unknown = ['Bearer, unknown scheme']
    expect(pairs(schemeOf, problemOf, isToken)).toEqual(
      sorted([...pairsOf(['Bearer', 'token', 'parameter'], problems), ...unknown]),
    )
    expect(pairs(resourceOf, problemOf, isToken)).toEqual(
      sorted([
        ...pairsOf(opened, problems),
        ...pairsOf(changes, ['invented']),
        'user, unknown scheme',
      ]),
    )
  })

  it('has each problem of passwords', () => {
    const byPassword = single.filter(({ sentAs, problem }) => sentAs === 'Basic' && problem)
    expect(byPassword.map(({ problem, resource }) => `${problem}, ${resource}`).toSorted()).toEqual(
      [
        ...['nothing', 'without a colon', 'unknown user', 'invented'].map(
          (name) => `${name}, user`,
        ),
        ...['of another account, user', 'shorter, user', 'shorter, tokens of the main account'],
        ...['empty, repositories', 'other case, repositories'],
        ...['longer by a colon', 'longer by a space'].map((name) => `${name}, public repository`),
      ].toSorted(),
    )
    const tokens = single.filter(isInBasic)
    expect(sorted(tokens.map((one) => `${one.sentAs}, ${one.problem}, ${one.resource}`))).toEqual(
      sorted([
        ...pairsOf(['password', 'username'], ['undefined, tokens of the main account']),
        ...['password, of another account, user', 'password, unknown user, user'],
        'username, undefined, user',
      ]),
    )
  })

  it('has the fields of a proxy without credentials', () => {
    const proxied = single.filter(({ isProxied }) => isProxied)
    expect(proxied.map((one) => `${one.actor}, ${one.resource}`)).toEqual(['anonymous, user'])
  })

  it('has each query token before and after another parameter', () => {
    const ordered = single.filter(({ isTokenFirst }) => isTokenFirst !== undefined)
    expect(
      sorted(ordered.map((one) => `${one.sentAs}, ${one.resource}, ${one.isTokenFirst}`)),
    ).toEqual(
      sorted(
        ['?token=', '?access_token='].flatMap((sentAs) =>
          pairsOf([`${sentAs}, user`, `${sentAs}, public repository`], ['true', 'false']),
        ),
      ),
    )
  })

  it('has each user of sudo in each place, with each resource and by each administrator', () => {
    const adminOf = ({ sentAs, scopes }: Case) => (sentAs === 'Basic' ? sentAs : scopes.join())
    const isActing = ({ resource, actor, sudo, scopes }: Case) =>
      actor === 'admin' && sudo && !scopes.includes('public-only') && !changes.includes(resource)
    const isRestricted = (one: Case) => one.actor === 'admin' && one.scopes.includes('public-only')
    const acting = places.flatMap((place) =>
      ['main', 'other', 'unknown'].map((user) => `${user} in ${place}`),
    )
    expect(pairs(resourceOf, sudoOf, isActing)).toEqual(sorted(pairsOf(resources, acting)))
    const repositories = ['public repository', 'private repository']
    expect(pairs(resourceOf, sudoOf, isRestricted)).toEqual(sorted(pairsOf(repositories, acting)))
    const admins = ['Basic', 'all', adminScopes.join()]
    expect(pairs(adminOf, sudoOf, isActing)).toEqual(sorted(pairsOf(admins, acting)))
  })

  it('has each resource read by each administrator without sudo', () => {
    const isReading = ({ actor, sudo, resource }: Case) =>
      actor === 'admin' && !sudo && resources.includes(resource)
    expect(pairs(resourceOf, scopesOf, isReading)).toEqual(
      sorted(pairsOf(opened, ['all', adminScopes.join()])),
    )
  })

  it('has the hidden repository in other letters', () => {
    const ofLetters = single.filter(({ resource }) => resource.endsWith('letters'))
    expect(ofLetters.map((one) => `${one.actor} ${scopesOf(one)}`).toSorted()).toEqual([
      'main public-only,read:repository,read:user',
      'other all',
    ])
  })

  it('expects messages about scopes, except for an unknown user of sudo', () => {
    const lacking = single.filter(isLacking)
    expect(sorted(lacking.map(({ sudo }) => String(sudo?.as)))).toEqual([
      'main',
      'other',
      'undefined',
    ])
    const isNarrow = ({ sudo, scopes }: Case) =>
      sudo?.as === 'unknown' && scopes.join() === adminScopes.join()
    expect(single.some(isNarrow)).toBe(true)
  })

  it('has each change with each way of sending, and with each reason to reject it', () => {
    const ofChanges = single.filter(({ resource }) => changes.includes(resource))
    const isValid = (one: Case) => ofChanges.includes(one) && isPlain(one) && isOfMain(one)
    expect(pairs(resourceOf, ({ sentAs }) => sentAs, isValid)).toEqual(
      sorted(pairsOf(changes, [...schemes, 'Basic'])),
    )
    const isRejected = (one: Case) =>
      ofChanges.includes(one) && one.actor !== 'admin' && !isValid(one)
    const reasonOf = (one: Case) =>
      one.actor === 'anonymous' ? 'anonymous' : (one.problem ?? scopesOf(one))
    const reasons = ['anonymous', 'invented', 'read:repository,write:notification']
    expect(pairs(resourceOf, reasonOf, isRejected)).toEqual(sorted(pairsOf(changes, reasons)))
    const acting = ofChanges.filter(({ sudo }) => sudo)
    expect(sorted(acting.map((one) => `${one.resource}, ${sudoOf(one)}`))).toEqual(
      sorted(pairsOf(['archived change'], ['main in header', 'main in query'])),
    )
  })

  it('has each place of sudo with each actor who is not an administrator', () => {
    const actorOf = ({ actor }: Case) => actor
    const isIgnored = ({ actor, sudo }: Case) => actor !== 'admin' && sudo
    expect(pairs(actorOf, (one) => one.sudo?.in ?? '', isIgnored)).toEqual(
      sorted(pairsOf(['main', 'other', 'anonymous'], places)),
    )
    expect(sorted(single.filter(isIgnored).map(resourceOf))).toEqual([
      'private repository',
      'repositories',
      'user',
    ])
    const byMain = single.filter((one) => isOfMain(one) && one.sudo)
    expect(sorted(byMain.map((one) => `${one.sentAs} as ${one.sudo?.as}`))).toEqual([
      'Bearer as other',
      'any valid as other',
      'any valid as unknown',
    ])
  })

  it('has sequences, each after another sender at the same resource', () => {
    const later = cases.filter(({ after }) => after)
    expect(resourceCounts(later)).toEqual({
      user: 13,
      ...{ repositories: 10, 'public repository': 10, 'private repository': 10 },
      ...{ 'archived change': 2, 'conflicting change': 2 },
    })
    const sender = ({ actor, sentAs, scopes, problem, sudo }: Case) =>
      JSON.stringify([actor, sentAs, scopes, problem, sudo])
    for (const one of later) {
      expect(one.after?.resource).toBe(one.resource)
      expect(one.after && sender(one.after)).not.toBe(sender(one))
    }
  })

  it.each(['main', 'other', 'admin'])('sends at most five wrong passwords of %s', (actor) => {
    const wrong = cases.filter((one) => {
      const { sentAs, problem } = one
      if (one.actor !== actor || problem === 'unknown user') return false
      return sentAs === 'Basic' ? problem && !isUnusable(one) : sentAs === 'password' && !problem
    })
    expect(wrong.length).toBeLessThanOrEqual(5)
  })

  it('needs at most 16 tokens of the main account', () => {
    const sent = single.filter((one) => isOfMain(one) && schemes.includes(one.sentAs))
    expect(sorted(sent.map(scopesOf)).length).toBeLessThanOrEqual(16)
  })

  it('has at most 284 cases besides its sequences', () => {
    expect(single.length).toBeLessThanOrEqual(284)
  })

  it('has a different id for each case', () => {
    expect(new Set(cases.map(describeCase)).size).toBe(cases.length)
  })

  it('has a documented result for each case', () => {
    for (const one of cases) expect(expectedAccess(one, target.settings)).toBeDefined()
  })
})
