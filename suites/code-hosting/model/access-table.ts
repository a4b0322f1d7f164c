import { adminScopes, scopesExcept, type TokenScope, UNRELATED_SCOPE } from '../support/scopes.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { accessRequirements, expectedAccess } from './access.ts'
import type { Account, Case, Resource, SentAs } from './case.ts'

type Row = Partial<Case>

const defaultCell: Case = { resource: 'user', actor: 'main', sentAs: 'Bearer', scopes: ['all'] }

/** A resource of each scope category, and the list, which belongs to two. */
const opened: readonly Resource[] = ['user', 'repositories', 'public repository']
const closed: readonly Resource[] = [
  'private repository',
  'missing repository',
  'repository of a missing owner',
]

const READ: readonly TokenScope[] = ['read:user', 'read:repository']
const WRITE: readonly TokenScope[] = ['write:user', 'write:repository']
const publicOnly = (scopes: readonly TokenScope[]): TokenScope[] => ['public-only', ...scopes]

const nearMisses = ['other end', 'other start', 'longer', 'shorter', 'other case'] as const
const wrongTokens = ['invented', ...nearMisses, 'invented', 'invented'] as const

const at = (resources: readonly Resource[], row: Row): Row[] =>
  resources.map((resource) => ({ resource, ...row }))

const sudo = (as: NonNullable<Case['sudo']>['as'], place: 'header' | 'query'): Row => ({
  sudo: { as, in: place },
})

/** Assigns token schemes and resources to rows in rotation. */
const inTurn = (schemes: readonly SentAs[], rows: readonly Row[]): Row[] =>
  rows.map((row, index) => ({
    sentAs: schemes[index % schemes.length],
    resource: opened[index % opened.length],
    ...row,
  }))

const ofOther = { actor: 'other', sentAs: 'Basic' } as const

const schemeRows: readonly Row[] = [
  ...(['Basic', 'token', '?token=', '?access_token='] as const).flatMap((sentAs) =>
    at(opened, { sentAs }),
  ),
  ...(['Token', 'TOKEN', 'tOkEn', 'bearer'] as const).map((sentAs) => ({ sentAs })),
  { sentAs: 'BEARER', resource: 'repositories' },
  { sentAs: 'bEaReR', resource: 'public repository' },
]

/** Returns requests without usable credentials, with at most five wrong passwords of an account. */
const invalidRows = (schemes: readonly SentAs[]): Row[] => [
  ...at([...opened, ...closed, 'tokens of the main account'], { actor: 'anonymous' }),
  ...[...schemes, 'Basic' as const].map((sentAs): Row => ({ sentAs, problem: 'nothing' })),
  { problem: 'unknown scheme' },
  ...inTurn(
    schemes,
    wrongTokens.map((problem) => ({ problem })),
  ),
  { problem: 'deleted', resource: 'repositories' },
  { sentAs: 'Basic', problem: 'unknown user' },
  { sentAs: 'Basic', problem: 'invented' },
  { sentAs: 'Basic', problem: 'empty', resource: 'repositories' },
  { sentAs: 'Basic', problem: 'longer', resource: 'public repository' },
  { sentAs: 'Basic', problem: 'shorter', resource: 'tokens of the main account' },
  { ...ofOther, problem: 'of another account' },
  { ...ofOther, problem: 'other case', resource: 'repositories' },
]

const scopeRows = (schemes: readonly SentAs[]): Row[] => [
  ...inTurn(schemes, Array(4).fill({ scopes: [UNRELATED_SCOPE] })),
  { scopes: [] },
  ...at(opened, { scopes: scopesExcept('user', 'repository', 'admin') }),
  { scopes: ['write:repository'] },
  { scopes: ['write:user'], resource: 'public repository' },
  { actor: 'admin', scopes: adminScopes },
  { scopes: ['read:user'] },
  { scopes: ['read:repository'], resource: 'public repository' },
  { scopes: ['write:user'] },
  { scopes: ['write:repository'], resource: 'public repository' },
  { scopes: READ, resource: 'repositories' },
  { scopes: WRITE, resource: 'repositories' },
  ...at(opened, { scopes: ['public-only'] }),
  ...inTurn(
    schemes,
    [READ, ['all' as const], WRITE, READ].map((scopes) => ({
      scopes: publicOnly(scopes),
      resource: 'private repository',
    })),
  ),
  { scopes: publicOnly(READ), resource: 'public repository' },
]

const settingsRows: readonly Row[] = [
  { actor: 'anonymous' } as const,
  { sentAs: 'Basic' } as const,
  { scopes: [UNRELATED_SCOPE] },
  { scopes: publicOnly(READ) },
].map((row) => ({ resource: 'settings', ...row }))

/** Requests for hidden and missing repositories. */
const closedRows: readonly Row[] = [
  ...at(closed.slice(1), {}),
  ...at(closed, ofOther),
  { actor: 'other', resource: 'private repository' },
]

function sudoRows({ username, other }: Pick<CodeHostingTarget, 'username' | 'other'>): Row[] {
  const named: Account = username === undefined ? 'other' : 'main'
  const another = other ? 'other' : 'admin'
  const byToken = { actor: 'admin' } as const
  const byNarrowToken = { ...byToken, scopes: adminScopes }
  const byPassword = { ...byToken, sentAs: 'Basic' } as const
  const ofPrivate: Row[] = [
    { ...byPassword, ...sudo('other', 'header') },
    { ...byToken, ...sudo('other', 'query') },
    { ...byToken, ...sudo('unknown', 'query') },
    { ...byNarrowToken, ...sudo('main', 'query') },
  ]
  return [
    ...at(['user', 'repositories'], { ...byPassword, ...sudo(named, 'header') }),
    ...at(['user', 'repositories'], { ...byPassword, ...sudo(named, 'query') }),
    { ...byToken, ...sudo(named, 'header') },
    { ...byToken, ...sudo(named, 'query'), resource: 'repositories' },
    { ...byPassword, ...sudo('unknown', 'header') },
    { ...byToken, ...sudo('unknown', 'query'), resource: 'repositories' },
    { ...byNarrowToken, ...sudo(named, 'header') },
    { ...byNarrowToken, ...sudo(named, 'query'), resource: 'repositories' },
    ...(named === 'main' ? ofPrivate : []).flatMap((row) => at(['private repository'], row)),
    { sentAs: 'any valid', ...sudo(another, 'header') },
    { sentAs: 'any valid', ...sudo(another, 'query'), resource: 'repositories' },
    ...[ofOther, { actor: 'anonymous' } as const].flatMap((sender) => [
      { ...sender, ...sudo('main', 'query') },
      ...at(['repositories', 'private repository'], { ...sender, ...sudo('main', 'header') }),
    ]),
  ]
}

const creationRows = (schemes: readonly SentAs[]): Row[] =>
  [
    ...schemes.map((sentAs) => ({ sentAs })),
    { sentAs: 'password', scopes: [UNRELATED_SCOPE] } as const,
    ofOther,
  ].flatMap((row) => at(['tokens of the main account'], row))

/**
 * Returns the cases of every run, simple ones first. They cover all documented pairs of scheme, problem,
 * scopes, resource, user and sudo.
 */
export function coreCases(
  target: Pick<CodeHostingTarget, 'settings' | 'username' | 'other'>,
): Case[] {
  const { allowLegacyTokenScheme, disableQueryAuthToken } = target.settings
  const schemes: SentAs[] = [
    'Bearer',
    ...(allowLegacyTokenScheme ? (['token'] as const) : []),
    ...(disableQueryAuthToken ? [] : (['?token=', '?access_token='] as const)),
  ]
  const cases = [
    ...schemeRows,
    ...invalidRows(schemes),
    ...scopeRows(schemes),
    ...settingsRows,
    ...closedRows,
    ...sudoRows(target),
    ...creationRows(schemes),
  ].map((row): Case => ({ ...defaultCell, ...row }))
  return [...new Map(cases.map((one) => [keyOf(one), one])).values()]
}

const SAMPLE_SIZE = 5

const keyOf = ({ resource, actor, sentAs, scopes, problem, sudo }: Case) =>
  JSON.stringify([resource, actor, sentAs, scopes, problem, sudo?.as, sudo?.in])

/**
 * Returns further cases that the seed chooses. They need no other tokens and controls than the core cases,
 * and send no wrong password, because a server may lock an account.
 */
export async function sampledCases(
  core: readonly Case[],
  { settings }: Pick<CodeHostingTarget, 'settings'>,
  seed: number,
): Promise<Case[]> {
  if (seed === 0) return []
  const { constantFrom, option, record, sample, uniqueArray } = await import('fast-check')
  const isSent = new Set(
    core.flatMap((one) => {
      const { control } = expectedAccess(one, settings) ?? {}
      return [keyOf(one), ...(control ? [keyOf(control)] : [])]
    }),
  )
  const isServed = (one: Case) => expectedAccess(one, settings)?.rejected === undefined
  function isCandidate(one: Case): boolean {
    const access = expectedAccess(one, settings)
    if (access === undefined || isSent.has(keyOf(one))) return false
    const { control, requirement } = access
    if (!accessRequirements.some((id) => id === requirement)) return false
    return control !== undefined && isSent.has(keyOf(control)) && isServed(control)
  }
  // The tokens of the other cases exist only if their repository is configured.
  const senders = core
    .filter(({ resource, problem }) => !problem && ['user', 'repositories'].includes(resource))
    .map(({ actor, sentAs, scopes }): Row => ({ actor, sentAs, scopes }))
  const cases = record({
    sender: constantFrom(...senders),
    resource: constantFrom(...opened, ...closed),
    problem: option(constantFrom(...nearMisses), { freq: 2, nil: undefined }),
    sudo: option(
      record({
        as: constantFrom('main' as const, 'other' as const, 'unknown' as const),
        in: constantFrom('header' as const, 'query' as const),
      }),
      { freq: 1, nil: undefined },
    ),
  })
    .map(({ sender, problem, ...rest }): Case => {
      const isToken = sender.sentAs !== 'Basic' && sender.sentAs !== 'any valid'
      const mayBeWrong = sender.actor === 'main' && isToken
      return { ...defaultCell, ...sender, ...rest, problem: mayBeWrong ? problem : undefined }
    })
    .filter(isCandidate)
  const bounds = { minLength: SAMPLE_SIZE, maxLength: SAMPLE_SIZE, selector: keyOf }
  return sample(uniqueArray(cases, bounds), { seed, numRuns: 1 }).flat()
}
