import { failingOnce } from '../failing-once.ts'
import type { Fault } from '../fault.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/errors'

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
    change: replaceRule('finish', () => (parts) => {
      if (parts.status !== 204) return parts
      const content = '{"done":true}'
      const head = `HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\nContent-Length: ${content.length}\r\nConnection: close\r\n\r\n`
      return { ...parts, raw: head + content }
    }),
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
