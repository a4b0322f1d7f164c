import type { Fault } from '../fault.ts'
import { logins } from '../population.ts'
import { on, refusedWith } from '../refusal-change.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/authentication'

/** Takes any token, sent in that way, for one of the main account. */
function anyTokenTaken(scheme: 'query' | 'legacy'): RuleChange {
  return replaceRule('tokenWithValue', (documented) => (value, context) => {
    const known = documented(value, context)
    if (known !== undefined || context.credentials?.scheme !== scheme) return known
    return { id: 0, login: logins.main, name: 'any', scopes: ['all'], value }
  })
}

/** Faults in what becomes of tokens and passwords that are not right. */
export const invalidCredentialsFaults: readonly Fault[] = [
  ...[403, 404].map((status) => ({
    name: `unknown-token-answered-with-${status}`,
    requirements: [`${section}/unknown-token`],
    change: refusedWith('unknownToken', { status }),
  })),
  {
    name: 'unknown-token-answered-with-404-on-a-repository',
    requirements: [`${section}/unknown-token`],
    change: refusedWith('unknownToken', { status: 404 }, on('repository')),
  },
  {
    name: 'unknown-token-error-sent-with-200-on-the-list',
    requirements: [`${section}/unknown-token`],
    change: refusedWith('unknownToken', { status: 200 }, on('user-repositories')),
  },
  {
    name: 'unknown-token-accepted-in-the-query',
    requirements: [`${section}/unknown-token`],
    change: anyTokenTaken('query'),
  },
  {
    name: 'unknown-token-accepted-with-the-legacy-prefix',
    requirements: [`${section}/unknown-token`],
    change: anyTokenTaken('legacy'),
  },
  {
    name: 'token-known-by-its-last-eight-characters',
    requirements: [`${section}/unknown-token`],
    change: replaceRule(
      'tokenWithValue',
      () => (value, context) =>
        context.deployment.store
          .tokens()
          .find((token) => token.value.slice(-8) === value.slice(-8)),
    ),
  },
  {
    name: 'wrong-unknown-token-message',
    requirements: [`${section}/unknown-token-message`],
    change: refusedWith('unknownToken', { message: 'token does not exist' }),
  },
  {
    name: 'unknown-token-message-of-a-missing-one',
    requirements: [`${section}/unknown-token-message`],
    change: refusedWith('unknownToken', { message: 'token is required' }),
  },
  {
    name: 'unknown-token-message-with-full-stop',
    requirements: [`${section}/unknown-token-message`],
    change: refusedWith('unknownToken', ({ message }) => ({ message: `${message}.` })),
  },
  {
    name: 'unknown-token-message-right-on-the-user-alone',
    requirements: [`${section}/unknown-token-message`],
    change: refusedWith(
      'unknownToken',
      { message: 'invalid token' },
      on('user-repositories', 'repository'),
    ),
  },
  ...[403, 404].map((status) => ({
    name: `wrong-password-answered-with-${status}`,
    requirements: [`${section}/wrong-password`],
    change: refusedWith('wrongPassword', { status }),
  })),
  {
    name: 'wrong-password-accepted',
    requirements: [`${section}/wrong-password`],
    change: replaceRule('passwordHolds', () => () => true),
  },
  {
    name: 'wrong-password-accepted-for-token-creation',
    requirements: [`${section}/wrong-password`],
    change: replaceRule(
      'passwordHolds',
      (documented) => (account, password, context) =>
        context.endpoint === 'create-token' || documented(account, password, context),
    ),
  },
  {
    name: 'wrong-wrong-password-message',
    requirements: [`${section}/wrong-password-message`],
    change: refusedWith('wrongPassword', { message: 'wrong password' }),
  },
  {
    name: 'wrong-password-message-empty',
    requirements: [`${section}/wrong-password-message`],
    change: refusedWith('wrongPassword', { message: '' }),
  },
  {
    name: 'wrong-password-message-in-another-case',
    requirements: [`${section}/wrong-password-message`],
    change: refusedWith('wrongPassword', { message: 'Invalid username, password or token' }),
  },
  {
    name: 'wrong-password-message-of-missing-credentials',
    requirements: [`${section}/wrong-password-message`],
    change: refusedWith('wrongPassword', { message: 'token is required' }),
  },
]
