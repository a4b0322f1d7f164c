import { jsonParts, type ResponseParts } from '../../http/response-parts.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const redirects = ['code-hosting/documentation/served/same-origin-redirects']

function redirection(status: number, location: string): ResponseParts {
  return { status, headers: new Headers({ Location: location }) }
}

/** Steps from a path and query below the base path to the next; the last shows the page. */
function documentationBehind(steps: Readonly<Record<string, [number, string]>>): RuleChange {
  return (rules) => ({
    ...rules,
    begin: (context) => {
      const { basePath } = context.deployment
      const place = context.url.href.slice((context.url.origin + basePath).length)
      const step = steps[place]
      if (step !== undefined) return redirection(step[0], step[1].replace(/^(?=\/)/, basePath))
      const last = Object.values(steps).at(-1)?.[1] ?? ''
      return place === last ? rules.documentationPage(context) : rules.begin(context)
    },
  })
}

/** The API documentation at other places, to which `/api/swagger` leads. */
export const documentationVariants: readonly Variant[] = [
  {
    name: 'documentation-redirected',
    tolerances: redirects,
    change: documentationBehind({ '/api/swagger': [302, '/api/swagger?page=index'] }),
  },
  {
    name: 'documentation-for-known-callers',
    tolerances: ['code-hosting/documentation/served/credentials-needed'],
    change: replaceRule(
      'needsCaller',
      (documented) => (context) => context.endpoint === 'documentation' || documented(context),
    ),
  },
  {
    name: 'documentation-as-openapi',
    change: replaceRule('documentationPage', () => () => {
      const description = { openapi: '3.1.0', info: { title: 'Code hosting' }, paths: {} }
      return jsonParts(200, description, 'application/vnd.oai.openapi+json')
    }),
  },
  {
    name: 'web-page-at-unknown-paths',
    change: replaceRule('begin', (documented) => (context) => {
      if (context.endpoint !== 'unknown') return documented(context)
      const headers = new Headers({ 'Content-Type': 'text/html' })
      return { status: 200, headers, body: '<!doctype html><script src="/app.js"></script>' }
    }),
  },
  {
    name: 'one-page-at-all-other-paths-inconclusive',
    verdict: 'inconclusive',
    change: (rules) => ({
      ...rules,
      begin: (context) =>
        context.endpoint === 'unknown' ? rules.documentationPage(context) : rules.begin(context),
    }),
  },
  {
    name: 'documentation-at-the-end-of-a-chain',
    tolerances: redirects,
    change: documentationBehind({
      '/api/swagger': [301, '/api/swagger/'],
      '/api/swagger/': [302, 'ui'],
      '/api/swagger/ui': [307, '?version=v1'],
      '/api/swagger/ui?version=v1': [308, '/docs/index.html'],
    }),
  },
]
