import { failingOnce } from '../failing-once.ts'
import type { Fault } from '../fault.ts'
import type { Endpoint } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/errors'

/** The first request to the endpoint is answered with 500 and this message. */
function failingWith(endpoint: Endpoint, message: (error: Error) => string): RuleChange {
  return (rules) => ({
    ...failingOnce(endpoint, 'the database is locked')(rules),
    serverError: (error) => ({ status: 500, message: message(error as Error) }),
  })
}

/** The same with another JSON value as the body. */
function failingWithBody(make: (url: string) => unknown): RuleChange {
  return (rules) => ({
    ...failingOnce('user-repositories', 'the database is locked')(rules),
    errorBody: (refusal, link, context) =>
      refusal.status === 500 ? make(link) : rules.errorBody(refusal, link, context),
  })
}

/** Faults in what is told about a mistake of the server. Each shows in a single response. */
export const serverErrorFaults: readonly Fault[] = [
  {
    name: 'server-error-message-shown',
    requirements: [`${section}/server-error-message`],
    change: failingWith('user-repositories', ({ message }) => message),
  },
  {
    name: 'server-error-message-with-a-stack-trace-on-a-repository',
    requirements: [`${section}/server-error-message`],
    change: failingWith('repository', (error) => String(error.stack)),
  },
  {
    name: 'server-error-message-internal-server-error',
    requirements: [`${section}/server-error-message`],
    change: failingWith('user-repositories', () => 'Internal Server Error'),
  },
  {
    name: 'server-error-message-null',
    requirements: [`${section}/body`],
    change: failingWithBody((url) => ({ message: null, url })),
  },
  {
    name: 'server-error-in-html',
    requirements: [`${section}/body`, 'code-hosting/resources/json'],
    change: (rules) =>
      replaceRule('finish', (documented) => async (parts, context) => {
        if (parts.status !== 500) return documented(parts, context)
        parts.headers.set('Content-Type', 'text/html')
        return { ...parts, body: '<h1>Internal Server Error</h1>' }
      })(failingOnce('user-repositories', 'the database is locked')(rules)),
  },
]
