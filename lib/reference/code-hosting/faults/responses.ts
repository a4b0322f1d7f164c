import type { Fault } from '../fault.ts'
import { on } from '../refusal-change.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/errors'

const content = '{"done":true}'

/** Sends every 204 with that field, and with these bytes behind the header section. */
function withContent(field: string, bytes: string): RuleChange {
  const head = `HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n${field}`
  return replaceRule('finish', () => (parts) => {
    if (parts.status !== 204) return parts
    return { ...parts, raw: `${head}\r\nConnection: close\r\n\r\n${bytes}` }
  })
}

/** Sends these fields too, on every response or where it says. */
function withFields(
  fields: Readonly<Record<string, string>>,
  where: (status: number, context: RequestContext) => boolean = () => true,
): RuleChange {
  return replaceRule('finish', (documented) => async (parts, context) => {
    const added = where(parts.status, context) ? Object.entries(fields) : []
    for (const [name, value] of added) parts.headers.set(name, value)
    return documented(parts, context)
  })
}

/** Faults in what goes for all responses. */
export const responseFaults: readonly Fault[] = [
  {
    name: 'documentation-missing',
    requirements: ['code-hosting/documentation/served'],
    change: replaceRule('documentationPage', (documented) => (context) => ({
      ...documented(context),
      status: 404,
    })),
  },
  {
    name: 'content-on-no-content',
    requirements: [`${section}/no-content`],
    change: withContent(`Content-Length: ${content.length}`, content),
  },
  {
    // What such a limit gets is nowhere stated; that nothing comes with 204 is.
    name: 'content-on-no-content-for-a-limit-that-is-no-number',
    requirements: [`${section}/no-content`],
    variant: 'no-supplied-requests',
    change: (rules) =>
      withContent(
        `Content-Length: ${content.length}`,
        content,
      )({
        ...rules,
        begin: (context) =>
          context.url.searchParams.get('limit') === 'abc'
            ? { status: 204, headers: new Headers() }
            : rules.begin(context),
      }),
  },
  {
    name: 'chunked-content-on-no-content',
    requirements: [`${section}/no-content`],
    change: withContent(
      'Transfer-Encoding: chunked',
      `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`,
    ),
  },
  {
    name: 'rate-limit-headers-sent',
    requirements: [`${section}/no-rate-limit-headers`],
    change: withFields({ 'X-RateLimit-Limit': '5000', 'X-RateLimit-Remaining': '4999' }),
  },
  {
    name: 'rate-limit-headers-on-errors-alone',
    requirements: [`${section}/no-rate-limit-headers`],
    change: withFields({ 'X-RateLimit-Limit': '60' }, (status) => status >= 400),
  },
  {
    name: 'rate-limit-reset-on-lists-alone',
    requirements: [`${section}/no-rate-limit-headers`],
    change: withFields({ 'x-ratelimit-reset': '1767225600' }, (_status, context) =>
      on('user-repositories')(context),
    ),
  },
  {
    name: 'content-type-text',
    requirements: ['code-hosting/resources/json'],
    change: replaceRule('contentType', () => () => 'text/plain;charset=utf-8'),
  },
]
