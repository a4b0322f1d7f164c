// Faults of one feature that show only with a level of another factor.

import { HttpError, jsonParts } from '../../http.ts'
import { fromSecondOn } from '../../keyed-changes.ts'
import {
  alter,
  alterParts,
  authentication,
  errors,
  hasQuery,
  isBearerInOtherLetters,
  list,
  on,
  onlyIf,
  pagination,
  type RuleChange,
  scopes,
  serverError,
  underSudo,
} from '../changes.ts'
import type { RequestContext } from '../server.ts'
import { inPages } from './scopes.ts'
import { remembering } from './sequences.ts'

const fieldOf = ({ headers }: RequestContext): string => headers.get('Authorization') ?? ''

/** Ignores a parameter that follows a token in the query. */
const isBehindToken = ({ credentials, url }: RequestContext, parameter: string) =>
  credentials?.scheme === 'query' &&
  new RegExp(`[?&](access_)?token=[^&]*(&.*)?&${parameter}=`).test(url.search)

const twoFieldsListed: RuleChange = (rules) => {
  const contents = new WeakMap<RequestContext, string>()
  return {
    begin: (context) => {
      if (context.endpoint === 'create-token') {
        context.text().then(
          (content) => contents.set(context, content),
          () => undefined,
        )
      }
      return rules.begin(context)
    },
    errorBody: (error, link, context) => {
      const content = contents.get(context)
      if (error.status !== 422 || content === undefined) {
        return rules.errorBody(error, link, context)
      }
      const { name, scopes } = JSON.parse(content)
      if (name || Array.isArray(scopes)) return rules.errorBody(error, link, context)
      return { message: ['name: is not valid', 'scopes: is not valid'], url: link }
    },
  }
}

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
  pagination('exposed-headers', {
    'exposed-headers-of-another-layer-with-origin': alterParts(({ headers }, context) => {
      if (context.paging && context.headers.has('Origin')) {
        headers.set('Access-Control-Expose-Headers', 'Link, X-Total-Count')
      }
      return undefined
    }),
  }),
  pagination(['page-header', 'per-page-header', 'has-more-header', 'total-count'], {
    'page-headers-missing-on-empty-lists': alterParts(({ headers }, { paging }) => {
      const names = ['X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore']
      if (paging?.total === 0) for (const name of names) headers.delete(name)
      return undefined
    }),
  }),
  pagination('resources/listed-repository', {
    'archived-repositories-listed-under-another-name': on(
      list,
      alter('repositoryRecord', (record, { owner, name, archived }) =>
        archived ? { ...record, full_name: `${owner}/${name}.archived` } : record,
      ),
    ),
  }),
  scopes(inPages('limit-lowered', 'limit-not-positive', 'link-targets'), {
    'public-only-lifted-from-the-list-by-sudo': on(
      list,
      onlyIf(underSudo, { publicOnlyHides: () => false }),
    ),
  }),
  scopes(inPages('limit-lowered'), {
    'public-only-lifted-from-the-list-by-access-token-parameter': on(
      list,
      onlyIf(hasQuery('access_token'), { publicOnlyHides: () => false }),
    ),
  }),
  scopes('write-includes-read', {
    'write-scope-ignored-beside-a-read-scope': alter('grants', (grants, granted, anyOf) => {
      const hasRead = granted.some((scope) => scope.startsWith('read:'))
      if (!hasRead || granted.includes('all')) return grants
      return anyOf.some((scope) => granted.includes(scope))
    }),
  }),
  scopes('changes-need-write', {
    'write-scope-of-another-category-lets-read-scope-write': alter(
      'grants',
      (grants, granted, anyOf) =>
        grants ||
        (granted.some((scope) => scope.startsWith('write:')) &&
          anyOf.some((scope) => granted.includes(scope.replace(/^write:/, 'read:')))),
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
  authentication('wrong-password', {
    'password-cut-at-colon': alter(
      'passwordHolds',
      (holds, account, password) => holds || password.split(':')[0] === account.password,
    ),
  }),
  authentication('unusable-credentials', {
    'basic-without-colon-fails': alter('wrongPassword', (error, context) => {
      const [, encoded = ''] = fieldOf(context).split(' ')
      return Buffer.from(encoded, 'base64').toString().includes(':') ? error : serverError
    }),
  }),
  authentication('unknown-token', {
    'short-token-malformed': alter('unknownToken', (error, { credentials }) =>
      credentials && 'token' in credentials && credentials.token.length < 20
        ? new HttpError(400, 'malformed token')
        : error,
    ),
  }),
  authentication(['sudo-header', 'sudo-query'], {
    'sudo-ignored-with-bearer-in-other-letters': onlyIf(isBearerInOtherLetters, {
      sudoLogin: () => undefined,
    }),
  }),
  errors('conflict', {
    'repeated-conflict-fails': ({ repositoryExists }) => ({
      repositoryExists: fromSecondOn(
        repositoryExists,
        () => serverError,
        (name) => name,
      ),
    }),
  }),
  errors('body', {
    'validation-error-of-scopes-without-url': alter('errorBody', (body, { status, message }) =>
      status === 422 && message.startsWith('scopes') ? { message, errors: [message] } : body,
    ),
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
  authentication('unknown-token', {
    'last-eight-of-a-token-accepted': alter(
      'tokenWithValue',
      (token, value, { server }) =>
        token ??
        (value.length === 8
          ? server.store.tokens.find((one) => one.value.endsWith(value))
          : undefined),
    ),
  }),
  authentication('unknown-token-message', {
    'short-token-counts-as-missing': alter('unknownToken', (error, { credentials }) =>
      credentials?.scheme === 'bearer' && credentials.token.length < 8
        ? new HttpError(401, 'token is required')
        : error,
    ),
  }),
  authentication('wrong-password', {
    'password-trimmed-at-its-end': alter(
      'passwordHolds',
      (holds, account, password) => holds || account.password === password.trimEnd(),
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
  authentication(['errors/archived', 'errors/conflict'], {
    'query-token-ignored-by-changes': onlyIf(({ method }) => method !== 'GET', {
      tokenParameters: () => [],
    }),
  }),
  authentication('settings/values', {
    'settings-in-mebibytes-for-administrators': alter(
      'settingsRecord',
      (record, settings, { caller }) =>
        caller?.account.siteAdmin
          ? { ...Object(record), default_max_blob_size: settings.defaultMaxBlobSize / 2 ** 20 }
          : record,
    ),
  }),
  pagination('link-targets', {
    'previous-link-to-the-first-page-without-limit': alter(
      'linkRelations',
      (relations, { page: number }, { url }) =>
        relations.map(({ relation, page }) => {
          const isWrong = relation === 'prev' && number >= 3 && !url.searchParams.has('limit')
          return { relation, page: isWrong ? 1 : page }
        }),
    ),
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
