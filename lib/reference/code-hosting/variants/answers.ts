import { replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

/** Other answers where the document leaves a choice. */
export const answerVariants: readonly Variant[] = [
  {
    name: 'broken-json-422',
    change: replaceRule('malformedBody', (documented) => (reason, context) => ({
      ...documented(reason, context),
      status: 422,
    })),
  },
  {
    name: 'unknown-scope-422',
    change: replaceRule('unknownScope', (documented) => (scope, context) => ({
      ...documented(scope, context),
      status: 422,
    })),
  },
  {
    name: 'public-only-403',
    change: replaceRule('hiddenByPublicOnly', (documented) => (context) => ({
      ...documented(context),
      status: 403,
    })),
  },
  {
    name: 'public-only-alone-refused',
    change: replaceRule('scopesRefused', () => (scopes) => {
      if (scopes.some((scope) => scope !== 'public-only')) return undefined
      return { status: 400, message: 'public-only needs another scope beside it' }
    }),
  },
  {
    name: 'admin-scopes-for-everyone',
    change: replaceRule('mayGrant', () => () => true),
  },
  {
    name: 'scopes-separated-by-spaces',
    change: replaceRule('missingScope', (documented) => (required, granted, context) => ({
      ...documented(required, granted, context),
      message: `token does not have at least one of required scope(s), required=[${required.join(' ')}], token scope=${granted.join(' ')}`,
    })),
  },
  {
    name: 'one-time-codes-once',
    change: replaceRule('oneTimeCodeMayRepeat', () => () => false),
  },
  {
    name: 'documentation-redirected',
    change: replaceRule('documentationPage', (documented) => (context) => {
      if (context.url.searchParams.has('page')) return documented(context)
      const location = `${context.deployment.basePath}/api/swagger?page=index`
      return { status: 302, headers: new Headers({ Location: location }) }
    }),
  },
  {
    name: 'no-content-with-length-zero',
    change: replaceRule('finish', () => (parts) => {
      if (parts.status === 204) parts.headers.set('Content-Length', '0')
      return parts
    }),
  },
  {
    name: 'problem-media-type',
    change: replaceRule(
      'contentType',
      () => (status) => (status < 400 ? 'application/json' : 'application/problem+json'),
    ),
  },
  {
    name: 'warning-with-date',
    change: replaceRule('legacyHeaders', (documented) => (context) => {
      const headers = documented(context)
      const warning = headers.Warning ?? ''
      return { ...headers, Warning: `${warning} "Fri, 02 Jan 2026 00:00:00 GMT"` }
    }),
  },
]
