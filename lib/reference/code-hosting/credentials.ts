import type { Credentials, RequestContext } from './request-context.ts'
import type { Rules } from './rules.ts'

function basicCredentials(encoded: string): Credentials {
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 0) return { scheme: 'unusable' }
  return {
    scheme: 'basic',
    username: decoded.slice(0, colon),
    password: decoded.slice(colon + 1),
  }
}

/** What the request presents: the header (RFC 9110, 11.6.2) goes before the query. */
export function presentedCredentials(rules: Rules, context: RequestContext): Credentials {
  const field = context.headers.get('Authorization')
  if (field !== null) {
    const [, prefix = '', rest = ''] = /^(\S+) +(.*)$/.exec(field.trim()) ?? []
    const scheme = rules.schemeOf(prefix, context)
    if (scheme === undefined || rest === '') return { scheme: 'unusable' }
    return scheme === 'basic' ? basicCredentials(rest) : { scheme, token: rest }
  }
  for (const parameter of rules.tokenParameters(context.deployment.settings, context)) {
    const token = context.url.searchParams.get(parameter)
    if (token !== null && token !== '') return { scheme: 'query', token }
  }
  return { scheme: 'none' }
}
