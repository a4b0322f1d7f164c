import type { ResponseParts } from '../../http.ts'
import { faultsOf } from '../../service.ts'
import { asking, failingOnce, on, type RuleChange, refused, where } from '../changes.ts'
import type { Rules } from '../rules.ts'

// A server keeps its own mistakes to itself.
const serverError = { status: 500, message: '' }

interface ErrorBody {
  readonly message: string
  readonly url: string
}

/** Sends another JSON value in place of the error body that it is made of. */
function errorBody(make: (body: ErrorBody, status: number) => unknown): Partial<Rules> {
  return {
    errorBody: (refusal, link) => make({ message: refusal.message, url: link }, refusal.status),
  }
}

/** The same for errors with one status alone. */
function errorBodyOf(status: number, make: (body: ErrorBody) => unknown): Partial<Rules> {
  return errorBody((body, given) => (given === status ? make(body) : body))
}

/** Sends other content than JSON with this status. */
function contentOf(status: number, change: (parts: ResponseParts) => void): RuleChange {
  return (rules) => ({
    finish: (parts, context) => {
      if (parts.status === status) change(parts)
      return rules.finish(parts, context)
    },
  })
}

/** The first request to the endpoint is answered with 500 and this message. */
function failingWith(
  endpoint: 'repository' | 'user-repositories',
  message: (error: Error) => string,
): RuleChange {
  return (rules) => ({
    ...failingOnce(endpoint)(rules),
    serverError: (error) => ({ status: 500, message: message(error as Error) }),
  })
}

const content = '{"done":true}'

/** Sends every 204 with that field, and with these bytes behind the header section. */
function withContent(field: string, bytes: string): Partial<Rules> {
  const head = `HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n${field}`
  return {
    finish: (parts) => {
      if (parts.status !== 204) return parts
      return { ...parts, raw: `${head}\r\nConnection: close\r\n\r\n${bytes}` }
    },
  }
}

const contentOnNoContent = withContent(`Content-Length: ${content.length}`, content)

/** Sends these fields too, on every response or with such a status. */
function withFields(
  fields: Readonly<Record<string, string>>,
  isSuch: (status: number) => boolean = () => true,
): RuleChange {
  return (rules) => ({
    finish: (parts, context) => {
      const added = isSuch(parts.status) ? Object.entries(fields) : []
      for (const [name, value] of added) parts.headers.set(name, value)
      return rules.finish(parts, context)
    },
  })
}

const scopeMessages = ['missing-scope-message', 'message-names-required', 'message-names-granted']
  .map((name) => `scopes/${name}`)
  .join(' + ')
const authenticationMessages = ['missing-credentials', 'unknown-token', 'wrong-password']
  .map((name) => `authentication/${name}-message`)
  .join(' + ')

/** Faults in refusals and error bodies, and in what goes for all responses. */
export const errorFaults = faultsOf<Rules>('code-hosting/errors', {
  'validation-status': {
    'validation-answered-with-400': {
      becoming: { 'code-hosting/errors/validation-names-field': 'skipped' },
      change: refused('invalidField', { status: 400 }),
    },
    'validation-answered-with-500': refused('invalidField', serverError),
    'validation-error-sent-with-200': refused('invalidField', { status: 200 }),
  },
  'validation-names-field': {
    'validation-without-field': refused('invalidField', { message: 'validation failed' }),
    'validation-names-another-field': refused('invalidField', {
      message: 'scopes: a value is required',
    }),
    'validation-names-the-user-name': refused('invalidField', { message: 'username is required' }),
  },
  'malformed-body': {
    'malformed-body-answered-with-409': refused('malformedBody', { status: 409 }),
    'malformed-body-answered-with-415': refused('malformedBody', { status: 415 }),
    'malformed-body-answered-with-500': refused('malformedBody', serverError),
    'malformed-body-error-sent-with-200': refused('malformedBody', { status: 200 }),
  },
  'missing-repository': {
    'missing-repository-answered-with-403': refused('missingRepository', { status: 403 }),
    'missing-repository-answered-with-a-redirect': refused('missingRepository', { status: 302 }),
    'missing-repository-error-sent-with-200': refused('missingRepository', { status: 200 }),
  },
  'hidden-repository': {
    'hidden-repository-answered-with-403': refused('hiddenRepository', { status: 403 }),
    'hidden-repository-answered-with-401': refused('hiddenRepository', { status: 401 }),
    'hidden-repository-shown': { maySee: () => true },
    'hidden-repository-shown-where-no-public-one-is-told': {
      variant: 'no-public-repository',
      change: { maySee: () => true },
    },
  },
  archived: {
    'archived-change-accepted': { mayChange: () => true },
    'archived-change-answered-with-403': refused('archived', { status: 403 }),
    'archived-change-error-sent-with-200': refused('archived', { status: 200 }),
  },
  conflict: {
    'conflict-answered-with-422': refused('repositoryExists', { status: 422 }),
    'conflict-error-sent-with-200': refused('repositoryExists', { status: 200 }),
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
    'server-error-message-null': (rules) => ({
      ...failingOnce('user-repositories')(rules),
      ...errorBodyOf(500, ({ url }) => ({ message: null, url })),
    }),
  },
  [`body + ${scopeMessages}`]: {
    'error-message-missing-on-403': errorBodyOf(403, ({ url }) => ({ url })),
    'error-body-missing-on-403': contentOf(403, (parts) => {
      parts.headers.delete('Content-Type')
      parts.body = ''
    }),
  },
  'body + validation-names-field': {
    'error-body-a-string-on-422': errorBodyOf(422, ({ message }) => message),
    'error-messages-in-a-list-on-422': errorBodyOf(422, ({ message, url }) => ({
      message: [message],
      url,
    })),
  },
  'body + resources/json': {
    'error-body-in-html-on-404': contentOf(404, (parts) => {
      parts.headers.set('Content-Type', 'text/html;charset=utf-8')
      parts.body = '<!doctype html><title>Not found</title><h1>Not found</h1>'
    }),
    'server-error-in-html': (rules) => ({
      ...failingOnce('user-repositories')(rules),
      ...contentOf(500, (parts) => {
        parts.headers.set('Content-Type', 'text/html')
        parts.body = '<h1>Internal Server Error</h1>'
      })(rules),
    }),
  },
  [`body + resources/json + ${authenticationMessages}`]: {
    'error-body-in-plain-text-on-401': contentOf(401, (parts) => {
      parts.headers.set('Content-Type', 'text/plain;charset=utf-8')
      parts.body = 'unauthorized'
    }),
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
    'content-on-no-content-for-a-limit-that-is-no-number': {
      variant: 'no-supplied-requests',
      change: (rules) => ({
        ...contentOnNoContent,
        ...where(asking('limit', 'abc'), {
          begin: () => ({ status: 204, headers: new Headers() }),
        })(rules),
      }),
    },
    'chunked-content-on-no-content': withContent(
      'Transfer-Encoding: chunked',
      `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`,
    ),
  },
  'no-rate-limit-headers': {
    'rate-limit-headers-sent': withFields({
      'X-RateLimit-Limit': '5000',
      'X-RateLimit-Remaining': '4999',
    }),
    'rate-limit-headers-on-errors-alone': withFields(
      { 'X-RateLimit-Limit': '60' },
      (status) => status >= 400,
    ),
    'rate-limit-reset-on-lists-alone': on(
      'user-repositories',
      withFields({ 'x-ratelimit-reset': '1767225600' }),
    ),
  },
})
