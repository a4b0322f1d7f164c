import type { Fault } from '../fault.ts'
import { logins } from '../population.ts'
import { on, refusedWith } from '../refusal-change.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/authentication'

const publicRepositoryShown = replaceRule('anonymousCaller', (documented) => (context) => {
  const account = context.deployment.store.account(logins.other)
  if (context.endpoint !== 'repository' || account === undefined) return documented(context)
  return { account, actor: account, scopes: ['read:repository', 'public-only'] }
})

/** Faults in what becomes of requests without credentials. */
export const missingCredentialsFaults: readonly Fault[] = [
  {
    name: 'missing-credentials-answered-with-403',
    requirements: [`${section}/missing-credentials`],
    change: refusedWith('missingCredentials', { status: 403 }),
  },
  {
    name: 'missing-credentials-answered-with-a-redirect',
    requirements: [`${section}/missing-credentials`],
    change: refusedWith('missingCredentials', { status: 303 }),
  },
  {
    name: 'missing-credentials-answered-with-404-on-a-repository',
    requirements: [`${section}/missing-credentials`],
    change: refusedWith('missingCredentials', { status: 404 }, on('repository')),
  },
  {
    name: 'missing-credentials-answered-with-403-on-token-creation',
    requirements: [`${section}/missing-credentials`],
    change: refusedWith('missingCredentials', { status: 403 }, on('create-token')),
  },
  {
    name: 'missing-credentials-error-sent-with-200-on-the-user',
    requirements: [`${section}/missing-credentials`],
    change: refusedWith('missingCredentials', { status: 200 }, on('user')),
  },
  {
    name: 'public-repository-shown-without-credentials',
    requirements: [`${section}/missing-credentials`],
    change: publicRepositoryShown,
  },
  {
    // The token is overlooked, as it is to be: the server is wrong in one thing, and not in two.
    name: 'public-repository-shown-with-a-disabled-query-token',
    requirements: [`${section}/missing-credentials`],
    variant: 'query-disabled',
    change: publicRepositoryShown,
  },
  {
    name: 'wrong-missing-credentials-message',
    requirements: [`${section}/missing-credentials-message`],
    change: refusedWith('missingCredentials', { message: 'authentication required' }),
  },
  {
    name: 'missing-credentials-message-in-another-case',
    requirements: [`${section}/missing-credentials-message`],
    change: refusedWith('missingCredentials', { message: 'Token is required' }),
  },
  {
    name: 'missing-credentials-message-with-full-stop',
    requirements: [`${section}/missing-credentials-message`],
    change: refusedWith('missingCredentials', ({ message }) => ({ message: `${message}.` })),
  },
  {
    name: 'missing-credentials-message-right-on-the-user-alone',
    requirements: [`${section}/missing-credentials-message`],
    change: refusedWith(
      'missingCredentials',
      { message: 'only signed in users are allowed here' },
      on('user-repositories', 'repository'),
    ),
  },
]
