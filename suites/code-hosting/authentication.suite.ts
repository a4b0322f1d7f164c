/** Requests by each sender, and rejections because of credentials. */
import {
  checkSettings,
  inconclusiveResponse,
  skip,
  skipUnobserved,
  skipWithoutControl,
} from '../../lib/conformance/check-errors.ts'
import { note } from '../../lib/conformance/check-scope.ts'
import { contrast, requireStatus } from '../../lib/conformance/controls.ts'
import { messageOf } from '../../lib/conformance/deviations.ts'
import { each, judgeOptionalCase } from '../../lib/conformance/judge.ts'
import { isSuccess } from '../../lib/conformance/matchers.ts'
import { statusOf } from '../../lib/conformance/requirements.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { loginIn } from './client.ts'
import type {
  CodeHostingContext,
  CodeHostingObservation,
  CodeHostingRequirements,
  RequirementParts,
} from './context.ts'
import {
  type Account,
  byAdmin,
  byOther,
  type Case,
  caseOf,
  changes,
  cross,
  isChange,
  isCreation,
  isDefaultPage,
  isDisabled,
  isGrantedList,
  isLegacy,
  isPrivate,
  isQuery,
  legacyLetters,
  opened,
  query,
  readable,
  rowOf,
  type Sudo,
  schemes,
  sudo,
  sudoBoth,
  userOf,
} from './levels.ts'
import { movingData, ownerOf } from './lists.ts'
import { expect, isKnownRequest, isSchemeResponse, rejectsCredentials } from './matchers.ts'
import type { CodeKind } from './tokens.ts'
import { variablesOf } from './variables.ts'

const SUNSET = 'Wed, 01 Apr 2026 00:00:00 GMT'
const INVALID = 'invalid username, password or token'
const REQUIRED = 'token is required'
const LEGACY_DISABLED =
  "the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'"

export const anyRejectionStatus = {
  'any-refusal-status': 'The server may reject the request with any status code other than 2xx.',
}
export const loginInAnyCase = {
  'login-in-any-case': 'The server may return the username in any letter case.',
}
const noChallenge = {
  'no-challenge': 'The 401 response may omit the WWW-Authenticate header field.',
}
const failures = 'the table of authentication failures gives this text'
const ways = (rule: string) => `the table of ways to send a token ${rule}`

/** Expects the record of the user of a request; with sudo, a record without a name deviates too. */
function expectUser(response: Exchange, { sender, target }: CodeHostingContext, one: Case): void {
  const user = userOf(one) as Account
  const isActing = one.actor === 'admin' && one.sudo !== undefined
  const isNamed = user !== 'main' || target.username !== undefined
  if (isActing || (isNamed && loginIn(response) !== undefined))
    expect(response).toShowUser(sender.loginOf(user))
}

/** Expects a success, for the user of the request. */
export async function served(
  response: Exchange,
  context: CodeHostingContext,
  one: Case,
): Promise<void> {
  const { resource, sentAs, actor } = one
  const { status = 200 } = rowOf(one)
  // Settings of the operator that may be wrong.
  if (actor !== 'main' && sentAs === 'Basic' && !one.sudo && rejectsCredentials(response)) {
    checkSettings(variablesOf(actor as 'other' | 'admin'), undefined, response)
  }
  if (isQuery(one) && response.status === 401)
    note('If the server is right, set CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN=true.')
  if (isLegacy(one) && response.status === 401 && messageOf(response) === LEGACY_DISABLED)
    note('If the server is right, set CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME=false.')
  if (status === 204 && ![204, 401].includes(response.status)) {
    skip(`CODE_HOSTING_NO_CONTENT may succeed once, and repeated it returned ${response.status}`)
  }
  if (resource === 'public repository') await context.repositories.requirePublicExists(response)
  expect(response).toHaveStatus(status)
  // Other requirements say which user a token authenticates.
  if (resource === 'user' && (sentAs === 'Basic' || one.sudo)) expectUser(response, context, one)
  // A list that is too large to be read is served, too.
  const isUnread = response.minLength !== undefined && one.sudo === undefined
  if (isGrantedList(one) && !isUnread) {
    const { names, length, isRepeating } = await context.lists.list(ownerOf(one))
    if (length !== undefined && !isRepeating) expect(response).toHoldItemsOf([...names])
  }
}

/** The pages of a list by a way of sending credentials; other sentences say how many and which items they have. */
const pagesBy = (way: Case['sentAs']) => (one: Case) =>
  isGrantedList(one) && !isDefaultPage(one) && one.sentAs === way && one.after === undefined

/** Expects of a way of sending credentials that a request is served, and a change or a page is not rejected because of it. */
const isSent: RequirementParts = {
  shows(response, context, one) {
    if (!isChange(one) && isDefaultPage(one)) return served(response, context, one)
    // The path of the operator may not exist.
    if (isChange(one) && [404, 405].includes(response.status))
      return skip('the path of the change may not exist')
    const actual = `status ${response.status}`
    expect(response).toShow(response.status !== 401, 'an authenticated request', actual, {
      status: true,
    })
  },
}

/** A user who may not see a repository gets 404, also for a change. */
const unauthorized = (one: Case) => (isChange(one) || isPrivate(one) ? [401, 404] : [401])

/** Judges the message of the rejections of another requirement, which judges the status. */
const says = (
  { cases = [], given = [], under }: RequirementParts,
  messagesOf: (one: Case) => readonly string[] | undefined,
): RequirementParts => ({
  cases: cases.filter((one) => messagesOf(one) !== undefined),
  given,
  ...(under && { under }),
  shows(response, _context, one) {
    if (response.status !== 401) skipUnobserved(`the status was ${response.status} instead of 401`)
    expect(response).toHaveMessage(...(messagesOf(one) as string[]))
  },
})

/** Sudo is for the site administrator; what the named user may not see is not served. */
const actsIn = (place: Sudo['in']): RequirementParts => ({
  because: ways('performs the request as the named user'),
  needs: ['site administrator', 'sudo target'],
  tolerances: { ...loginInAnyCase, ...movingData },
  cases: cross(
    {
      ...{ ...byAdmin, sudo: sudo(place, 'main') },
      resource: ['user', 'repositories', 'private repository'],
    },
    { ...byAdmin, sudo: sudo(place, 'other'), resource: ['repositories', 'private repository'] },
    {
      ...{ ...byAdmin, sudo: sudo(place, 'main') },
      sentAs: ['Bearer', ...(place === 'header' ? (['bearer', 'token'] as const) : query)],
    },
    {
      ...{ ...byAdmin, sudo: sudo(place, 'unknown') },
      resource: place === 'header' ? 'user' : 'public repository',
    },
    {
      ...{ ...byAdmin, sudo: sudo(place, 'main'), sentAs: 'Bearer', scopes: 'read+public-only' },
      resource: 'public repository',
    },
  ),
  given: ({ sudo: { as } = {}, resource }) => [
    { sudo: undefined, resource: 'user', sentAs: 'Basic', scopes: 'all' },
    ...named(as, (actor) => ({ actor: resource === 'private repository' ? 'main' : actor })),
  ],
  // Other sentences judge the response to the named user.
  unlike: ({ sudo: { as } = {} }) => [
    ...named(as, (actor) => ({ actor, sentAs: 'Bearer' })),
    ...named(as, (actor) => ({ actor, sentAs: 'Basic' })),
  ],
  rejects: ({ sudo, resource }) =>
    sudo?.as === 'unknown' || (sudo?.as === 'other' && resource === 'private repository')
      ? 'any'
      : undefined,
  shows: served,
})

/** Returns the parts of a request by the named user, who may be unknown. */
const named = (as: Sudo['as'] | undefined, partsOf: (actor: Account) => Partial<Case>) =>
  as === undefined || as === 'unknown' ? [] : [{ ...partsOf(as), sudo: undefined }]

/** Judges every response that a token in a scheme of Authorization authenticates. */
const everyIn = (
  scheme: 'Bearer' | 'token',
  shows: (response: Exchange) => void,
): RequirementParts => ({
  every: {
    is: (response, context) =>
      isKnownRequest(response, context) &&
      isSchemeResponse(scheme.toLowerCase(), response, context.tokens),
    canJudge: ({ sentAs }) => sentAs.toLowerCase() === scheme.toLowerCase(),
    absence: `no response to a token with the scheme ${scheme}`,
    shows,
  },
})

const missingCredentials: RequirementParts = {
  cases: cross(
    {
      actor: 'anonymous',
      resource: [...opened, 'archived change', 'no-content change', 'tokens of main'],
    },
    { actor: 'anonymous', resource: 'repositories', page: '2' },
    { actor: 'anonymous', resource: 'repositories', limit: 'absent', page: 'absent' },
    // 403 is for the authenticated, also with Sudo.
    { actor: 'anonymous', sudo: sudoBoth('main') },
    { actor: 'anonymous', form: 'proxy' },
  ),
  given: (one) => [
    {
      ...{ actor: 'main', sudo: undefined, form: undefined },
      ...(isCreation(one) && { sentAs: 'Basic' }),
    },
  ],
  // The same request without these parts is judged separately.
  unlike: ({ sudo, form }) => (sudo || form ? [{ sudo: undefined, form: undefined }] : []),
  rejects: unauthorized,
}
const wrongPassword: RequirementParts = {
  // At most five of an account, since a server may lock it.
  cases: cross(
    { sentAs: 'Basic', problem: 'other end' },
    { sentAs: 'Basic', problem: 'empty', resource: 'repositories' },
    { sentAs: 'Basic', problem: 'longer by a colon', resource: 'public repository' },
    { sentAs: 'Basic', problem: 'shorter', resource: 'tokens of main' },
    { ...byOther, problem: 'of another account' },
    { ...byOther, problem: 'other case', resource: 'repositories' },
    { ...byOther, problem: 'longer by a space', resource: 'public repository' },
    { ...byAdmin, sudo: sudo('header', 'main'), problem: 'shorter' },
    // A token is not the password of another user.
    { sentAs: 'password', problem: 'name of another account' },
  ),
  given: ({ sentAs }) =>
    sentAs === 'password' ? [{ problem: undefined, sentAs: 'Bearer' }] : [{ problem: undefined }],
  // A server may check first who may use Sudo.
  rejects: ({ sudo }) => (sudo ? 'any' : [401]),
}
const unknownToken: RequirementParts = {
  cases: cross(
    {
      problem: ['invented', 'short', 'deleted', 'last eight', 'other end', 'other start'],
      sentAs: 'Bearer',
    },
    { problem: ['longer', 'shorter', 'other case'], sentAs: 'Bearer' },
    { problem: 'other end', sentAs: 'Bearer', resource: ['repositories', 'public repository'] },
    { problem: ['other end', 'longer', 'other case'], sentAs: 'token' },
    { problem: ['invented', 'other end', 'longer'], sentAs: '?token=' },
    { problem: ['longer', 'other case', 'other middle'], sentAs: '?access_token=' },
    { problem: 'invented', sentAs: 'token', resource: 'repositories' },
    { problem: 'invented', sentAs: '?token=', resource: 'public repository' },
    { problem: 'invented', sentAs: '?access_token=', resource: 'private repository' },
    { problem: 'deleted', sentAs: '?access_token=', resource: 'repositories' },
    { problem: 'invented', sentAs: 'Bearer', resource: 'archived change' },
    { problem: 'invented', sentAs: 'token', resource: 'conflicting change' },
    { problem: 'invented', sentAs: '?access_token=', resource: 'no-content change' },
  ),
  given: [{ problem: undefined }],
  rejects: unauthorized,
}
const legacyDisabled: RequirementParts = {
  cases: cross(
    { sentAs: ['token', ...legacyLetters], resource: [...opened, ...changes] },
    { sentAs: 'token', resource: 'private repository' },
    { sentAs: 'token', resource: 'repositories', page: '2' },
  ),
  under: isDisabled,
  given: [{ sentAs: 'any valid' }],
  rejects: unauthorized,
}

const password = ['main account password'] as const
const token = ['main account', 'token'] as const
const legacy = { needs: [...token, 'enabled token scheme'] }
/** The header fields that announce the deprecation of the scheme. */
const announced: RequirementParts = {
  impact: 'format',
  ...legacy,
  because: ways('has it on the responses that the deprecated scheme authenticates'),
}
const works: RequirementParts = {
  ...legacy,
  because: ways('has the deprecated scheme still working, in any letter case'),
  ...isSent,
}

/** A query parameter authenticates, before and after other parameters. */
const ofParameter = (sentAs: (typeof query)[number]): RequirementParts => ({
  because: ways('accepts the parameter unless it is disabled'),
  needs: [...token, 'enabled query tokens'],
  tolerances: {
    'deprecation-headers':
      'The response may include header fields that announce the deprecation of the parameter.',
  },
  cases: cross({ sentAs, resource: [...readable, ...changes] }, { sentAs, form: 'token first' }),
  also: pagesBy(sentAs),
  given: (one) => (isChange(one) ? [{ sentAs: 'Bearer' }] : []),
  unlike: [{ sentAs: 'Bearer', form: undefined }],
  ...isSent,
})

const ofOneTimeCodes = {
  because: 'the table of endpoints names X-Service-OTP for accounts with two-factor authentication',
  section: 'Endpoints',
  needs: ['two-factor account', 'token creation', 'write requests'],
} as const

/** Creations that are accepted with the current code and the password. */
const rejectsCodes = (...kinds: CodeKind[]): RequirementParts => ({
  ...ofOneTimeCodes,
  tolerances: anyRejectionStatus,
  steps: ({ creations }) =>
    each(kinds, (kind) => contrast(() => creations.withCode(kind), creations.withOneTimeCode)),
})

export const requirements = {
  'authentication/missing-credentials': {
    statement:
      'An endpoint that requires credentials returns 401 for a request without credentials.',
    because: 'the table of endpoints requires credentials for {endpoint}',
    section: 'Authentication',
    controlNeeds: ['main account'],
    tolerances: noChallenge,
    ...missingCredentials,
  },
  'authentication/missing-credentials-message': {
    statement: 'For a missing token, the message of the 401 response is "token is required".',
    because: failures,
    section: 'Errors',
    level: 'wording',
    tolerances: {
      'other-text-without-password':
        'POST /users/{username}/tokens may return any message, because it accepts no token.',
    },
    ...says(missingCredentials, (one) => (isCreation(one) ? undefined : [REQUIRED])),
  },
  'authentication/unusable-credentials': {
    since: '0.2.0',
    statement: 'The server returns 401 for empty credentials and for an unknown scheme.',
    because: 'the table of errors has 401 for credentials that are missing or invalid',
    section: 'Errors',
    controlNeeds: ['main account'],
    tolerances: {
      ...noChallenge,
      'malformed-400': 'The server may return 400 for Basic credentials without a colon.',
      'any-message': 'The server may return any message.',
    },
    cases: cross(
      { problem: 'nothing', sentAs: ['Basic', ...schemes] },
      { problem: 'nothing', sentAs: ['Bearer', 'token'], resource: 'public repository' },
      { problem: 'unknown scheme', sentAs: 'Bearer' },
      { problem: 'without a colon', sentAs: 'Basic' },
    ),
    given: [{ problem: undefined }],
    rejects: ({ problem }) => (problem === 'without a colon' ? [400, 401] : [401]),
    unlike: ({ problem }) =>
      problem === 'without a colon'
        ? [{ problem: 'unknown user' }]
        : [{ actor: 'anonymous', sentAs: 'any valid', problem: undefined }],
  },
  'authentication/unknown-token': {
    statement: 'The server returns 401 for a token that does not exist.',
    section: 'Errors',
    controlNeeds: token,
    tolerances: noChallenge,
    ...unknownToken,
  },
  'authentication/unknown-token-message': {
    statement:
      'For a token that does not exist, the message of the 401 response is "invalid username, password or token".',
    because: failures,
    section: 'Errors',
    level: 'wording',
    tolerances: {
      'query-token-required':
        'For a token in the query, the message may also be "token is required", because the request has no Authorization header.',
    },
    ...says(unknownToken, (one) => (isQuery(one) ? [INVALID, REQUIRED] : [INVALID])),
  },
  'authentication/unknown-username': {
    since: '0.2.0',
    statement: 'The server returns 401 for an unknown username in Basic authentication.',
    because: 'the table of errors has 401 for invalid credentials',
    section: 'Errors',
    controlNeeds: password,
    tolerances: noChallenge,
    cases: cross(
      { sentAs: 'Basic', problem: 'unknown user', resource: ['user', 'public repository'] },
      // A token is neither the password of a user that does not exist, nor a username.
      { sentAs: 'password', problem: 'unknown user' },
      { sentAs: 'username' },
    ),
    given: ({ sentAs }) => [
      { problem: undefined, sentAs: sentAs === 'Basic' ? 'Basic' : 'Bearer' },
    ],
    rejects: [401],
  },
  'authentication/wrong-password': {
    statement: 'The server returns 401 for a wrong password in Basic authentication.',
    section: 'Errors',
    needs: ['main account username'],
    controlNeeds: password,
    tolerances: noChallenge,
    ...wrongPassword,
  },
  'authentication/wrong-password-message': {
    statement:
      'For a wrong password, the message of the 401 response is "invalid username, password or token".',
    because: failures,
    section: 'Errors',
    level: 'wording',
    needs: ['main account username'],
    tolerances: {
      'other-text-for-empty': 'For an empty password, the server may return any message.',
    },
    // The server may call an empty password missing.
    ...says(wrongPassword, ({ problem, sudo }) =>
      problem === 'empty' || sudo ? undefined : [INVALID],
    ),
    steps: ({ creations }) =>
      judgeOptionalCase('a wrong password with a one-time code', async () => {
        const rejection = await requireStatus(401, creations.withCode('with a wrong password'))
        expect(rejection).toHaveMessage(INVALID)
      }),
  },
  'authentication/bearer': {
    statement: 'A token in the Bearer scheme (Authorization: Bearer) authenticates the request.',
    needs: token,
    cases: cross(
      { sentAs: 'Bearer', resource: readable },
      { sentAs: 'Bearer', actor: 'other', resource: ['user', 'public repository'] },
    ),
    async shows(response, context, one) {
      if (response.status === 403) skip('the token authenticates, but lacks a scope')
      const { tokens } = context
      if (response.status === 401 && (await tokens.userOf(await tokens.all())).status === 401) {
        skipWithoutControl(
          'the token is rejected with every scheme; see code-hosting/tokens/authenticates',
        )
      }
      await served(response, context, one)
    },
  },
  'authentication/bearer-case-insensitive': {
    statement:
      'The server accepts the scheme name Bearer in any mix of uppercase and lowercase letters.',
    needs: token,
    cases: cross(
      { sentAs: 'bearer', resource: ['user', 'private repository', 'conflicting change'] },
      { sentAs: 'BEARER', resource: 'public repository' },
      { sentAs: 'bEaReR', resource: 'repositories' },
    ),
    given: [{ sentAs: 'Bearer' }],
    ...isSent,
  },
  'authentication/bearer-not-deprecated': {
    impact: 'format',
    statement:
      'A response to the Bearer scheme does not carry the deprecation notice of the token scheme.',
    needs: token,
    tolerances: {
      'other-warnings': 'The response may include a Warning about something else.',
      'deprecated-endpoint':
        'The response may announce with other values that the endpoint is deprecated.',
    },
    ...everyIn('Bearer', (response) => {
      // Another value may announce the deprecation of the endpoint (RFC 9745).
      expect(response).toLackHeaderValue('Deprecation', 'true')
      expect(response).toLackHeaderValue('Sunset', SUNSET)
      expect(response).toWarnOfNoScheme()
    }),
  },
  'authentication/legacy-accepted': {
    statement:
      'A token in the deprecated token scheme (Authorization: token) still authenticates the request unless ALLOW_LEGACY_TOKEN_SCHEME is false.',
    ...works,
    cases: cross({ sentAs: 'token', resource: [...readable, 'no-content change'] }),
    also: pagesBy('token'),
    given: (one) => (isChange(one) ? [{ sentAs: 'Bearer' }] : []),
    unlike: [{ sentAs: 'Bearer' }],
  },
  'authentication/legacy-case-insensitive': {
    statement:
      'The server accepts the name of the deprecated token scheme in any mix of uppercase and lowercase letters.',
    ...works,
    cases: cross(
      { sentAs: 'Token', resource: ['user', 'private repository', 'archived change'] },
      { sentAs: 'TOKEN', resource: 'repositories' },
      { sentAs: 'tOkEn', resource: 'public repository' },
    ),
    given: [{ sentAs: 'token' }],
  },
  'authentication/legacy-deprecation-header': {
    statement:
      'For the deprecated token scheme, the response includes the header field Deprecation: true.',
    ...announced,
    ...everyIn('token', (response) => expect(response).toHaveHeader('Deprecation', 'true')),
  },
  'authentication/legacy-sunset-header': {
    statement: `For the deprecated token scheme, the response includes the header field Sunset: ${SUNSET}.`,
    ...announced,
    tolerances: {
      'past-date': 'The server may continue to accept the deprecated token scheme after that date.',
    },
    ...everyIn('token', (response) => expect(response).toHaveHeader('Sunset', SUNSET)),
  },
  'authentication/legacy-warning-header': {
    statement:
      'For the deprecated token scheme, the response includes a 299 Warning that calls the scheme deprecated and points to Bearer.',
    ...announced,
    tolerances: {
      'any-text':
        'The warning may have any text that contains "deprecated" and "bearer", in any letter case.',
      'any-agent': 'The warning may name any agent.',
      'optional-date': 'A date may follow the warning text.',
      'other-warnings': 'The response may include other warnings as well.',
    },
    ...everyIn('token', (response) => expect(response).toWarnOfTheScheme()),
  },
  'authentication/legacy-disabled': {
    statement:
      'If ALLOW_LEGACY_TOKEN_SCHEME is false, the server rejects the deprecated token scheme with 401.',
    needs: [...token, 'disabled token scheme'],
    ...legacyDisabled,
  },
  'authentication/legacy-disabled-message': {
    statement:
      "If the deprecated token scheme is disabled, the message of the 401 response is \"the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'\".",
    because: failures,
    section: 'Errors',
    level: 'wording',
    needs: [...token, 'disabled token scheme'],
    ...says(legacyDisabled, () => [LEGACY_DISABLED]),
  },
  'authentication/basic': {
    statement:
      'The server accepts Basic authentication with a username and password for API requests.',
    because: ways('supports a username and password for API calls'),
    needs: password,
    cases: cross(
      { sentAs: 'Basic', resource: readable },
      { sentAs: 'Basic', actor: ['other', 'admin'] },
      { sentAs: 'Basic', actor: 'other', resource: ['repositories', 'public repository'] },
      { sentAs: 'Basic', actor: 'admin', resource: 'public repository' },
    ),
    also: pagesBy('Basic'),
    ...isSent,
  },
  'authentication/query-token': {
    statement:
      'A token in the query parameter token authenticates the request unless DISABLE_QUERY_AUTH_TOKEN is true.',
    ...ofParameter('?token='),
  },
  'authentication/query-access-token': {
    statement:
      'A token in the query parameter access_token authenticates the request unless DISABLE_QUERY_AUTH_TOKEN is true.',
    ...ofParameter('?access_token='),
  },
  'authentication/query-disabled': {
    statement:
      'If DISABLE_QUERY_AUTH_TOKEN is true, the server rejects a token in the query parameter token or access_token.',
    because: ways('rejects the parameter if the setting disables it'),
    needs: [...token, 'disabled query tokens'],
    tolerances: { 'any-message': 'The response may have any message.', ...anyRejectionStatus },
    cases: cross(
      { sentAs: query, resource: [...readable, ...changes] },
      { sentAs: query, resource: 'repositories', page: '2' },
    ),
    under: isDisabled,
    given: [{ sentAs: 'any valid' }],
    rejects: 'any',
    // The server may ignore the token, and an open endpoint then succeeds.
    unlike: [{ actor: 'anonymous', sentAs: 'any valid' }],
  },
  'authentication/sudo-header': {
    statement:
      "The server performs a site administrator's request as the user named in the Sudo header field.",
    ...actsIn('header'),
  },
  'authentication/sudo-query': {
    statement:
      "The server performs a site administrator's request as the user named in the query parameter sudo.",
    ...actsIn('query'),
  },
  'authentication/sudo-admin-only': {
    statement: 'The server lets only site administrators act as another user.',
    because: ways('has sudo for site administrators only'),
    needs: ['main account username', 'rejected sudo target', 'regular account'],
    tolerances: {
      ...anyRejectionStatus,
      ...movingData,
      'sudo-ignored': 'The server may ignore sudo, and serve the user who sent the request.',
    },
    cases: cross(
      { sudo: sudo('header', 'other') },
      { sudo: sudo('header', 'admin'), sentAs: 'Basic' },
      { sudo: sudo('query', 'other'), sentAs: 'token' },
      { sudo: sudo('query', 'admin') },
      { sudo: sudo('header', 'other'), resource: 'repositories' },
      { sentAs: '?access_token=', sudo: sudo('query', 'admin'), resource: 'repositories' },
      { sudo: sudo('header', 'unknown') },
      { ...byOther, sudo: sudoBoth('main') },
      {
        ...byOther,
        sudo: sudo('header', 'main'),
        resource: ['repositories', 'private repository'],
      },
      { sentAs: '?token=', sudo: sudo('query', 'other') },
      // A scope does not make its user a site administrator.
      { sentAs: 'Bearer', scopes: 'write and admin', sudo: sudo('header', 'other') },
      { sentAs: 'Bearer', scopes: 'write and admin', sudo: sudo('query', 'admin') },
    ),
    given: ({ actor, resource }) => [
      {
        sudo: undefined,
        ...(actor === 'other' &&
          resource === 'private repository' && { resource: 'user' as const }),
      },
    ],
    // A server may ignore sudo, and serve the user who sent the request.
    rejects: ({ actor, resource }) =>
      actor === 'other' && resource === 'private repository' ? 'any' : undefined,
    unlike: [{ sudo: undefined }],
    async shows(response, context, one) {
      if (isSuccess(response))
        return served(response, context, { ...one, sudo: undefined, sentAs: 'Basic' })
      await context.sender.requireServed({ ...one, sudo: undefined })
      if (response.status >= 500)
        inconclusiveResponse('a server error does not show a rejection', response)
    },
  },
  'authentication/one-time-code-required': {
    statement: 'For a two-factor account, the server rejects token creation without X-Service-OTP.',
    ...rejectsCodes('none', 'empty'),
  },
  'authentication/one-time-code-checked': {
    statement:
      'For a two-factor account, the server rejects token creation with a wrong one-time code.',
    ...rejectsCodes('invented', 'near', 'stale'),
  },
  'authentication/one-time-code-insufficient': {
    since: '0.2.0',
    statement:
      'For a two-factor account, the server rejects token creation with a one-time code and a wrong password.',
    ...rejectsCodes('with a wrong password'),
  },
  'authentication/one-time-code-accepted': {
    statement:
      'For a two-factor account, the server accepts token creation with the current one-time code.',
    ...ofOneTimeCodes,
    tolerances: { 'once-only-codes': 'The server may accept each one-time code only once.' },
    async steps({ creations }) {
      const creation = await creations.withOneTimeCode()
      if (!isSuccess(creation)) {
        note(
          'Check CODE_HOSTING_OTP_PASSWORD and CODE_HOSTING_OTP_SECRET first, and that no other program ' +
            'uses the codes of the account: the response would be the same.',
        )
      }
      expect(creation).toHaveStatus(201)
    },
  },
} satisfies CodeHostingRequirements

export const observations = {
  'authentication/sudo-admin-only/status': {
    of: ['authentication/sudo-admin-only'],
    description: 'Status code of a request with sudo by a user who is not a site administrator.',
    value: statusOf(caseOf({ sudo: { as: 'other', in: 'header' } })),
  },
} satisfies Record<string, CodeHostingObservation>
