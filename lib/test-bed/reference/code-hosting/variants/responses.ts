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

/** Rules of errors without a documented message. */
const rejectionsOfAnyText = [
  ...['missingEndpoint', 'malformedBody', 'passwordRequired', 'foreignTokens', 'missingAccount'],
  ...['missingToken', 'duplicateTokenName', 'unknownScope', 'scopeNotGrantable', 'archived'],
  ...['missingOneTimeCode', 'wrongOneTimeCode', 'sudoForbidden', 'sudoAccountMissing'],
  ...['missingRepository', 'hiddenRepository', 'hiddenByPublicOnly', 'foreignRepository'],
  'repositoryExists',
] as const

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

const isInvalid = (value: string | null) => value !== null && !/^[+-]?\d+$/.test(value)

/** Redirects a page or limit that is not a number to the list without it. */
const redirectWrongNumbers = on('user-repositories', ({ begin }) => ({
  begin: (context) => {
    const { searchParams, pathname: Location } = context.url
    if (isInvalid(searchParams.get('page'))) {
      const fields = { Location, 'Content-Type': 'text/html' }
      return responseParts(301, fields, `<a href="${Location}">Moved</a>`)
    }
    return isInvalid(searchParams.get('limit')) ? responseParts(302, { Location }) : begin(context)
  },
}))

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

const linksByEndpoint: Partial<Record<string, string>> = {
  repository: 'https://docs.example.com/hosting/api/swagger',
  user: '/api/swagger/?lang=en#/errors',
}

export const responseVariants = [
  uses(
    [
      tolerance('any-message', 'errors/body'),
      tolerance(['name-in-any-case', 'any-wording'], 'errors/validation-names-field'),
      tolerance(
        ['any-origin', 'any-path-prefix', 'relative-reference', 'slash-query-or-fragment'],
        'errors/documentation-link',
      ),
      tolerance('any-media-type', 'resources/json'),
    ],
    {
      'bodies-of-other-forms': [
        ...rejectionsOfAnyText.map((name) =>
          reject(name, 'Das geht leider nicht: "so" <b>nicht</b>\n🙁'),
        ),
        alter(
          'invalidField',
          ({ status }, field) =>
            new HttpError(status, `'${field.toUpperCase()}' must not be blank`),
        ),
        alter(
          'documentationLink',
          (_result, address, { endpoint }) =>
            linksByEndpoint[endpoint] ?? `${address}/api/swagger/?lang=en#/errors`,
        ),
        on('unknown', (rules) => ({
          begin: (context) =>
            context.url.href.endsWith('/api/swagger/?lang=en')
              ? rules.documentationPage(context)
              : rules.begin(context),
        })),
        alter('contentType', (_result, status) =>
          status < 400
            ? 'Application/JSON ; Charset="UTF-8"; profile="a, b"'
            : 'application/problem+json',
        ),
      ],
    },
  ),
  uses('errors/no-content/length-of-zero', {
    'no-content-with-length-zero': sendFields({ 'Content-Length': '0' }, (code) => code === 204),
  }),
  uses(
    [
      tolerance('told-to-site-admins', 'errors/server-error-message'),
      tolerance('gateway-responses', 'errors/body', 'errors/no-rate-limit-headers'),
      tolerance(['redirects', 'no-body'], 'resources/json'),
    ],
    {
      'failures-once-and-redirects': [
        showErrorsToSiteAdmins,
        redirectWrongNumbers,
        respondOnce('user-repositories', () =>
          responseParts(
            429,
            { 'Content-Type': 'text/html', 'Retry-After': '1', 'X-RateLimit-Limit': '60' },
            '<h1>Not now</h1>',
          ),
        ),
      ],
    },
  ),
  uses([loginInAnyCase, tolerance('full-name-in-any-case', 'resources/repository')], {
    'names-in-upper-case': namesInUpperCase,
  }),
  uses('resources/json/any-media-type', {
    'media-type-missing': alterParts(({ headers, body }) => {
      if (String(body).startsWith('{')) headers.delete('Content-Type')
      return undefined
    }),
  }),
  uses(
    [
      tolerance('not-in-production', 'errors/server-error-message'),
      tolerance('announced-gateway', 'errors/no-rate-limit-headers'),
    ],
    {
      'staging-behind-a-gateway': {
        unjudged: ['errors/server-error-message', 'errors/no-rate-limit-headers'],
        change: [
          respondOnce('user-repositories'),
          alter('serverError', (_, error) => new HttpError(500, String(error))),
          sendFields({ 'X-RateLimit-Limit': '5000' }),
        ],
        environment: {
          CODE_HOSTING_PRODUCTION: 'false',
          CODE_HOSTING_GATEWAY_RATE_LIMITS: 'true',
        },
      },
    },
  ),
  uses(tolerance('any-structure', ...inSection('limits', 'git-trees', 'blob', 'response')), {
    'limits-in-another-structure': {
      change: {
        treeRecord: (entries) => entries,
        blobRecord: (size, content) => ({ bytes: size, ...(content && { content }) }),
        filesRecord: (files) => Object.fromEntries(files.map(({ path, ...file }) => [path, file])),
      },
    },
  }),
].flat()
