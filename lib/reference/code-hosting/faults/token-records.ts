import { createHash } from 'node:crypto'
import type { Fault } from '../fault.ts'
import { logins } from '../population.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/tokens'

/** Changes fields of the record that creation is answered with. */
function recordWith(change: (record: Readonly<Record<string, unknown>>) => object): RuleChange {
  return replaceRule('tokenRecord', (documented) => (token, lastEight, context) => {
    const record = Object(documented(token, lastEight, context))
    return { ...record, ...change(record) }
  })
}

function lastEightFault(name: string, lastEight: (value: string) => string): Fault {
  return {
    name,
    requirements: [`${section}/last-eight`],
    change: replaceRule('lastEight', () => lastEight),
  }
}

/** The token that the request was sent with. */
function sentToken({ credentials }: RequestContext): string | undefined {
  return credentials !== undefined && 'token' in credentials ? credentials.token : undefined
}

/** Faults in the records of tokens, and in where their values appear. */
export const tokenRecordFaults: readonly Fault[] = [
  {
    name: 'token-value-under-another-name',
    requirements: [`${section}/created`],
    change: recordWith(({ sha1 }) => ({ sha1: undefined, token: sha1 })),
  },
  {
    name: 'token-value-an-object',
    requirements: [`${section}/created`],
    change: recordWith(({ sha1 }) => ({ sha1: { value: sha1 } })),
  },
  {
    name: 'token-value-of-five-kilobytes',
    requirements: [`${section}/created`],
    change: recordWith(({ sha1 }) => ({ sha1: String(sha1).padStart(5000, 'f') })),
  },
  {
    name: 'last-eight-missing',
    requirements: [`${section}/created`, `${section}/last-eight`],
    change: recordWith(() => ({ token_last_eight: undefined })),
  },
  {
    name: 'last-eight-a-number',
    requirements: [`${section}/created`, `${section}/last-eight`],
    change: recordWith(({ token_last_eight: end }) => ({
      token_last_eight: Number.parseInt(String(end), 16),
    })),
  },
  lastEightFault('last-eight-is-first-eight', (value) => value.slice(0, 8)),
  lastEightFault('last-eight-is-last-seven', (value) => value.slice(-7)),
  lastEightFault('last-eight-is-last-nine', (value) => value.slice(-9)),
  lastEightFault('last-eight-without-the-last', (value) => value.slice(-9, -1)),
  lastEightFault('last-eight-behind-asterisks', (value) => `****${value.slice(-8)}`),
  lastEightFault('last-eight-of-a-hash', (value) =>
    createHash('sha256').update(value).digest('hex').slice(-8),
  ),
  {
    name: 'token-value-cut-short',
    requirements: [`${section}/authenticates`],
    change: recordWith(({ sha1 }) => ({ sha1: String(sha1).slice(1) })),
  },
  {
    name: 'token-value-is-a-hash-of-it',
    requirements: [`${section}/authenticates`],
    change: recordWith(({ sha1, token_last_eight: end }) => {
      const hash = createHash('sha1').update(String(sha1)).digest('hex')
      return { sha1: hash.slice(0, -8) + String(end) }
    }),
  },
  {
    name: 'token-authenticates-another-user',
    requirements: [`${section}/authenticates`, 'code-hosting/resources/user'],
    change: replaceRule('tokenWithValue', (documented) => (value, context) => {
      const token = documented(value, context)
      const others = context.endpoint === 'user' && token?.login === logins.main
      return others ? { ...token, login: logins.other } : token
    }),
  },
  {
    name: 'token-value-in-listing',
    requirements: [`${section}/value-shown-once`],
    change: replaceRule('repositoryRecord', (documented) => (repository, context) => {
      const record = documented(repository, context)
      const value = sentToken(context)
      if (context.endpoint !== 'user-repositories' || value === undefined) return record
      const address = context.deployment.baseUrl.replace('://', `://${value}@`)
      return {
        ...Object(record),
        clone_url: `${address}/${repository.owner}/${repository.name}.git`,
      }
    }),
  },
  {
    name: 'token-value-in-duplicate-name-message',
    requirements: [`${section}/value-shown-once`],
    change: replaceRule('duplicateTokenName', (documented) => (name, context) => {
      const refusal = documented(name, context)
      const token = context.deployment.store.tokens().find((other) => other.name === name)
      return { ...refusal, message: `${refusal.message} (${token?.value})` }
    }),
  },
  {
    name: 'token-value-in-the-user-record',
    requirements: [`${section}/value-shown-once`],
    change: replaceRule('userRecord', (documented) => (account, context) => ({
      ...Object(documented(account, context)),
      tokens: context.deployment.store
        .tokens()
        .filter(({ login }) => login === account.login)
        .map(({ name, value }) => ({ name, sha1: value })),
    })),
  },
  {
    name: 'token-value-in-a-cookie',
    requirements: [`${section}/value-shown-once`],
    change: replaceRule('finish', (documented) => async (parts, context) => {
      const value = sentToken(context)
      const signedIn = context.caller !== undefined && value !== undefined
      if (signedIn) parts.headers.set('Set-Cookie', `session=${value}; HttpOnly`)
      return documented(parts, context)
    }),
  },
]
