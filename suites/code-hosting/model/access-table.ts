import { coveringArray } from '../../../lib/conformance/covering-array.ts'
import {
  adminScopes,
  publicOnlyReader,
  scopesExcept,
  type TokenScope,
  UNRELATED_SCOPE,
} from '../tokens/scopes.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { expectedAccess } from './access.ts'
import type { Case, Resource, SentAs } from './case.ts'
import { describeCase } from './describe-case.ts'

type Row = Partial<Case>

/** A level of a factor: its name in pairs, which levels of the same effect share, and its parts of a case. */
type Level = readonly [pair: string, parts: Row]

/** The factors of a part of the table. */
type Factors = readonly (readonly Level[])[]

type Target = Pick<CodeHostingTarget, 'settings' | 'username' | 'other'>

const defaultCase: Case = { resource: 'user', actor: 'main', sentAs: 'Bearer', scopes: ['all'] }

const at = (...resources: Resource[]) =>
  resources.map((resource): Level => [resource, { resource }])

/** A resource of each scope category, and the list, which belongs to two. */
const opened = at('user', 'repositories', 'public repository')
const privateRepository = at('private repository')
/** Resources that differ from user to user. */
const ownResources = at('user', 'repositories', 'private repository')
const tokensOfMain = at('tokens of the main account')
const changes = at('archived change', 'conflicting change', 'no-content change')
const missing = (
  [
    'missing repository',
    'repository of a missing owner',
    'missing repository with a long name',
  ] as const
).map((resource): Level => ['missing', { resource }])

const sentAs = (pair: string, ...ways: SentAs[]) =>
  ways.map((way): Level => [pair, { sentAs: way }])

const basic: Level = ['Basic', { sentAs: 'Basic' }]
const anonymous: Level = ['anonymous', { actor: 'anonymous' }]
const ofOther = { actor: 'other', sentAs: 'Basic' } as const
const other: readonly Level[] = [
  ['other by password', ofOther],
  ['other by token', { actor: 'other' }],
]

const READ: readonly TokenScope[] = ['read:user', 'read:repository']
const WRITE: readonly TokenScope[] = ['write:user', 'write:repository']
/** A token that may read repositories, and change what is no part of one. */
const reader: Row = { scopes: ['read:repository', 'write:notification'] }

/** Scopes of tokens of the main account. Of several, the first or the last counts: a server may know one only. */
const scopeSets = [
  ['all'],
  [UNRELATED_SCOPE],
  [],
  scopesExcept('user', 'repository', 'admin'),
  ['read:user'],
  reader.scopes as TokenScope[],
  [UNRELATED_SCOPE, 'write:user'],
  ['write:repository', UNRELATED_SCOPE],
  READ,
  WRITE,
  ['public-only'],
  publicOnlyReader,
  ['public-only', 'all'],
  ['public-only', ...WRITE],
  ['public-only', UNRELATED_SCOPE],
].map((scopes): Level => [scopes.join() || 'no scope', { scopes: scopes as TokenScope[] }])

/** The settings record is open to each of them, so a few tokens suffice. */
const ofSettings = scopeSets.filter(([name]) =>
  ['all', UNRELATED_SCOPE, publicOnlyReader.join()].includes(name),
)

const nearMisses = ['other end', 'other start', 'longer', 'shorter', 'other case'] as const

const tokenProblems = (
  ['invented', 'invented and short', 'deleted', 'nothing', 'last eight', ...nearMisses] as const
).map((problem): Level => [problem, { problem }])

/** Invalid passwords, at most five of an account, since a server may lock it. */
const wrongPasswords: readonly Row[] = [
  { sentAs: 'Basic', problem: 'nothing' },
  { sentAs: 'Basic', problem: 'without a colon' },
  { sentAs: 'Basic', problem: 'unknown user' },
  { sentAs: 'Basic', problem: 'invented' },
  { sentAs: 'Basic', problem: 'empty', resource: 'repositories' },
  { sentAs: 'Basic', problem: 'longer by a colon', resource: 'public repository' },
  { sentAs: 'Basic', problem: 'shorter', resource: 'tokens of the main account' },
  { ...ofOther, problem: 'of another account' },
  { ...ofOther, problem: 'other case', resource: 'repositories' },
  { ...ofOther, problem: 'longer by a space', resource: 'public repository' },
]

const only = (rows: readonly Row[]): Factors => [
  rows.map((row): Level => [JSON.stringify(row), row]),
]

const sudo = (...users: NonNullable<Case['sudo']>['as'][]) =>
  users.flatMap((as) =>
    (['header', 'query'] as const).map(
      (place): Level => [`${as} in ${place}`, { sudo: { as, in: place } }],
    ),
  )

/** Ways in which a site administrator sends requests. */
const admins: readonly Level[] = [
  ['password', { actor: 'admin', sentAs: 'Basic' }],
  ['token', { actor: 'admin' }],
  ['legacy token', { actor: 'admin', sentAs: 'token' }],
  ['token', { actor: 'admin', sentAs: 'bearer' }],
  ['narrow token', { actor: 'admin', scopes: adminScopes }],
]

/** Returns the ways of sending a token that the settings of the server allow. */
function schemesOf({ settings }: Pick<Target, 'settings'>): Level[] {
  return [
    ...sentAs('Bearer', 'Bearer'),
    ...(settings.allowLegacyTokenScheme ? sentAs('token', 'token') : []),
    ...(settings.disableQueryAuthToken ? [] : sentAs('parameter', '?token=', '?access_token=')),
  ]
}

/** Returns the parts of the table, simple ones first: in each, at most one thing is wrong. */
function partsOf(target: Target): Factors[] {
  const schemes = schemesOf(target)
  const ways = (['Bearer', 'token', '?token=', '?access_token='] as const).flatMap((way) =>
    sentAs(way, way),
  )
  const named = target.username === undefined ? [] : (['main'] as const)
  const sentOtherwise = target.settings.allowLegacyTokenScheme ? 'token' : 'Bearer'
  const another = target.other ? 'other' : 'admin'
  return [
    [
      [...opened, ...privateRepository, ...missing],
      [...ways, basic, ...other, anonymous],
    ],
    [
      opened,
      [
        ...sentAs('token in other letters', 'Token', 'TOKEN', 'tOkEn'),
        ...sentAs('Bearer in other letters', 'bearer', 'BEARER', 'bEaReR'),
      ],
    ],
    [tokensOfMain, [...schemes, other[0] as Level, anonymous]],
    // A server may accept a token as a password if its scopes let it create tokens.
    [tokensOfMain, ...only([{ scopes: [UNRELATED_SCOPE] }, {}]), ...only([{ sentAs: 'password' }])],
    [tokensOfMain, ...only([{ sentAs: 'username' }, { actor: 'admin', sentAs: 'Basic' }])],
    only([
      { sentAs: 'password', problem: 'unknown user' },
      { sentAs: 'password', problem: 'of another account' },
      { sentAs: 'username' },
    ]),
    only([{ actor: 'anonymous', isProxied: true }]),
    // Each parameter, before and after another one.
    only(
      (['user', 'public repository'] as const).flatMap((resource) =>
        schemes.flatMap(([pair, parts]) =>
          pair === 'parameter'
            ? [true, false].map((isTokenFirst) => ({ ...parts, resource, isTokenFirst }))
            : [],
        ),
      ),
    ),
    [at('settings'), [anonymous, basic, ...sentAs('Bearer', 'Bearer')], ofSettings],
    // The token of the other account has the scheme that the main account does not use here.
    [at('settings'), [admins[0] as Level, ['other', { actor: 'other', sentAs: sentOtherwise }]]],
    [[...at('public repository'), ...privateRepository], ...only([{ actor: 'other' }]), schemes],
    [[...opened, ...privateRepository], schemes, scopeSets],
    [opened, schemes, tokenProblems],
    only([{ problem: 'unknown scheme' }, ...wrongPasswords]),
    [changes, [...ways, basic, anonymous]],
    [changes, schemes, only([reader, { problem: 'invented' }])[0] as Level[]],
    only([{ resource: 'archived change', actor: 'admin', sentAs: 'Basic' }]),
    // A server that ignores Sudo might make another change for the administrator.
    [at('archived change'), ...only([{ actor: 'admin', sentAs: 'Basic' }]), sudo(...named)],
    // Letter case may not matter to the server, nor open what is hidden.
    [
      at('private repository in other letters'),
      [other[0] as Level, ['', { scopes: publicOnlyReader }]],
    ],
    [
      [...opened, ...privateRepository],
      admins,
      [['no sudo', {}], ...sudo(...named, 'other', 'unknown')],
    ],
    [
      [...at('public repository'), ...privateRepository],
      // The list table has its requests for lists.
      ...only([{ actor: 'admin', scopes: publicOnlyReader }]),
      sudo(...named, 'other', 'unknown'),
    ],
    [
      ...only([{ actor: 'admin', sentAs: 'Basic', problem: 'shorter' }]),
      sudo(...named).slice(0, 1),
    ],
    [ownResources, ...only([{ sentAs: 'any valid' }]), sudo(another, 'unknown')],
    [ownResources, [other[0] as Level], sudo('main')],
    [at('user', 'repositories'), [anonymous], sudo('main')],
    [at('user'), ...only([{ scopes: ['write:admin', ...WRITE] }]), sudo(another).slice(0, 1)],
  ]
}

interface Candidate {
  one: Case
  items: readonly string[]
}

/** Returns each documented combination, with its pairs, its levels, and the pairs of its rule and a level. */
function candidatesOf(factors: Factors, settings: Target['settings']): Candidate[] {
  let rows: Level[][] = [[]]
  for (const levels of factors) rows = rows.flatMap((row) => levels.map((level) => [...row, level]))
  return rows.flatMap((row) => {
    const one: Case = Object.assign({}, defaultCase, ...row.map(([, parts]) => parts))
    const access = expectedAccess(one, settings)
    if (access === undefined) return []
    const names = row.map(([pair]) => pair)
    // A rule holds for each level that it applies to, with the same result.
    const { requirement, rejected } = access
    const ofRule = names.map((name) => `${requirement} ${rejected}, ${name}`)
    const pairs = names.flatMap((name, index) =>
      names.slice(index + 1).map((other) => `${name}, ${other}`),
    )
    return { one, items: [...pairs, ...ofRule, ...row.map(([, parts]) => JSON.stringify(parts))] }
  })
}

/** Returns cases in sequence, each right after the one before it. */
function inSequence(rows: readonly Row[]): Case[] {
  const cases: Case[] = []
  for (const row of rows) cases.push({ ...defaultCase, ...row, after: cases.at(-1) })
  return cases
}

function sequences(target: Target): Case[] {
  /** Returns the requests of one sender before and after requests of others, who must not share its responses. */
  const alternating = (own: Row, others: readonly Row[]): Case[] => {
    const stated = others
      .map((other) => ({ ...own, ...other }))
      .filter((one) => expectedAccess({ ...defaultCase, ...one }, target.settings))
    return inSequence([own, ...stated.flatMap((one) => [one, own])])
  }

  const otherUser = { actor: 'other', sentAs: 'Basic' } as const
  const schemes = schemesOf(target).map(([, { sentAs }]) => sentAs)
  const problem = 'other start'
  const others: Row[] = [
    otherUser,
    { actor: 'anonymous' },
    { problem },
    { scopes: [UNRELATED_SCOPE] },
    { scopes: publicOnlyReader },
  ]
  const acting = { actor: 'admin', sentAs: 'Basic', resource: 'user' } as const
  const named = target.username === undefined ? 'other' : 'main'
  const own = ['user', 'repositories', 'public repository', 'private repository'] as const
  return [
    ...own.flatMap((resource, index) =>
      alternating({ resource, sentAs: schemes[(index + 1) % schemes.length] }, others),
    ),
    ...schemes.slice(1).flatMap((sentAs) => inSequence([{ sentAs, problem }, { sentAs }])),
    ...(['archived change', 'conflicting change'] as const).flatMap((resource) =>
      alternating({ resource }, [reader]),
    ),
    ...alternating(acting, [{ sudo: { as: named, in: 'header' } }]),
  ].filter(({ after }) => after !== undefined)
}

/** Returns the cases of every run, simple ones first, with each pair of levels that the document describes. */
export function accessCases(target: Target): Case[] {
  const cases = partsOf(target).flatMap((factors) => {
    const candidates = candidatesOf(factors, target.settings)
    const chosen = new Set(coveringArray(candidates, ({ items }) => items))
    return candidates.filter((candidate) => chosen.has(candidate)).map(({ one }) => one)
  })
  return [...new Map(cases.map((one) => [describeCase(one), one])).values(), ...sequences(target)]
}
