import type { ResponseParts } from '../../http/response-parts.ts'
import type { Fault } from '../fault.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/errors'
const authentication = 'code-hosting/authentication'
const scopes = 'code-hosting/scopes'

const scopeMessages = [
  `${scopes}/missing-scope-message`,
  `${scopes}/message-names-required`,
  `${scopes}/message-names-granted`,
]

interface ErrorBody {
  readonly message: string
  readonly url: string
}

/** Sends another JSON value in place of the error body that it is made of. */
function errorBody(
  make: (body: ErrorBody, status: number, context: RequestContext) => unknown,
): RuleChange {
  return replaceRule(
    'errorBody',
    () => (refusal, link, context) =>
      make({ message: refusal.message, url: link }, refusal.status, context),
  )
}

/** The same for errors with one status alone. */
function errorBodyOf(status: number, make: (body: ErrorBody) => unknown): RuleChange {
  return errorBody((body, given) => (given === status ? make(body) : body))
}

/** Sends other content than JSON with this status. */
function contentOf(status: number, change: (parts: ResponseParts) => void): RuleChange {
  return replaceRule('finish', (documented) => async (parts, context) => {
    if (parts.status === status) change(parts)
    return documented(parts, context)
  })
}

/** Faults in the content of error responses. */
export const errorBodyFaults: readonly Fault[] = [
  {
    name: 'error-body-without-url',
    requirements: [`${section}/body`],
    change: errorBody(({ message }) => ({ message })),
  },
  {
    name: 'error-body-without-url-on-repositories',
    requirements: [`${section}/body`],
    change: errorBody((body, _status, { endpoint }) =>
      endpoint === 'repository' ? { message: body.message } : body,
    ),
  },
  {
    name: 'error-url-in-a-list',
    requirements: [`${section}/body`],
    change: errorBody(({ message, url }) => ({ message, url: [url] })),
  },
  {
    name: 'error-url-null-on-404',
    requirements: [`${section}/body`],
    change: errorBodyOf(404, ({ message }) => ({ message, url: null })),
  },
  {
    name: 'error-message-an-object-on-400',
    requirements: [`${section}/body`],
    change: errorBodyOf(400, ({ message, url }) => ({ message: { text: message }, url })),
  },
  {
    name: 'error-message-under-another-name-on-400',
    requirements: [`${section}/body`],
    change: errorBodyOf(400, ({ message, url }) => ({ error: message, url })),
  },
  {
    name: 'error-message-missing-on-403',
    requirements: [`${section}/body`, ...scopeMessages],
    change: errorBodyOf(403, ({ url }) => ({ url })),
  },
  {
    name: 'error-body-missing-on-403',
    requirements: [`${section}/body`, ...scopeMessages],
    change: contentOf(403, (parts) => {
      parts.headers.delete('Content-Type')
      parts.body = ''
    }),
  },
  {
    name: 'error-body-a-list-on-404',
    requirements: [`${section}/body`],
    change: errorBodyOf(404, (body) => [body]),
  },
  {
    name: 'error-body-a-string-on-422',
    requirements: [`${section}/body`, `${section}/validation-names-field`],
    change: errorBodyOf(422, ({ message }) => message),
  },
  {
    name: 'error-messages-in-a-list-on-422',
    requirements: [`${section}/body`, `${section}/validation-names-field`],
    change: errorBodyOf(422, ({ message, url }) => ({ message: [message], url })),
  },
  {
    name: 'error-body-in-html-on-404',
    requirements: [`${section}/body`, 'code-hosting/resources/json'],
    change: contentOf(404, (parts) => {
      parts.headers.set('Content-Type', 'text/html;charset=utf-8')
      parts.body = '<!doctype html><title>Not found</title><h1>Not found</h1>'
    }),
  },
  {
    name: 'error-body-in-plain-text-on-401',
    requirements: [
      `${section}/body`,
      `${authentication}/missing-credentials-message`,
      `${authentication}/unknown-token-message`,
      `${authentication}/wrong-password-message`,
      'code-hosting/resources/json',
    ],
    change: contentOf(401, (parts) => {
      parts.headers.set('Content-Type', 'text/plain;charset=utf-8')
      parts.body = 'unauthorized'
    }),
  },
  {
    name: 'documentation-link-elsewhere',
    requirements: [`${section}/documentation-link`],
    change: replaceRule('documentationLink', () => (address) => `${address}/docs`),
  },
  {
    name: 'documentation-link-to-the-server-alone',
    requirements: [`${section}/documentation-link`],
    change: replaceRule('documentationLink', () => (address) => address),
  },
  {
    name: 'documentation-link-to-a-description-file',
    requirements: [`${section}/documentation-link`],
    change: replaceRule('documentationLink', () => (address) => `${address}/api/swagger.v1.json`),
  },
  {
    name: 'documentation-link-empty-on-repositories',
    requirements: [`${section}/documentation-link`],
    change: replaceRule('documentationLink', (documented) => (address, context) => {
      return context.endpoint === 'repository' ? '' : documented(address, context)
    }),
  },
]
