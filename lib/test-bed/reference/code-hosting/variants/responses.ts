import { HttpError, responseParts } from '../../http.ts'
import { inSection, tolerance } from '../../rule-tables.ts'
import {
  alter,
  alterParts,
  on,
  type RuleChange,
  reject,
  respondOnce,
  sendFields,
  uses,
} from '../changes.ts'

const gatewayBody = tolerance('gateway-responses', 'errors/body')

/** Rules of errors without a documented message. */
const rejectionsOfAnyText = [
  ...['missingEndpoint', 'malformedBody', 'passwordRequired', 'foreignTokens', 'missingAccount'],
  ...['missingToken', 'duplicateTokenName', 'unknownScope', 'scopeNotGrantable', 'archived'],
  ...['missingOneTimeCode', 'wrongOneTimeCode', 'sudoForbidden', 'sudoAccountMissing'],
  ...['missingRepository', 'hiddenRepository', 'hiddenByPublicOnly', 'foreignRepository'],
  'repositoryExists',
] as const

const messagesAre = (message: string) => rejectionsOfAnyText.map((name) => reject(name, message))

const showErrorsToSiteAdmins: RuleChange = ({ userRecord }) => {
  const met = new Set<boolean>()
  return {
    userRecord: (account, context) => {
      const siteAdmin = context.caller?.actor.siteAdmin === true
      if (met.has(siteAdmin)) return userRecord(account, context)
      met.add(siteAdmin)
      throw new Error('the database is locked')
    },
  }
}

const gatewayOnce = (status: number, retryAfter: number, further: object = {}) =>
  respondOnce('user-repositories', () => {
    const fields = { 'Content-Type': 'text/html', 'Retry-After': String(retryAfter), ...further }
    return responseParts(status, fields, '<h1>Not now</h1>')
  })

const loginInAnyCase = tolerance(
  'login-in-any-case',
  'resources/user',
  'tokens/authenticates',
  ...inSection('authentication', 'sudo-header', 'sudo-query'),
)

const namesInUpperCase: RuleChange = ({ userRecord, repositoryRecord }) => ({
  userRecord: (account, context) =>
    userRecord({ ...account, login: account.login.toUpperCase() }, context),
  repositoryRecord: (repository, context) => {
    const { owner, name } = repository
    const inUpperCase = { owner: owner.toUpperCase(), name: name.toUpperCase() }
    return repositoryRecord({ ...repository, ...inUpperCase }, context)
  },
})

const mediaTypes = (success: string, error: string) =>
  alter('contentType', (_result, status) => (status < 400 ? success : error))

const documentationLink = (linkOf: (address: string) => string) =>
  alter('documentationLink', (_result, address) => linkOf(address))

export const responseVariants = [
  uses(
    [
      tolerance('any-message', 'errors/body'),
      tolerance(['name-in-any-case', 'any-wording'], 'errors/validation-names-field'),
    ],
    {
      'error-messages-reworded': [
        ...messagesAre('Das geht leider nicht: "so" <b>nicht</b>\n🙁'),
        alter(
          'invalidField',
          ({ status }, field) =>
            new HttpError(status, `'${field.toUpperCase()}' must not be blank`),
        ),
      ],
    },
  ),
  uses(tolerance(['any-origin', 'any-path-prefix'], 'errors/documentation-link'), {
    'documentation-link-at-another-origin': documentationLink(
      () => 'https://docs.example.com/hosting/api/swagger',
    ),
  }),
  uses('errors/documentation-link/relative-reference', {
    'documentation-link-relative': documentationLink(() => '/api/swagger'),
  }),
  uses('errors/documentation-link/slash-query-or-fragment', {
    'documentation-link-to-a-section': [
      documentationLink((address) => `${address}/api/swagger/?lang=en#/errors`),
      on('unknown', (rules) => ({
        begin: (context) =>
          context.url.href.endsWith('/api/swagger/?lang=en')
            ? rules.documentationPage(context)
            : rules.begin(context),
      })),
    ],
  }),
  uses('errors/server-error-message/told-to-site-admins', {
    'server-errors-exposed-to-site-admins': showErrorsToSiteAdmins,
  }),
  uses('errors/no-content/length-of-zero', {
    'no-content-with-length-zero': sendFields({ 'Content-Length': '0' }, (code) => code === 204),
  }),
  uses(gatewayBody, {
    'too-many-requests-once': gatewayOnce(429, 1),
  }),
  uses(tolerance('gateway-responses', 'errors/body', 'errors/no-rate-limit-headers'), {
    'rate-limit-header-once': gatewayOnce(429, 0, { 'X-RateLimit-Limit': '60' }),
  }),
  uses('errors/no-rate-limit-headers/announced-gateway', {
    'gateway-rate-limits': {
      unjudged: ['errors/no-rate-limit-headers'],
      change: sendFields({ 'X-RateLimit-Limit': '5000' }),
      environment: { CODE_HOSTING_GATEWAY_RATE_LIMITS: 'true' },
    },
  }),
  uses([loginInAnyCase, tolerance('full-name-in-any-case', 'resources/repository')], {
    'names-in-upper-case': namesInUpperCase,
  }),
  uses('resources/json/any-media-type', {
    'problem-media-type': mediaTypes('application/json', 'application/problem+json'),
    'media-type-with-other-parameters': mediaTypes(
      'Application/JSON ; Charset="UTF-8"; profile="a, b"',
      'application/json',
    ),
    'media-type-missing': alterParts(({ headers, body }) => {
      if (String(body).startsWith('{')) headers.delete('Content-Type')
      return undefined
    }),
  }),
  uses('errors/server-error-message/not-in-production', {
    'server-errors-exposed-outside-production': {
      unjudged: ['errors/server-error-message'],
      change: [
        respondOnce('user-repositories'),
        alter('serverError', (_, error) => new HttpError(500, String(error))),
      ],
      environment: { CODE_HOSTING_PRODUCTION: 'false' },
    },
  }),
  uses(tolerance('any-structure', ...inSection('limits', 'git-trees', 'blob', 'response')), {
    'limits-in-another-structure': {
      change: {
        treeRecord: (entries) => entries,
        blobRecord: (size, content) => ({ bytes: size, ...(content && { content }) }),
        filesRecord: (files) => Object.fromEntries(files.map(({ path, ...file }) => [path, file])),
      },
    },
  }),
  uses([], {
    'server-error-once': respondOnce('user-repositories'),
  }),
].flat()
