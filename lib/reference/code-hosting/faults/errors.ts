import { responseParts } from '../../http.ts'
import {
  altered,
  asking,
  failingOnce,
  faultsOf,
  fieldsSent,
  on,
  type RuleChange,
  refused,
  sent,
  where,
  within,
} from '../rules.ts'

// A server keeps its own mistakes to itself.
const serverError = { status: 500, message: '' }

interface ErrorBody {
  readonly message: string
  readonly url: string
}

/** Sends another JSON value in place of the error body, with every status or with this one. */
function errorBody(make: (body: ErrorBody) => unknown, status?: number): RuleChange {
  return altered('errorBody', (body, refusal, url) =>
    status === undefined || refusal.status === status
      ? make({ message: refusal.message, url })
      : body,
  )
}

const errorBodyOf = (status: number, make: (body: ErrorBody) => unknown) => errorBody(make, status)

/** Sends other content with this status. */
function contentOf(status: number, contentType: string | undefined, body: string): RuleChange {
  return sent((parts) => {
    if (parts.status !== status) return parts
    if (contentType === undefined) parts.headers.delete('Content-Type')
    else parts.headers.set('Content-Type', contentType)
    return { ...parts, body }
  })
}

/** The first request to the endpoint is answered with 500 and this message. */
const failingWith = (
  endpoint: 'repository' | 'user-repositories',
  messageOf: (error: Error) => string,
) => [
  failingOnce(endpoint),
  altered('serverError', (_, error) => ({ status: 500, message: messageOf(error as Error) })),
]

const content = '{"done":true}'

/** Sends every 204 with that field, and with these bytes behind the header section. */
function withContent(field: string, bytes: string): RuleChange {
  const head = `HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n${field}`
  return sent((parts) =>
    parts.status === 204
      ? { ...parts, raw: `${head}\r\nConnection: close\r\n\r\n${bytes}` }
      : parts,
  )
}

const contentOnNoContent = withContent(`Content-Length: ${content.length}`, content)

const scopeMessages = ['missing-scope-message', 'message-names-required', 'message-names-granted']
  .map((name) => `scopes/${name}`)
  .join(' + ')
const authenticationMessages = ['missing-credentials', 'unknown-token', 'wrong-password']
  .map((name) => `authentication/${name}-message`)
  .join(' + ')

/** Faults in refusals and error bodies, and in what goes for all responses. */
export const errorFaults = faultsOf('errors', {
  'validation-status': {
    'validation-answered-with-400': {
      becoming: { 'errors/validation-names-field': 'skipped' },
      change: refused('invalidField', 400),
    },
    'validation-answered-with-500': refused('invalidField', serverError),
    'validation-error-sent-with-200': refused('invalidField', 200),
  },
  'validation-names-field': {
    'validation-without-field': refused('invalidField', 'validation failed'),
    'validation-names-another-field': refused('invalidField', 'scopes: a value is required'),
    'validation-names-the-user-name': refused('invalidField', 'username is required'),
  },
  'malformed-body': {
    'malformed-body-answered-with-409': refused('malformedBody', 409),
    'malformed-body-answered-with-415': refused('malformedBody', 415),
    'malformed-body-answered-with-500': refused('malformedBody', serverError),
    'malformed-body-error-sent-with-200': refused('malformedBody', 200),
  },
  'missing-repository': {
    'missing-repository-answered-with-403': refused('missingRepository', 403),
    'missing-repository-answered-with-a-redirect': refused('missingRepository', 302),
    'missing-repository-error-sent-with-200': refused('missingRepository', 200),
  },
  'hidden-repository': {
    'hidden-repository-answered-with-403': refused('hiddenRepository', 403),
    'hidden-repository-answered-with-401': refused('hiddenRepository', 401),
    'hidden-repository-shown': { maySee: () => true },
    'hidden-repository-shown-where-no-public-one-is-told': within('no-public-repository', {
      maySee: () => true,
    }),
  },
  archived: {
    'archived-change-accepted': { mayChange: () => true },
    'archived-change-answered-with-403': refused('archived', 403),
    'archived-change-error-sent-with-200': refused('archived', 200),
  },
  conflict: {
    'conflict-answered-with-422': refused('repositoryExists', 422),
    'conflict-error-sent-with-200': refused('repositoryExists', 200),
  },
  body: {
    'error-body-without-url': errorBody(({ message }) => ({ message })),
    'error-body-without-url-on-repositories': on(
      'repository',
      errorBody(({ message }) => ({ message })),
    ),
    'error-url-in-a-list': errorBody(({ message, url }) => ({ message, url: [url] })),
    'error-url-null-on-404': errorBodyOf(404, ({ message }) => ({ message, url: null })),
    'error-message-an-object-on-400': errorBodyOf(400, ({ message, url }) => ({
      message: { text: message },
      url,
    })),
    'error-message-under-another-name-on-400': errorBodyOf(400, ({ message, url }) => ({
      error: message,
      url,
    })),
    'error-body-a-list-on-404': errorBodyOf(404, (body) => [body]),
    'server-error-message-null': [
      failingOnce('user-repositories'),
      errorBodyOf(500, ({ url }) => ({ message: null, url })),
    ],
  },
  [`body + ${scopeMessages}`]: {
    'error-message-missing-on-403': errorBodyOf(403, ({ url }) => ({ url })),
    'error-body-missing-on-403': contentOf(403, undefined, ''),
  },
  'body + validation-names-field': {
    'error-body-a-string-on-422': errorBodyOf(422, ({ message }) => message),
    'error-messages-in-a-list-on-422': errorBodyOf(422, ({ message, url }) => ({
      message: [message],
      url,
    })),
  },
  'body + resources/json': {
    'error-body-in-html-on-404': contentOf(
      404,
      'text/html;charset=utf-8',
      '<!doctype html><title>Not found</title><h1>Not found</h1>',
    ),
    'server-error-in-html': [
      failingOnce('user-repositories'),
      contentOf(500, 'text/html', '<h1>Internal Server Error</h1>'),
    ],
  },
  [`body + resources/json + ${authenticationMessages}`]: {
    'error-body-in-plain-text-on-401': contentOf(401, 'text/plain;charset=utf-8', 'unauthorized'),
  },
  'documentation-link': {
    'documentation-link-below-version': {
      documentationLink: (address) => `${address}/api/v1/swagger`,
    },
    'documentation-link-to-the-request-on-repositories': on('repository', {
      documentationLink: (address, { url, deployment }) =>
        address + url.pathname.slice(deployment.basePath.length),
    }),
    'documentation-link-elsewhere': { documentationLink: (address) => `${address}/docs` },
    'documentation-link-to-the-server-alone': { documentationLink: (address) => address },
    'documentation-link-to-a-description-file': {
      documentationLink: (address) => `${address}/api/swagger.v1.json`,
    },
    'documentation-link-empty-on-repositories': on('repository', { documentationLink: () => '' }),
  },
  // Each shows in a single response.
  'server-error-message': {
    'server-error-message-shown': failingWith('user-repositories', ({ message }) => message),
    'server-error-message-with-a-stack-trace-on-a-repository': failingWith(
      'repository',
      ({ stack }) => String(stack),
    ),
    'server-error-message-internal-server-error': failingWith(
      'user-repositories',
      () => 'Internal Server Error',
    ),
  },
  'no-content': {
    'content-on-no-content': contentOnNoContent,
    // What such a limit gets is nowhere stated; that nothing comes with 204 is.
    'content-on-no-content-for-a-limit-that-is-no-number': within('no-supplied-requests', [
      contentOnNoContent,
      where(asking('limit', 'abc'), { begin: () => responseParts(204) }),
    ]),
    'chunked-content-on-no-content': withContent(
      'Transfer-Encoding: chunked',
      `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`,
    ),
  },
  'no-rate-limit-headers': {
    'rate-limit-headers-sent': fieldsSent({
      'X-RateLimit-Limit': '5000',
      'X-RateLimit-Remaining': '4999',
    }),
    'rate-limit-headers-on-errors-alone': fieldsSent(
      { 'X-RateLimit-Limit': '60' },
      (status) => status >= 400,
    ),
    'rate-limit-reset-on-lists-alone': on(
      'user-repositories',
      fieldsSent({ 'x-ratelimit-reset': '1767225600' }),
    ),
  },
})
