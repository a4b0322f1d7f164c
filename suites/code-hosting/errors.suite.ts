/** The documentation, and errors of requests that are not about credentials. */
import { checkSettings, skip, skipUnobserved } from '../../lib/conformance/check-errors.ts'
import { displayValue, messageOf } from '../../lib/conformance/deviations.ts'
import { allOrWorst, each, judgeOptionalCase } from '../../lib/conformance/judge.ts'
import { isSuccess } from '../../lib/conformance/matchers.ts'
import { statusOf } from '../../lib/conformance/requirements.ts'
import { isBelow } from '../../lib/probe/base-url.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import type {
  CodeHostingObservation,
  CodeHostingRequirements,
  RequirementParts,
} from './context.ts'
import {
  byAdmin,
  byOther,
  type Case,
  caseOf,
  creationsWith,
  cross,
  isPrivate,
  query,
  sudo,
  sudoBoth,
} from './levels.ts'
import {
  documentationUrl,
  expect,
  isApiError,
  isKnownRequest,
  isOfTheService,
  isSentByAdmin,
  leadsToDocumentation,
  originOf,
  readDocumentation,
  requireDocumentation,
} from './matchers.ts'
import * as schemas from './schemas/validators.ts'
import { creating, variableAt } from './variables.ts'

const anonymousEither = {
  'anonymous-401-or-404':
    'For a request without credentials, the server may return either 401 or 404.',
}
const gatewayResponses = (allowed: string) => ({
  'gateway-responses': `A response with status code 408, 413, 425, 429, 502 to 504, 520 to 527, or 530 may ${allowed}, because a gateway may have sent it.`,
})

/** A change that is rejected in its own way: by the main account, however it is sent, and by the administrator. */
const ofChange = (place: 'archivedChange' | 'conflict', status: number): RequirementParts => ({
  given: ({ sudo }) => [
    { resource: 'user' },
    // Another repository may be out of reach for the administrator.
    ...(sudo ? [{ actor: 'main', sentAs: 'Bearer', sudo: undefined } as const] : []),
  ],
  async shows(response, { codeHosting, target }, one) {
    // The site administrator may not reach the repository.
    if (one.actor === 'admin' && [403, 404].includes(response.status))
      skipUnobserved(`the site administrator got status ${response.status}`)
    // With its repository there, the path of the operator is right.
    const [, name = ''] = /\/api\/v1\/repos\/([^/?]+\/[^/?]+)/.exec(target[place]?.path ?? '') ?? []
    const isRight = async () =>
      name !== '' && isSuccess(await codeHosting.repository(decodeURIComponent(name)))
    if (response.status === 405 || (response.status === 404 && !(await isRight())))
      checkSettings([variableAt(place)], undefined, response)
    expect(response).toHaveStatus(status)
  },
})

/** The fields that a message may name, by the body. */
const invalidFields = {
  ...{ 'no name': ['name'], 'empty name': ['name'], 'number as name': ['name'] },
  ...{ 'number as scope': ['scopes'], 'scopes as text': ['scopes'] },
  'no name and scopes as text': ['name', 'scopes'],
}

const invalidBodies = Object.keys(invalidFields) as (keyof typeof invalidFields)[]

const isNotFoundBy = (one: Case) => (one.actor === 'anonymous' ? [401, 404] : [404])

export const requirements = {
  'documentation/served': {
    statement: 'The server provides its API documentation at /api/swagger.',
    section: 'What the service does',
    tolerances: {
      'same-origin-redirects': 'The server may redirect to URLs below the base URL.',
      'credentials-needed': 'The server may require credentials for the documentation.',
    },
    async steps({ codeHosting, run, target, tokens }) {
      const [documentation, other] = await allOrWorst([
        readDocumentation(codeHosting, tokens.mainCredentials),
        codeHosting.undocumented(
          { method: 'GET', path: `/api/plumbline-${run.settings.runId}-missing`, body: null },
          { credentials: anonymous },
        ),
      ])
      requireDocumentation(documentation, other, target.baseUrl)
      expect(documentation).toHaveStatus(200)
      expect(documentation).toShow(documentation.text.trim() !== '', 'a page', 'a blank page')
      await judgeOptionalCase('the documentation with credentials', async () => {
        const credentials = await tokens.mainCredentials()
        expect(await codeHosting.documentation({ credentials })).toHaveStatus(200)
      })
    },
  },
  'errors/body': {
    impact: 'format',
    statement:
      'The body of every error response is a JSON object with the string fields message and url.',
    because: 'the table of the error body has both fields for every error',
    section: 'Error body',
    tolerances: {
      ...gatewayResponses('have any body'),
      'further-fields': 'The server may send additional fields.',
      'any-message':
        'The message may be any string, even an empty one, unless the document specifies its text.',
    },
    every: {
      is: (response, context) => isKnownRequest(response, context) && isApiError(response),
      absence: 'no error response',
      shows: (response) => expect(response).toMatchSchema(schemas.errorBody),
    },
  },
  'errors/documentation-link': {
    impact: 'format',
    statement: 'The url field of an error response points to /api/swagger on the server.',
    section: 'Error body',
    tolerances: {
      'any-origin': 'The URL may have any origin.',
      'any-path-prefix': 'The path may have a prefix before /api/swagger.',
      'relative-reference': 'The url field may be a relative reference.',
      'slash-query-or-fragment': 'A slash, a query, or a fragment may follow /api/swagger.',
    },
    steps: ({ codeHosting, target, tokens }) =>
      judgeOptionalCase('the page that the url of an error leads to', async () => {
        const error = await codeHosting.user({ credentials: anonymous })
        const url = documentationUrl(error) ?? skip('there was no error body with a url')
        const { href } = error.request.url
        const link = URL.canParse(url, href) ? new URL(url, href) : undefined
        // The server may report another origin for itself; nothing is sent there.
        const isSameOrigin = link?.origin === new URL(target.baseUrl).origin
        if (link === undefined || !isSameOrigin || !leadsToDocumentation(link))
          return skip('the url leads to another origin or place')
        const served = await readDocumentation(codeHosting, tokens.mainCredentials)
        if (served.status !== 200) return skip('the documentation is not served')
        const actual = `${displayValue(error, url)}, which is outside it and was not requested`
        expect(error).toShow(
          isBelow(link, target.baseUrl),
          'a url below CODE_HOSTING_BASE_URL',
          actual,
        )
        link.hash = ''
        const documentation = await codeHosting.documentation({}, link)
        const { status } = documentation
        expect(documentation).toShow(![404, 410].includes(status), 'a page', `status ${status}`, {
          status: true,
        })
      }),
    every: {
      is: (response, context) =>
        isKnownRequest(response, context) &&
        isApiError(response) &&
        documentationUrl(response) !== undefined,
      absence: 'no error body with a url',
      shows: (response) => expect(response).toLinkToDocumentation(),
    },
  },
  'errors/validation-status': {
    statement: 'The server returns 422 if the request body fails validation.',
    needs: creating,
    ...creationsWith('no name'),
    rejects: [422],
    // Others may be accepted, or be called malformed.
    steps: ({ creations }) =>
      each(invalidBodies.slice(1), (body) =>
        judgeOptionalCase(body, async () => {
          const response = await creations.withBody(body)
          if (isSuccess(response)) skip('the server accepts it')
          expect(response).toHaveStatus(400, 422)
        }),
      ),
  },
  'errors/validation-names-field': {
    impact: 'format',
    statement: 'The message of a 422 response names the field that failed validation.',
    needs: creating,
    tolerances: {
      'name-in-any-case': 'The message may write the field name in any letter case.',
      'any-wording': 'The rest of the message may be any text.',
    },
    // The document does not say that a name must not be empty.
    cases: creationsWith(...invalidBodies).cases,
    shows(response, _context, { body }) {
      const { status } = response
      if (status !== 422) skipUnobserved(`the status was ${status} instead of 422`)
      expect(response).toNameInMessage(...invalidFields[body as keyof typeof invalidFields])
    },
  },
  'errors/malformed-body': {
    statement: 'The server returns 400 if the request body cannot be parsed.',
    needs: creating,
    tolerances: {
      'status-422':
        'For a body that ends too early, the server may also return 422, which the document assigns to bodies that fail validation.',
    },
    ...creationsWith('malformed', 'further text'),
    rejects: ({ body }) => (body === 'malformed' ? [400, 422] : [400]),
  },
  'errors/missing-repository': {
    statement: 'The server returns 404 for a repository that does not exist.',
    needs: ['main account', 'public repository'],
    tolerances: anonymousEither,
    cases: cross(
      { resource: ['missing repository', 'repository of a missing owner'], sentAs: 'Bearer' },
      { resource: 'missing repository', sentAs: ['Basic', '?token='] },
      { resource: 'missing repository with a long name', sentAs: '?access_token=' },
      { resource: 'repository of a missing owner', sentAs: 'token' },
      { ...byAdmin, resource: 'missing repository', sudo: sudo('header', 'main') },
      { resource: 'missing repository', scopes: 'read+public-only', sentAs: 'Bearer' },
      { resource: ['missing repository', 'repository of a missing owner'], actor: 'anonymous' },
    ),
    given: (one) => [
      {
        resource: 'public repository',
        ...(one.actor === 'anonymous' && { actor: 'main' as const }),
      },
    ],
    rejects: isNotFoundBy,
    unlike: ({ actor }) => (actor === 'anonymous' ? [{ resource: 'public repository' }] : []),
  },
  'errors/hidden-repository': {
    impact: 'access',
    statement:
      'The server returns 404, not 403, for a private repository that the requesting user cannot access.',
    because: 'the table of errors has 404, not 403, for what the caller cannot see',
    needs: ['main account', 'private repository', 'other account'],
    controlNeeds: ['public repository'],
    tolerances: anonymousEither,
    cases: cross(
      {
        resource: 'private repository',
        actor: 'other',
        sentAs: ['Basic', 'Bearer', 'token', ...query],
      },
      { ...byOther, resource: 'private repository in other letters' },
      { resource: 'private repository', actor: 'anonymous' },
      { ...byAdmin, resource: 'private repository', sudo: sudoBoth('other') },
    ),
    given: ({ actor, sudo }) => [
      {
        resource: 'public repository',
        sudo: undefined,
        ...(actor === 'anonymous' && { actor: 'main' as const }),
        ...(sudo && { actor: 'other' as const }),
      },
      ...(sudo ? [{ resource: 'repositories' as const }] : []),
    ],
    rejects: isNotFoundBy,
    unlike: ({ actor, resource, sudo }) => [
      // Other sentences judge what is done as the named user.
      ...(sudo ? [{ sudo: undefined }] : []),
      ...(actor === 'anonymous' ? [{ resource: 'public repository' as const }] : []),
      ...(isPrivate({ resource } as Case) && resource !== 'private repository'
        ? [{ resource: 'private repository' as const }]
        : []),
    ],
  },
  'errors/archived': {
    statement: 'The server returns 423 for a request to change an archived repository.',
    section: 'States and transitions',
    isSupplied: true,
    needs: ['main account', 'token', 'archived repository change', 'permitted supplied request'],
    cases: cross(
      { resource: 'archived change', sentAs: ['Bearer', ...query, 'Token'] },
      // A change on a repository needs no scope of packages.
      { resource: 'archived change', sentAs: 'Bearer', scopes: 'all but package' },
      { ...byAdmin, resource: 'archived change', sudo: [undefined, ...sudo('header', 'main')] },
    ),
    ...ofChange('archivedChange', 423),
  },
  'errors/conflict': {
    statement:
      'The server returns 409 for a request to create a resource, other than a token, that already exists.',
    isSupplied: true,
    needs: ['main account', 'token', 'conflicting request', 'permitted supplied request'],
    cases: cross(
      { resource: 'conflicting change', sentAs: ['Bearer', ...query, 'Basic', 'bearer'] },
      { ...byAdmin, resource: 'conflicting change', sudo: sudo('query', 'main') },
    ),
    ...ofChange('conflict', 409),
  },
  'errors/no-content': {
    statement: 'A response with status code 204 has no body.',
    isSupplied: true,
    needs: ['main account', 'token', 'no-content request', 'permitted no-content request'],
    tolerances: { 'length-of-zero': 'The response may include Content-Length: 0.' },
    async steps({ suppliedReads }) {
      const response = await suppliedReads.noContent()
      if (response.status !== 204) {
        const actual = `the status was ${response.status} instead of 204`
        checkSettings(['CODE_HOSTING_NO_CONTENT'], actual, response)
      }
      expect(response).toHaveNoBody()
      await judgeOptionalCase('CODE_HOSTING_NO_CONTENT again', async () => {
        const again = await suppliedReads.noContentAgain()
        // The first request may have removed the resource.
        if (again.status !== 204) skip(`the status was ${again.status}`)
        expect(again).toHaveNoBody()
      })
    },
    every: {
      is: (response, context) => isKnownRequest(response, context) && response.status === 204,
      canJudge: ({ resource }) => resource === 'no-content change',
      absence: 'no response with status 204',
      shows: (response) => expect(response).toHaveNoBody(),
    },
  },
  'errors/server-error-message': {
    statement:
      'In production, the message of a 500 response is empty for everyone except site administrators.',
    section: 'Error body',
    needs: ['production server', '500 response'],
    tolerances: {
      'told-to-site-admins': 'The server may describe the error to site administrators.',
      'not-in-production':
        'The server may describe the error if the operator declares that it is not in production.',
    },
    every: {
      is: (response, context) =>
        isKnownRequest(response, context) &&
        response.status === 500 &&
        messageOf(response) !== undefined &&
        !isSentByAdmin(response, context.target),
      absence: 'no response with status code 500',
      shows: (response) => expect(response).toHaveMessage(''),
    },
  },
  'errors/no-rate-limit-headers': {
    impact: 'format',
    statement: 'The server itself sends no header field whose name starts with X-RateLimit-.',
    because: 'the section Limits says that the service itself has no rate limit',
    section: 'Limits',
    needs: ['no gateway limits'],
    tolerances: {
      'announced-gateway': 'A gateway that the operator declares may add such header fields.',
      ...gatewayResponses('include such header fields'),
    },
    every: {
      is: (response, context) => isKnownRequest(response, context) && isOfTheService(response),
      absence: 'no response',
      shows: (response) => expect(response).toHaveNoHeaderLike(/^x-ratelimit-/),
    },
  },
  'errors/server-error-retry': {
    statement: 'A client that receives a 500 response retries the request with backoff.',
    untestable:
      'This requirement applies to clients, not to the server; Plumbline itself meets it.',
  },
} satisfies CodeHostingRequirements

export const observations = {
  'errors/malformed-body/status': {
    of: ['errors/malformed-body'],
    description: 'Status code of a token creation request with a body that cannot be parsed.',
    value: statusOf(caseOf({ resource: 'tokens of main', sentAs: 'Basic', body: 'malformed' })),
  },
  'errors/documentation-link/origin': {
    of: ['errors/documentation-link', 'authentication/missing-credentials'],
    description: 'Origin of the url field in an error response.',
    value: async ({ codeHosting }) =>
      originOf(documentationUrl(await codeHosting.user({ credentials: anonymous }))),
  },
} satisfies Record<string, CodeHostingObservation>
