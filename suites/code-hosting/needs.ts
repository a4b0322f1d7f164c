import { type Need, skipFor, writing } from '../../lib/conformance/catalogue.ts'
import type { Target } from '../../lib/environment/target.ts'
import { variablesOf } from '../../lib/environment/variable.ts'
import { type CodeHostingTarget, codeHostingVariables } from './variables.ts'

export const scopeCategories = [
  'activitypub',
  'admin',
  'issue',
  'notification',
  'organization',
  'package',
  'repository',
  'user',
] as const

export type ScopeCategory = (typeof scopeCategories)[number]
/** Facts that GET requests show about the service; undefined facts were not observed. */
export interface CodeHostingFacts {
  /** Number of repositories of the main account; a lower bound if the list was not read to its end. */
  repositories?: number
  totalCount?: boolean
  listsPrivate?: boolean
  /** True if the main account is a site administrator. */
  isMainAdmin?: boolean
}

export const readPlaces = {
  activitypub: 'readActivitypub',
  issue: 'readIssue',
  notification: 'readNotification',
  organization: 'readOrganization',
  package: 'readPackage',
  repository: 'readRepository',
} as const satisfies Partial<Record<ScopeCategory, keyof CodeHostingTarget>>

export type ReadCategory = keyof typeof readPlaces

/** Scope categories without a documented path. */
export const otherCategories = [
  'activitypub',
  'issue',
  'notification',
  'organization',
  'package',
] as const satisfies readonly ReadCategory[]

const OTHER = ['CODE_HOSTING_OTHER_USERNAME', 'CODE_HOSTING_OTHER_PASSWORD']
const MAIN = ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD']

/** @param cases words that follow a number of cases */
function needOf(
  place: Exclude<keyof CodeHostingTarget, 'settings'>,
  advice: string,
  cases: string,
) {
  const variables = variablesOf({ place: codeHostingVariables.table[place] })
  const isMet = ({ codeHosting }: Target) => codeHosting?.[place] !== undefined
  return { variables: variables.map(({ name }) => name), advice, cases, isMet }
}

function needSetting(
  setting: 'allowLegacyTokenScheme' | 'disableQueryAuthToken',
  value: boolean,
  reason: string,
) {
  const { name } = codeHostingVariables.table.settings[setting]
  const isMet = ({ codeHosting }: Target) => codeHosting?.settings[setting] === value
  return { variables: [name], reason: `${reason}: ${name} is ${!value}`, isMet }
}

const maximumOf = ({ codeHosting }: Target) => codeHosting?.settings.maxResponseItems ?? 0

const hasOtherAccount = ({ codeHosting }: Target) =>
  (codeHosting?.other ?? codeHosting?.admin) !== undefined

const repositories = (isSufficient: (count: number, target: Target) => boolean) => ({
  variables: [],
  advice:
    'Give the main account more repositories, ideally more than two full pages at the maximum page size ' +
    '(CODE_HOSTING_MAX_RESPONSE_ITEMS).',
  reason: 'the main account has too few repositories',
  isMet: (target: Target, { repositories }: CodeHostingFacts = {}) =>
    repositories === undefined || isSufficient(repositories, target),
})

export const codeHostingNeeds = {
  'main account': {
    variables: MAIN,
    advice:
      'Set the credentials of the main account: a regular user, not a site administrator, ideally with many repositories. ' +
      'CODE_HOSTING_TOKEN can replace the password, but then fewer requirements are judged.',
    cases: 'with the main account',
    isMet: ({ codeHosting }) => (codeHosting?.token ?? codeHosting?.password) !== undefined,
  },
  'main account username': needOf(
    'username',
    'Set the username of the main account.',
    'with the username of the main account',
  ),
  'token creation': {
    variables: MAIN,
    advice:
      'Set CODE_HOSTING_PASSWORD instead of CODE_HOSTING_TOKEN, so that a run can create tokens.',
    reason:
      'needs to create a token, but nothing is created while CODE_HOSTING_TOKEN is set: set ' +
      'CODE_HOSTING_PASSWORD instead',
    cases: 'with created tokens',
    isMet: ({ codeHosting }) => codeHosting?.token === undefined,
  },
  'main account password': {
    ...needOf('password', 'Set the username and password of the main account.', 'with a password'),
    variables: MAIN,
  },
  'write requests': writing,
  token: {
    ...writing,
    isMet: ({ codeHosting, probe }) => codeHosting?.token !== undefined || !probe.readOnly,
  },
  'token-creating account': {
    variables: MAIN,
    advice: 'Set the username and password of the main account.',
    cases: 'with created tokens',
    isMet: ({ codeHosting }) => (codeHosting?.password ?? codeHosting?.otp) !== undefined,
  },
  'public repository': needOf(
    'publicRepository',
    'Set the name of a public repository, as owner/name.',
    'with a public repository',
  ),
  'private repository': needOf(
    'privateRepository',
    'Set the name of a private repository, as owner/name.',
    'with a private repository',
  ),
  'other account': needOf(
    'other',
    'Set the credentials of an account that cannot see the private repository.',
    'with another account',
  ),
  'two-factor account': needOf(
    'otp',
    'Set the credentials of an account with two-factor authentication.',
    'with one-time codes',
  ),
  'site administrator': needOf(
    'admin',
    'Set the credentials of a site administrator for sudo requests.',
    'with a site administrator',
  ),
  'sudo target': {
    variables: ['CODE_HOSTING_USERNAME'],
    advice: 'Set the username of the main account for the site administrator to act as.',
    reason: 'CODE_HOSTING_USERNAME is not set, and there is no other user to act as',
    cases: 'with sudo',
    isMet: ({ codeHosting }) => (codeHosting?.username ?? codeHosting?.other) !== undefined,
  },
  'rejected sudo target': {
    variables: OTHER,
    advice: 'Set the credentials of another regular user that the main account may not act as.',
    reason: 'CODE_HOSTING_OTHER_USERNAME is not set, and there is no other user to name',
    cases: 'with sudo',
    isMet: ({ codeHosting }) => (codeHosting?.other ?? codeHosting?.admin) !== undefined,
  },
  'regular account': {
    variables: ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_OTHER_USERNAME'],
    advice: 'Name a regular user in CODE_HOSTING_USERNAME, not a site administrator.',
    reason: 'the account is a site administrator, who may do what a regular user may not',
    cases: 'with a regular user',
    isMet: ({ codeHosting }, { isMainAdmin = false } = {}) =>
      !isMainAdmin || codeHosting?.other !== undefined,
  },
  'archived repository change': needOf(
    'archivedChange',
    'Supply a request that would change an archived repository.',
    'with an archived repository',
  ),
  'conflicting request': needOf(
    'conflict',
    'Supply a request to create a resource that already exists.',
    'with an existing resource',
  ),
  'no-content request': needOf(
    'noContent',
    'Supply a request that succeeds with status code 204.',
    'with status code 204',
  ),
  'request to change something': {
    variables: ['CODE_HOSTING_ARCHIVED_CHANGE', 'CODE_HOSTING_CONFLICT'],
    advice: 'Supply a request to change an archived repository, or to create what already exists.',
    cases: 'with a change',
    isMet: ({ codeHosting }) =>
      (codeHosting?.archivedChange ?? codeHosting?.conflict) !== undefined,
  },
  'permitted supplied request': writing,
  'category request': {
    variables: otherCategories.map(
      (category) => codeHostingVariables.table[readPlaces[category]].name,
    ),
    advice: 'Supply a GET for each of these scope categories that the server has.',
    cases: 'with other scope categories',
    isMet: ({ codeHosting }) =>
      otherCategories.some((category) => codeHosting?.[readPlaces[category]] !== undefined),
  },
  'repository category request': needOf(
    'readRepository',
    'Supply a GET for files, branches, or hooks.',
    'with files, branches or hooks',
  ),
  'admin request': needOf('readAdmin', 'Supply a GET below /admin.', 'with an admin endpoint'),
  'token list': needOf(
    'tokenList',
    'Supply a GET that lists the tokens of the main account.',
    'with a list of tokens',
  ),
  'large tree': needOf(
    'largeTree',
    'Supply a GET of a Git tree beyond its limit.',
    'with a large tree',
  ),
  'large blob': needOf(
    'largeBlob',
    'Supply a GET of a blob beyond its limit.',
    'with a large blob',
  ),
  'large files': needOf(
    'largeFiles',
    'Supply a GET of files beyond their limit.',
    'with large files',
  ),
  'permitted no-content request': {
    ...writing,
    isMet: ({ codeHosting, probe }) => !probe.readOnly || codeHosting?.noContent?.method === 'GET',
  },
  'enabled token scheme': needSetting(
    'allowLegacyTokenScheme',
    true,
    'the deprecated token scheme is disabled',
  ),
  'disabled token scheme': needSetting(
    'allowLegacyTokenScheme',
    false,
    'the deprecated token scheme is enabled',
  ),
  'enabled query tokens': needSetting('disableQueryAuthToken', false, 'query tokens are disabled'),
  'disabled query tokens': needSetting('disableQueryAuthToken', true, 'query tokens are enabled'),
  'default within maximum': {
    variables: ['CODE_HOSTING_DEFAULT_PAGING_NUM', 'CODE_HOSTING_MAX_RESPONSE_ITEMS'],
    reason:
      'CODE_HOSTING_DEFAULT_PAGING_NUM is above CODE_HOSTING_MAX_RESPONSE_ITEMS, and the document does not ' +
      'say which one applies',
    isMet: (target) => (target.codeHosting?.settings.defaultPagingNum ?? 0) <= maximumOf(target),
  },
  'no gateway limits': {
    variables: ['CODE_HOSTING_GATEWAY_RATE_LIMITS'],
    reason: 'a gateway adds rate limit header fields: CODE_HOSTING_GATEWAY_RATE_LIMITS is true',
    isMet: ({ codeHosting }) => codeHosting?.gatewayRateLimits === false,
  },
  // The lists of other accounts show the pages too.
  'one repository': repositories((count, target) => count > 0 || hasOtherAccount(target)),
  'own repository': repositories((count) => count > 0),
  'two repositories': repositories((count) => count > 1),
  'multi-page list': repositories((count, target) => count > maximumOf(target)),
  'single-page list': {
    variables: OTHER,
    advice: 'Set the credentials of another account that has few repositories.',
    reason: 'needs an account with few repositories: CODE_HOSTING_OTHER_USERNAME can name one',
    cases: 'with a short list',
    isMet: (target, { repositories = 0 } = {}) =>
      hasOtherAccount(target) || repositories <= maximumOf(target),
  },
  'complete list': {
    variables: ['PROBE_MAX_PAGES'],
    advice:
      "Raise PROBE_MAX_PAGES, so that a run can read the main account's complete list of repositories.",
    reason:
      "the main account's list of repositories has more pages than PROBE_MAX_PAGES lets a run read",
    isMet: (target, { repositories = 0 } = {}) =>
      repositories <= target.probe.maxPages * maximumOf(target),
  },
  'listed private repository': {
    variables: ['CODE_HOSTING_PRIVATE_REPOSITORY'],
    advice:
      "Set the name of a private repository that appears in the main account's list of repositories.",
    reason: "the private repository does not appear in the main account's list of repositories",
    cases: 'with a listed private repository',
    isMet: (_, { listsPrivate = true } = {}) => listsPrivate,
  },
  'counted list': {
    variables: [],
    reason:
      'no page has X-Total-Count, which the document specifies only for lists that count their items',
    isMet: (_, { totalCount = true } = {}) => totalCount,
  },
  'production server': {
    variables: ['CODE_HOSTING_PRODUCTION'],
    reason: 'the server is not in production: CODE_HOSTING_PRODUCTION is false',
    isMet: ({ codeHosting }) => codeHosting?.production === true,
  },
  '500 response': {
    variables: [],
    reason: 'no documented endpoint returned 500',
    // A forecast cannot know it.
    isMet: (_, facts) => facts === undefined,
  },
} as const satisfies Readonly<Record<string, Need<CodeHostingFacts>>>

export type CodeHostingNeed = keyof typeof codeHostingNeeds

export function skipUnmetNeed(name: CodeHostingNeed): never {
  return skipFor(codeHostingNeeds, name)
}

/** Needs of requests that create a token. */
export const creating = ['main account password', 'token creation', 'write requests'] as const
