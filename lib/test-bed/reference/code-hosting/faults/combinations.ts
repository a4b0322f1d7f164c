// Faults of one feature that show only with a level of another factor.

import { HttpError, jsonParts } from '../../http.ts'
import {
  alter,
  authentication,
  errors,
  on,
  onlyIf,
  pagination,
  scopes,
  serverError,
} from '../changes.ts'
import { list } from '../requests.ts'
import type { RequestContext } from '../server.ts'
import { remembering } from './sequences.ts'

const fieldOf = ({ headers }: RequestContext): string => headers.get('Authorization') ?? ''

/** Ignores a parameter that follows a token in the query. */
const isBehindToken = ({ credentials, url }: RequestContext, parameter: string) =>
  credentials?.scheme === 'query' &&
  new RegExp(`[?&](access_)?token=[^&]*(&.*)?&${parameter}=`).test(url.search)

const twoFieldsListed = remembering<Readonly<Record<string, unknown>>>((bodies) => [
  alter('parsedBody', (body, _text, context) => {
    bodies.set(context, Object(body))
    return body
  }),
  alter('errorBody', (body, { status }, url, context) => {
    const { name, scopes } = bodies.get(context) ?? {}
    const isValid = status !== 422 || name || Array.isArray(scopes)
    return isValid ? body : { message: ['name: is not valid', 'scopes: is not valid'], url }
  }),
])

export const combinationFaults = [
  pagination(['has-more-header', 'past-the-end'], {
    'has-more-counts-what-public-only-hides': on(
      list,
      alter('hasMore', (more, { page, limit, total }, _shown, { caller, server }) => {
        if (!caller?.scopes?.includes('public-only')) return more
        const owned = server.store.repositoriesOf(caller.account.login)
        const hidden = owned.filter((repository) => repository.private).length
        return String(page * limit < total + hidden)
      }),
    ),
  }),
  scopes('tokens/unknown-scope', {
    'unknown-scope-accepted-after-all': remembering((unrestricted) =>
      alter('scopeKnown', (known, scope, context) => {
        if (scope === 'all') unrestricted.set(context, true)
        return known || unrestricted.has(context)
      }),
    ),
  }),
  authentication('unusable-credentials', {
    'basic-without-colon-fails': alter('wrongPassword', (error, context) => {
      const [, encoded = ''] = fieldOf(context).split(' ')
      return Buffer.from(encoded, 'base64').toString().includes(':') ? error : serverError
    }),
  }),
  errors(['missing-repository', 'server-error-message'], {
    'long-repository-name-fails': alter('missingRepository', (error, { parameters }) =>
      (parameters.repo?.length ?? 0) > 100 ? new HttpError(500, 'value too long') : error,
    ),
  }),
  errors('resources/repository', {
    'full-name-starts-with-the-caller': on(
      'repository',
      alter('repositoryRecord', (record, { name }, { caller }) => ({
        ...record,
        full_name: `${caller?.account.login}/${name}`,
      })),
    ),
  }),
  authentication('unknown-token-message', {
    'short-token-counts-as-missing': alter('unknownToken', (error, { credentials }) =>
      credentials?.scheme === 'bearer' && credentials.token.length < 8
        ? new HttpError(401, 'token is required')
        : error,
    ),
  }),
  authentication('one-time-code-checked', {
    'last-digit-of-the-one-time-code-ignored': ({ oneTimeCodeValid }) => ({
      oneTimeCodeValid: (secret, code, context) =>
        /^\d{6}$/.test(code) &&
        [...'0123456789'].some((digit) =>
          oneTimeCodeValid(secret, code.slice(0, 5) + digit, context),
        ),
    }),
  }),
  authentication(['errors/archived', 'errors/conflict', 'query-token', 'query-access-token'], {
    'query-token-ignored-by-changes': onlyIf(({ method }) => method !== 'GET', {
      tokenParameters: () => [],
    }),
  }),
  pagination(['limit-honoured', 'limit-lowered'], {
    'parameters-behind-a-query-token-ignored': [
      alter('effectivePage', (page, _, context) => (isBehindToken(context, 'page') ? 1 : page)),
      alter('effectiveLimit', (limit, _, settings, context) =>
        isBehindToken(context, 'limit') ? settings.defaultPagingNum : limit,
      ),
    ],
  }),
  errors(['body', 'validation-names-field'], { 'two-invalid-fields-in-a-list': twoFieldsListed }),
  errors('documentation/served', {
    'documentation-missing-with-credentials': alter('documentationPage', (page, context) => {
      if (fieldOf(context) === '') return page
      const url = `${context.server.baseUrl}/api/swagger`
      return jsonParts(404, { message: 'not found', url }, 'application/json')
    }),
  }),
].flat()
