import {
  adminScopes,
  publicOnlyReader,
  scopesExcept,
  type TokenScope,
  UNRELATED_SCOPE,
} from '../tokens/scopes.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { Account, Case, Resource, SentAs } from './case.ts'

type Row = Partial<Case>

const defaultCase: Case = { resource: 'user', actor: 'main', sentAs: 'Bearer', scopes: ['all'] }

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
const RESTRICTED: readonly TokenScope[] = publicOnlyReader

const nearMisses = ['other end', 'other start', 'longer', 'shorter', 'other case'] as const
const wrongTokens = ['invented', ...nearMisses, 'invented', 'invented'] as const

const at = (resources: readonly Resource[], row: Row): Row[] =>
  resources.map((resource) => ({ resource, ...row }))

const sudo = (as: NonNullable<Case['sudo']>['as'], place: 'header' | 'query'): Row => ({
  sudo: { as, in: place },
})

/** Token schemes in the order in which rows take turns. */
interface Turns {
  schemes: readonly SentAs[]
  seed: number
}

/** Assigns token schemes and resources to rows in rotation, which the seed starts elsewhere. */
const inTurn = ({ schemes, seed }: Turns, rows: readonly Row[]): Row[] =>
  rows.map((row, index) => ({
    sentAs: schemes[(index + seed) % schemes.length],
    resource: opened[(index + Math.floor(seed / schemes.length)) % opened.length],
    ...row,
  }))

const ofOther = { actor: 'other', sentAs: 'Basic' } as const

const schemeRows: readonly Row[] = [
  ...at(opened, {}),
  ...(['Basic', 'token', '?token=', '?access_token='] as const).flatMap((sentAs) =>
    at(opened, { sentAs }),
  ),
  ...(['Token', 'TOKEN', 'tOkEn', 'bearer'] as const).map((sentAs) => ({ sentAs })),
  { sentAs: 'BEARER', resource: 'repositories' },
  { sentAs: 'bEaReR', resource: 'public repository' },
]

/** Returns requests without usable credentials, with at most five wrong passwords of an account. */
const invalidRows = (turns: Turns): Row[] => [
  ...at([...opened, ...closed, 'tokens of the main account'], { actor: 'anonymous' }),
  ...[...turns.schemes, 'Basic' as const].map((sentAs): Row => ({ sentAs, problem: 'nothing' })),
  { problem: 'unknown scheme' },
  ...inTurn(
    turns,
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

/** Scopes of which the first or the last does not count, since a server may know one of several only. */
const LAST_COUNTS: readonly TokenScope[] = [UNRELATED_SCOPE, 'read:user']
const FIRST_COUNTS: readonly TokenScope[] = ['read:repository', UNRELATED_SCOPE]

const scopeRows = (turns: Turns): Row[] => [
  ...inTurn(turns, Array(4).fill({ scopes: [UNRELATED_SCOPE] })),
  { scopes: [] },
  ...at(opened, { scopes: scopesExcept('user', 'repository', 'admin') }),
  { scopes: ['write:repository'] },
  { scopes: ['write:user'], resource: 'public repository' },
  { actor: 'admin', scopes: adminScopes },
  { scopes: LAST_COUNTS },
  { scopes: LAST_COUNTS, resource: 'public repository' },
  { scopes: FIRST_COUNTS },
  { scopes: FIRST_COUNTS, resource: 'public repository' },
  { scopes: ['write:user'] },
  { scopes: ['write:repository'], resource: 'public repository' },
  { scopes: READ, resource: 'repositories' },
  ...at(opened, { scopes: WRITE }),
  ...at(opened, { scopes: ['public-only'] }),
  ...inTurn(
    turns,
    [RESTRICTED, publicOnly(['all']), publicOnly(WRITE), RESTRICTED].map((scopes) => ({
      scopes,
      resource: 'private repository',
    })),
  ),
  { scopes: RESTRICTED, resource: 'public repository' },
  ...at(['repositories', 'public repository'], { scopes: publicOnly(WRITE) }),
  { scopes: publicOnly(['all']), resource: 'public repository' },
  { scopes: publicOnly([UNRELATED_SCOPE]), resource: 'public repository' },
]

const settingsRows: readonly Row[] = [
  { actor: 'anonymous' } as const,
  { sentAs: 'Basic' } as const,
  { scopes: [UNRELATED_SCOPE] },
  { scopes: RESTRICTED },
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
    { ...byToken, sentAs: 'token', ...sudo(named, 'query') },
    { ...byToken, sentAs: 'token', ...sudo(named, 'header') },
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

/** Returns cases in sequence, each right after the one before it. */
function inSequence(rows: readonly Row[]): Case[] {
  const cases: Case[] = []
  for (const row of rows) cases.push({ ...defaultCase, ...row, after: cases.at(-1) })
  return cases
}

/** Returns the requests of one sender before and after those of others, who must not share its responses. */
const alternating = (own: Row, others: readonly Row[]): Case[] =>
  inSequence([own, ...others.flatMap((other) => [{ ...own, ...other }, own])])

function sequences(
  { username }: Pick<CodeHostingTarget, 'username'>,
  { schemes, seed }: Turns,
): Case[] {
  const stranger = { actor: 'other', sentAs: 'Basic' } as const
  const anonymous = { actor: 'anonymous' } as const
  const problem = nearMisses[seed % nearMisses.length]
  const others = [stranger, anonymous, { problem }]
  const acting = { actor: 'admin', sentAs: 'Basic', resource: 'user' } as const
  const named = username === undefined ? 'other' : 'main'
  return [
    ...alternating({ resource: 'private repository' }, others),
    ...alternating({ resource: 'user' }, others),
    ...alternating({ resource: 'public repository' }, [anonymous]),
    ...schemes.slice(1).flatMap((sentAs) => inSequence([{ sentAs, problem }, { sentAs }])),
    ...alternating({ resource: 'repositories' }, [stranger, anonymous]),
    ...alternating(acting, [sudo(named, 'header')]),
  ].filter(({ after }) => after !== undefined)
}

/**
 * Returns the cases of every run, simple ones first. They cover the documented pairs of scheme, resource,
 * user, sudo and kind of scopes; the seed decides how invalid credentials are sent, and where.
 */
export function accessCases(
  target: Pick<CodeHostingTarget, 'settings' | 'username' | 'other'>,
  seed: number,
): Case[] {
  const { allowLegacyTokenScheme, disableQueryAuthToken } = target.settings
  const schemes: SentAs[] = [
    'Bearer',
    ...(allowLegacyTokenScheme ? (['token'] as const) : []),
    ...(disableQueryAuthToken ? [] : (['?token=', '?access_token='] as const)),
  ]
  const turns = { schemes, seed }
  const cases = [
    ...schemeRows,
    ...invalidRows(turns),
    ...scopeRows(turns),
    ...settingsRows,
    ...closedRows,
    ...sudoRows(target),
    ...creationRows(schemes),
  ].map((row): Case => ({ ...defaultCase, ...row }))
  return [...new Map(cases.map((one) => [keyOf(one), one])).values(), ...sequences(target, turns)]
}

/** Returns the same text for the same case. */
export const keyOf = ({ resource, actor, sentAs, scopes, problem, sudo }: Case) =>
  JSON.stringify([resource, actor, sentAs, scopes, problem, sudo?.as, sudo?.in])
