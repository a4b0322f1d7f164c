import { failingOnce } from '../failing-once.ts'
import type { Fault } from '../fault.ts'
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
    name: 'chunked-content-on-no-content',
    requirements: [`${section}/no-content`],
    change: withContent(
      'Transfer-Encoding: chunked',
      `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`,
    ),
  },
  {
    name: 'server-error-message-shown',
    requirements: [`${section}/server-error-message`],
    change: (rules) => ({
      ...failingOnce('user-repositories', 'the database is locked')(rules),
      serverError: (error) => ({
        status: 500,
        message: error instanceof Error ? error.message : String(error),
      }),
    }),
  },
  {
    name: 'rate-limit-headers-sent',
    requirements: [`${section}/no-rate-limit-headers`],
    change: replaceRule('finish', () => (parts) => {
      parts.headers.set('X-RateLimit-Limit', '5000')
      parts.headers.set('X-RateLimit-Remaining', '4999')
      return parts
    }),
  },
  {
    name: 'content-type-text',
    requirements: ['code-hosting/resources/json'],
    change: replaceRule('contentType', () => () => 'text/plain;charset=utf-8'),
  },
]
