import {
  type Account,
  type Cell,
  type CredentialProblem,
  expectedAccess,
  type Resource,
  type SentAs,
} from './access-model.ts'
import type { RequirementId } from './requirements.ts'
import { adminScopes, scopesExcept, type TokenScope, UNRELATED_SCOPE } from './support/scopes.ts'
import type { CodeHostingTarget } from './variables.ts'

export const accessRequirements = [
  'code-hosting/authentication/missing-credentials',
  'code-hosting/authentication/unusable-credentials',
  'code-hosting/authentication/unknown-token',
  'code-hosting/authentication/unknown-username',
  'code-hosting/authentication/wrong-password',
  'code-hosting/authentication/bearer-case-insensitive',
  'code-hosting/authentication/legacy-accepted',
  'code-hosting/authentication/legacy-case-insensitive',
  'code-hosting/authentication/legacy-disabled',
  'code-hosting/authentication/basic',
  'code-hosting/authentication/query-token',
  'code-hosting/authentication/query-access-token',
  'code-hosting/authentication/query-disabled',
  'code-hosting/authentication/sudo-header',
  'code-hosting/authentication/sudo-query',
  'code-hosting/authentication/sudo-admin-only',
  'code-hosting/tokens/basic-only',
  'code-hosting/tokens/own-credentials',
  'code-hosting/scopes/missing-scope-status',
  'code-hosting/scopes/read-suffices',
  'code-hosting/scopes/write-includes-read',
  'code-hosting/scopes/categories-separate',
  'code-hosting/scopes/public-only-hides-private',
  'code-hosting/scopes/public-only-grants-nothing',
  'code-hosting/errors/missing-repository',
  'code-hosting/errors/hidden-repository',
  'code-hosting/settings/readable-by-any-client',
] as const satisfies readonly RequirementId[]

type Row = Partial<Cell>

const defaultCell: Cell = { resource: 'user', actor: 'main', sentAs: 'Bearer', scopes: ['all'] }

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

const nearMisses: readonly CredentialProblem[] = [
  'other end',
  'other start',
  'longer',
  'shorter',
  'other case',
]
const wrongTokens = ['invented', ...nearMisses, 'invented', 'invented'] as const

const at = (resources: readonly Resource[], row: Row): Row[] =>
  resources.map((resource) => ({ resource, ...row }))

/**
 * Returns the cells of every run, simple ones first. They cover all documented pairs of scheme, problem,
 * scopes, resource, user and sudo.
 */
export function coreCells(
  target: Pick<CodeHostingTarget, 'settings' | 'username' | 'other'>,
): Cell[] {
  const { allowLegacyTokenScheme, disableQueryAuthToken } = target.settings
  const schemes: SentAs[] = [
    'Bearer',
    ...(allowLegacyTokenScheme ? (['token'] as const) : []),
    ...(disableQueryAuthToken ? [] : (['?token=', '?access_token='] as const)),
  ]
  /** Assigns token schemes and resources to rows in rotation. */
  const inTurn = (rows: readonly Row[]): Row[] =>
    rows.map((row, index) => ({
      sentAs: schemes[index % schemes.length],
      resource: opened[index % opened.length],
      ...row,
    }))
  const sudo = (as: NonNullable<Cell['sudo']>['as'], place: 'header' | 'query'): Row => ({
    sudo: { as, in: place },
  })
  const named: Account = target.username === undefined ? 'other' : 'main'
  const another = target.other ? 'other' : 'admin'
  const byToken = { actor: 'admin' } as const
  const byNarrowToken = { ...byToken, scopes: adminScopes }
  const byPassword = { ...byToken, sentAs: 'Basic' } as const
  const other = { actor: 'other', sentAs: 'Basic' } as const

  const rows: Row[] = [
    // Schemes.
    ...(['Basic', 'token', '?token=', '?access_token='] as const).flatMap((sentAs) =>
      at(opened, { sentAs }),
    ),
    ...(['Token', 'TOKEN', 'tOkEn'] as const).map((sentAs) => ({ sentAs })),
    { sentAs: 'bearer' },
    { sentAs: 'BEARER', resource: 'repositories' },
    { sentAs: 'bEaReR', resource: 'public repository' },

    // No credentials, and unusable ones.
    ...at([...opened, ...closed, 'tokens of the main account'], { actor: 'anonymous' }),
    ...[...schemes, 'Basic' as const].map((sentAs): Row => ({ sentAs, problem: 'nothing' })),
    { problem: 'unknown scheme' },

    // Wrong tokens and passwords, with at most five passwords of an account.
    ...inTurn(wrongTokens.map((problem) => ({ problem }))),
    { problem: 'deleted', resource: 'repositories' },
    { sentAs: 'Basic', problem: 'unknown user' },
    { sentAs: 'Basic', problem: 'invented' },
    { sentAs: 'Basic', problem: 'empty', resource: 'repositories' },
    { sentAs: 'Basic', problem: 'longer', resource: 'public repository' },
    { sentAs: 'Basic', problem: 'shorter', resource: 'tokens of the main account' },
    { ...other, problem: 'of another account' },
    { ...other, problem: 'other case', resource: 'repositories' },

    // Scopes.
    ...inTurn([{}, {}, {}, {}].map(() => ({ scopes: [UNRELATED_SCOPE] }))),
    { scopes: [] },
    ...at(opened, { scopes: scopesExcept('user', 'repository', 'admin') }),
    { scopes: ['write:repository'] },
    { scopes: ['write:user'], resource: 'public repository' },
    byNarrowToken,
    ...[READ, WRITE].flatMap(([ofUser, ofRepository]): Row[] => [
      { scopes: [ofUser as TokenScope] },
      { scopes: [ofRepository as TokenScope], resource: 'public repository' },
    ]),
    ...[READ, WRITE].map((scopes): Row => ({ scopes, resource: 'repositories' })),
    ...at(opened, { scopes: ['public-only'] }),
    ...inTurn(
      [READ, ['all' as const], WRITE, READ].map((scopes) => ({
        scopes: publicOnly(scopes),
        resource: 'private repository',
      })),
    ),
    { scopes: publicOnly(READ), resource: 'public repository' },

    // Settings.
    { resource: 'settings', actor: 'anonymous' },
    { resource: 'settings', sentAs: 'Basic' },
    ...[[UNRELATED_SCOPE], publicOnly(READ)].map(
      (scopes): Row => ({ resource: 'settings', scopes }),
    ),

    // Hidden and missing repositories.
    ...at(closed.slice(1), {}),
    ...at(closed, other),
    { actor: 'other', resource: 'private repository' },

    // Sudo.
    ...(['header', 'query'] as const).flatMap((place) =>
      at(['user', 'repositories'], { ...byPassword, ...sudo(named, place) }),
    ),
    ...([named, 'unknown'] as const).flatMap((as): Row[] => [
      { ...(as === 'unknown' ? byPassword : byToken), ...sudo(as, 'header') },
      { ...byToken, ...sudo(as, 'query'), resource: 'repositories' },
    ]),
    { ...byNarrowToken, ...sudo(named, 'header') },
    { ...byNarrowToken, ...sudo(named, 'query'), resource: 'repositories' },
    ...(named === 'other' ? [] : at(['private repository'], {})).flatMap((row): Row[] => [
      { ...row, ...byPassword, ...sudo('other', 'header') },
      { ...row, ...byToken, ...sudo('other', 'query') },
      { ...row, ...byToken, ...sudo('unknown', 'query') },
      { ...row, ...byNarrowToken, ...sudo('main', 'query') },
    ]),
    { sentAs: 'any valid', ...sudo(another, 'header') },
    { sentAs: 'any valid', ...sudo(another, 'query'), resource: 'repositories' },
    { ...other, ...sudo('main', 'query') },
    ...at(['repositories', 'private repository'], { ...other, ...sudo('main', 'header') }),
    { actor: 'anonymous', ...sudo('main', 'query') },
    ...at(['repositories', 'private repository'], {
      actor: 'anonymous',
      ...sudo('main', 'header'),
    }),

    // Token creation.
    ...schemes.map((sentAs): Row => ({ sentAs, resource: 'tokens of the main account' })),
    { sentAs: 'password', scopes: [UNRELATED_SCOPE], resource: 'tokens of the main account' },
    { ...other, resource: 'tokens of the main account' },
  ]
  const cells = rows.map((row): Cell => ({ ...defaultCell, ...row }))
  return [...new Map(cells.map((cell) => [keyOf(cell), cell])).values()]
}

const SAMPLE_SIZE = 5

const keyOf = ({ resource, actor, sentAs, scopes, problem, sudo }: Cell) =>
  JSON.stringify([resource, actor, sentAs, scopes, problem, sudo?.as, sudo?.in])

/**
 * Returns further cells that the seed chooses. They need no other tokens and controls than the core cells,
 * and send no wrong password, because a server may lock an account.
 */
export async function sampledCells(
  core: readonly Cell[],
  { settings }: Pick<CodeHostingTarget, 'settings'>,
  seed: number,
): Promise<Cell[]> {
  if (seed === 0) return []
  const { constantFrom, option, record, sample, uniqueArray } = await import('fast-check')
  const isSent = new Set(
    core.flatMap((cell) => {
      const { control } = expectedAccess(cell, settings) ?? {}
      return [keyOf(cell), ...(control ? [keyOf(control)] : [])]
    }),
  )
  const isServed = (cell: Cell) => expectedAccess(cell, settings)?.rejected === undefined
  function isCandidate(cell: Cell): boolean {
    const access = expectedAccess(cell, settings)
    if (access === undefined || isSent.has(keyOf(cell))) return false
    const { control, requirement } = access
    if (!accessRequirements.some((id) => id === requirement)) return false
    return control !== undefined && isSent.has(keyOf(control)) && isServed(control)
  }
  // The tokens of the other cells exist only if their repository is configured.
  const senders = core
    .filter(({ resource, problem }) => !problem && ['user', 'repositories'].includes(resource))
    .map(({ actor, sentAs, scopes }): Row => ({ actor, sentAs, scopes }))
  const cells = record({
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
    .map(({ sender, problem, ...rest }): Cell => {
      const isToken = sender.sentAs !== 'Basic' && sender.sentAs !== 'any valid'
      const mayBeWrong = sender.actor === 'main' && isToken
      return { ...defaultCell, ...sender, ...rest, problem: mayBeWrong ? problem : undefined }
    })
    .filter(isCandidate)
  const bounds = { minLength: SAMPLE_SIZE, maxLength: SAMPLE_SIZE, selector: keyOf }
  return sample(uniqueArray(cells, bounds), { seed, numRuns: 1 }).flat()
}
