import { type Fields, HttpError, responseParts, withBytes } from '../../http.ts'
import { inSection } from '../../rule-tables.ts'
import {
  alter,
  alterParts,
  at,
  errors,
  on,
  onlyIf,
  reject,
  respondOnce,
  sendFields,
} from '../changes.ts'
import { hasQuery, list, usesScheme } from '../requests.ts'

type ErrorBody = { readonly message: string; readonly url: string }

/** Replaces the error body, for every status or only for this one. */
const errorBody = (make: (body: ErrorBody) => unknown, status?: number) =>
  alter('errorBody', (body, error, url) =>
    (status ?? error.status) === error.status ? make({ message: error.message, url }) : body,
  )

const bodyWith = (status: number, make: (body: ErrorBody) => unknown) => errorBody(make, status)

const withoutUrl = errorBody(({ message }) => ({ message }))

const contentOf = (status: number, contentType: string | undefined, body: string) =>
  alterParts((parts) => {
    if (parts.status !== status) return parts
    if (contentType === undefined) parts.headers.delete('Content-Type')
    else parts.headers.set('Content-Type', contentType)
    return { ...parts, body }
  })

const html = 'text/html;charset=utf-8'
const notFoundPage = '<!doctype html><title>Not found</title><h1>Not found</h1>'

const once = respondOnce(list)

const failingWith = (endpoint: 'repository' | typeof list, messageOf: (error: Error) => string) => [
  respondOnce(endpoint),
  alter('serverError', (_, error) => new HttpError(500, messageOf(error as Error))),
]

const linked = (documentationLink: (address: string) => string) => ({ documentationLink })
const noLink = linked(() => '')

const isError = (status: number) => status >= 400

const content = '{"done":true}'

const withContent = (fields: Fields, body: string) =>
  alterParts((parts) => (parts.status === 204 ? withBytes(parts, fields, body) : parts))

const contentOnNoContent = withContent({ 'Content-Length': `${content.length}` }, content)

const allSeen = { maySee: () => true }

const scopeMessages = inSection(
  'scopes',
  'missing-scope-message',
  'message-names-required',
  'message-names-granted',
)

export const errorFaults = [
  errors('hidden-repository', {
    'hidden-repository-returned-to-tokens': onlyIf(usesScheme('bearer'), allSeen),
    'hidden-repository-returned-without-public-repository in no-public-repository': allSeen,
  }),
  errors(['validation-status', 'server-error-message'], {
    'number-as-name-fails-with-500': alter('parsedBody', (body) => {
      if (typeof Object(body).name === 'number') throw new HttpError(500, 'no text: name')
      return body
    }),
  }),
  errors('malformed-body', {
    'text-after-the-body-ignored': {
      parsedBody: (text) => JSON.parse(text.slice(0, text.lastIndexOf('}') + 1)),
    },
    'text-after-the-body-rejected-with-422': {
      parsedBody(text) {
        if (/\}\s*\w/.test(text)) throw new HttpError(422, 'text after the body')
        return JSON.parse(text)
      },
    },
  }),
  errors('archived', {
    'archived-change-accepted-of-the-site-admin': onlyIf(
      ({ caller }) => caller?.actor.siteAdmin === true,
      reject('foreignRepository', new HttpError(200, 'changed')),
    ),
    'changes-need-the-scope-all': alter(
      'grants',
      (is, granted, _required, { method }) => is && (method === 'GET' || granted.includes('all')),
    ),
  }),
  errors('body', {
    ...at('error-body-without-url', ['on-repositories'], withoutUrl),
    'error-body-without-url-on-423': bodyWith(423, ({ message }) => ({ message })),
    'error-body-in-html-on-409': contentOf(409, html, '<h1>Conflict</h1>'),
    'error-message-an-object-on-400': bodyWith(400, (body) => ({ ...body, message: { body } })),
  }),
  errors(['body', ...scopeMessages], {
    'error-body-missing-on-403': contentOf(403, undefined, ''),
  }),
  errors(['body', 'validation-names-field'], {
    'error-body-without-message-on-422': bodyWith(422, ({ url }) => ({ url })),
  }),
  errors(['body', 'resources/json'], {
    'error-body-in-html-on-404': contentOf(404, html, notFoundPage),
    'server-error-in-html': [once, contentOf(500, 'text/html', '<h1>Internal Server Error</h1>')],
  }),
  errors('documentation-link', {
    'documentation-linked-elsewhere-on-423': bodyWith(423, ({ message, url }) => ({
      message,
      url: `${url}/docs`,
    })),
    'documentation-link-to-nothing': linked((base) => `${base}/docs/api/swagger`),
    'documentation-link-empty-on-repositories': on('repository', noLink),
  }),
  errors('server-error-message', {
    'server-error-message-exposed': failingWith(list, ({ message }) => message),
    'server-error-message-with-a-stack-trace-on-a-repository': failingWith(
      'repository',
      ({ stack }) => String(stack),
    ),
    'server-error-message-internal-server-error': failingWith(list, () => 'Internal Server Error'),
  }),
  errors('no-content', {
    // The document states no status for such a limit, but a 204 has no content.
    'content-on-no-content-for-a-limit-that-is-no-number in no-supplied-requests': [
      contentOnNoContent,
      onlyIf(hasQuery('limit', 'abc'), { begin: () => responseParts(204) }),
    ],
    'chunked-content-on-no-content': withContent(
      { 'Transfer-Encoding': 'chunked' },
      `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`,
    ),
  }),
  errors('no-rate-limit-headers', {
    'rate-limit-headers-only-on-errors': sendFields({ 'X-RateLimit-Limit': '60' }, isError),
    'rate-limit-headers-only-on-hooks': on('hooks', sendFields({ 'X-RateLimit-Used': '1' })),
    'rate-limit-reset-only-on-lists': on(list, sendFields({ 'x-ratelimit-reset': '1767225600' })),
  }),
].flat()
