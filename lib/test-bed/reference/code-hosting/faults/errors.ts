import { type Fields, HttpError, responseParts, withBytes } from '../../http.ts'
import { type Change, inSection } from '../../rule-tables.ts'
import {
  alter,
  alterParts,
  at,
  errors,
  on,
  onlyIf,
  type Rules,
  reject,
  respondOnce,
  sendFields,
} from '../changes.ts'
import { hasQuery, list, usesScheme } from '../requests.ts'
import type { RequestContext } from '../server.ts'

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

/** Rules of rejections by the kind of request. */
const rules = {
  'archived-change': 'archived',
  conflict: 'repositoryExists',
  'empty-name': 'invalidField',
  'number-as-scope': 'invalidField',
} as const

type Rejection = keyof typeof rules

/** Parts of the messages about invalid fields. */
const messageParts: Partial<Record<Rejection, RegExp>> = {
  'empty-name': /empty/,
  'number-as-scope': /an item/,
}

/** Changes the responses to these requests. */
const rejected = (shape: string, change: Change<Rules>, ...names: readonly Rejection[]) =>
  Object.fromEntries(
    names.map((kind) => {
      const contexts = new WeakSet<RequestContext>()
      const noting = alter(rules[kind], (error, ...all) => {
        if (messageParts[kind]?.test(error.message) !== false)
          contexts.add(all.at(-1) as RequestContext)
        return error
      })
      return [`${kind}-error-${shape}`, [noting, onlyIf((at) => contexts.has(at), change)]]
    }),
  )

const inPlainText = alterParts((parts) => {
  parts.headers.set('Content-Type', 'text/plain;charset=utf-8')
  return { ...parts, body: 'rejected' }
})
const withoutMessage = { errorBody: (_error: Error, url: string) => ({ url }) }
const inAList = alter('errorBody', (body) => [body])
const elsewhere = linked((address) => `${address}/docs`)

const scopeMessages = inSection(
  'scopes',
  'missing-scope-message',
  'message-names-required',
  'message-names-granted',
)

export const errorFaults = [
  errors('validation-status', {
    'validation-rejected-with-400': {
      expectedVerdicts: { 'errors/validation-names-field': 'skipped' },
      change: reject('invalidField', 400),
    },
  }),
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
  }),
  errors('body', {
    ...at('error-body-without-url', ['on-repositories'], withoutUrl),
    ...rejected('without-url', withoutUrl, 'archived-change', 'conflict', 'empty-name'),
    ...rejected('without-url', withoutUrl, 'number-as-scope'),
    ...rejected('without-message', withoutMessage, 'archived-change', 'conflict'),
    ...rejected('in-a-list', inAList, 'archived-change', 'conflict'),
    ...rejected('in-plain-text', inPlainText, 'archived-change', 'conflict'),
    'error-body-without-url-on-423': bodyWith(423, ({ message }) => ({ message })),
    'error-body-in-html-on-409': contentOf(409, html, '<h1>Conflict</h1>'),
    'error-message-an-object-on-400': bodyWith(400, (body) => ({ ...body, message: { body } })),
  }),
  errors(['body', ...scopeMessages], {
    'error-body-missing-on-403': contentOf(403, undefined, ''),
  }),
  errors(['body', 'validation-names-field'], {
    ...rejected('without-message', withoutMessage, 'empty-name', 'number-as-scope'),
  }),
  errors(['body', 'resources/json'], {
    'error-body-in-html-on-404': contentOf(404, html, notFoundPage),
    'server-error-in-html': [once, contentOf(500, 'text/html', '<h1>Internal Server Error</h1>')],
  }),
  errors('documentation-link', {
    ...rejected('linked-elsewhere', elsewhere, 'archived-change', 'conflict', 'empty-name'),
    'documentation-link-to-nothing': linked((base) => `${base}/docs/api/swagger`),
    'documentation-link-without-the-base-path in base-path': alter(
      'documentationLink',
      (link, _address, { server: { basePath } }) => link.replace(basePath, ''),
    ),
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
