import { tolerance, variantsOf, withVariables } from '../../service.ts'
import { failingOnce, type RuleChange, refused } from '../changes.ts'
import type { Deployment } from '../deployment.ts'
import type { Configuration } from '../population.ts'
import type { Rules } from '../rules.ts'

const errors = 'code-hosting/errors'
const resources = 'code-hosting/resources'
const json = `${resources}/json`
const gatewayBody = `${errors}/body/gateway-responses`
const rateLimits = `${errors}/no-rate-limit-headers`

/** Refusals for which the document shows no text. */
const refusalsOfAnyText = [
  'missingEndpoint',
  'malformedBody',
  'passwordRequired',
  'foreignTokens',
  'missingAccount',
  'missingToken',
  'duplicateTokenName',
  'unknownScope',
  'scopeNotGrantable',
  'missingOneTimeCode',
  'wrongOneTimeCode',
  'sudoRefused',
  'sudoAccountMissing',
  'missingRepository',
  'hiddenRepository',
  'hiddenByPublicOnly',
  'foreignRepository',
  'archived',
  'repositoryExists',
] as const

function messagesAre(message: string): RuleChange {
  return (rules) =>
    Object.assign({}, ...refusalsOfAnyText.map((name) => refused(name, { message })(rules)))
}

/** One error of the server each for a site admin and for somebody else. */
const errorsToldToSiteAdmins: RuleChange = (rules) => {
  const met = new Set<boolean>()
  return {
    userRecord: (account, context) => {
      const siteAdmin = context.caller?.actor.siteAdmin === true
      if (met.has(siteAdmin)) return rules.userRecord(account, context)
      met.add(siteAdmin)
      throw new Error('the database is locked')
    },
  }
}

/** The first request for the listing is answered by a gateway, all others by the service. */
function answeredOnce(
  status: number,
  retryAfterSeconds: number,
  further: Readonly<Record<string, string>> = {},
): RuleChange {
  return (rules) => {
    let answered = false
    return {
      begin: (context): ReturnType<Rules['begin']> => {
        if (answered || context.endpoint !== 'user-repositories') return rules.begin(context)
        answered = true
        const headers = new Headers({
          'Content-Type': 'text/html',
          'Retry-After': String(retryAfterSeconds),
          ...further,
        })
        return { status, headers, body: '<h1>Not now</h1>' }
      },
    }
  }
}

/** Requirements that compare a login name. */
const loginRows = [
  `${resources}/user`,
  'code-hosting/tokens/authenticates',
  'code-hosting/authentication/sudo-header',
  'code-hosting/authentication/sudo-query',
]

const namesInUpperCase: RuleChange = (rules) => ({
  userRecord: (account, context) =>
    rules.userRecord({ ...account, login: account.login.toUpperCase() }, context),
  repositoryRecord: (repository, context) => {
    const { owner, name } = repository
    const inUpperCase = { owner: owner.toUpperCase(), name: name.toUpperCase() }
    return rules.repositoryRecord({ ...repository, ...inUpperCase }, context)
  },
})

function mediaTypes(success: string, error: string): Partial<Rules> {
  return { contentType: (status) => (status < 400 ? success : error) }
}

/** Other texts and links of errors, other records, and a server or gateway in trouble. */
export const answerVariants = variantsOf<Rules, Deployment, Configuration>({
  'error-messages-empty': {
    tolerances: [`${errors}/body/any-message`],
    change: messagesAre(''),
  },
  'error-messages-reworded': {
    tolerances: [`${errors}/body/any-message`],
    change: messagesAre('Das geht leider nicht: "so" <b>nicht</b>\n🙁'),
  },
  'failing-field-in-upper-case': {
    tolerances: [
      `${errors}/validation-names-field/name-in-any-case`,
      `${errors}/validation-names-field/any-wording`,
    ],
    change: (rules) => ({
      invalidField: (field, reason, context) => ({
        ...rules.invalidField(field, reason, context),
        message: `Validation failed: '${field.toUpperCase()}' must not be blank`,
      }),
    }),
  },
  'documentation-link-at-another-origin': {
    tolerances: [
      `${errors}/documentation-link/any-origin`,
      `${errors}/documentation-link/any-path-prefix`,
    ],
    change: { documentationLink: () => 'https://docs.example.com/hosting/api/swagger' },
  },
  'documentation-link-relative': {
    tolerances: [`${errors}/documentation-link/relative-reference`],
    change: { documentationLink: () => '/api/swagger' },
  },
  'documentation-link-to-a-section': {
    tolerances: [`${errors}/documentation-link/slash-query-or-fragment`],
    change: { documentationLink: (address) => `${address}/api/swagger/?lang=en#/errors` },
  },
  'server-errors-told-to-site-admins': {
    tolerances: [`${errors}/server-error-message/told-to-site-admins`],
    change: errorsToldToSiteAdmins,
  },
  'no-content-with-length-zero': {
    tolerances: [`${errors}/no-content/length-of-zero`],
    change: {
      finish: (parts) => {
        if (parts.status === 204) parts.headers.set('Content-Length', '0')
        return parts
      },
    },
  },
  'server-error-once': { change: failingOnce('user-repositories') },
  'gateway-unavailable-once': { tolerances: [gatewayBody], change: answeredOnce(503, 0) },
  'too-many-requests-once': { tolerances: [gatewayBody], change: answeredOnce(429, 1) },
  'rate-limit-told-once': {
    tolerances: [gatewayBody, `${rateLimits}/gateway-responses`],
    change: answeredOnce(429, 0, { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0' }),
  },
  'gateway-rate-limits': {
    tolerances: [`${rateLimits}/announced-gateway`],
    unjudged: [rateLimits],
    change: (rules) => ({
      finish: (parts, context) => {
        parts.headers.set('X-RateLimit-Limit', '5000')
        return rules.finish(parts, context)
      },
    }),
    environment: withVariables({ CODE_HOSTING_GATEWAY_RATE_LIMITS: 'true' }),
  },
  'names-shown-in-upper-case': {
    tolerances: [
      ...tolerance('login-in-any-case', loginRows),
      `${resources}/repository/full-name-in-any-case`,
    ],
    change: namesInUpperCase,
  },
  'large-records': {
    change: (rules) => ({
      repositoryRecord: (repository, context) => ({
        ...Object(rules.repositoryRecord(repository, context)),
        readme: 'Once upon a time. '.repeat(800),
      }),
    }),
  },
  'problem-media-type': {
    tolerances: [`${json}/any-json-type`],
    change: mediaTypes('application/json', 'application/problem+json'),
  },
  'vendor-media-type': {
    tolerances: [`${json}/any-json-type`],
    change: mediaTypes('application/vnd.code-hosting.v1+json', 'text/json'),
  },
  'media-type-with-other-parameters': {
    tolerances: [`${json}/any-parameters`],
    change: mediaTypes('Application/JSON ; Charset="UTF-8"; profile="a, b"', 'application/json'),
  },
})
