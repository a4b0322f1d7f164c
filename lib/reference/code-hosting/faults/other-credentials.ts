import { refuse } from '../../http/refusal.ts'
import type { Fault } from '../fault.ts'
import { logins } from '../population.ts'
import { on, refusedWith } from '../refusal-change.ts'
import type { Endpoint } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/authentication'

const variant = 'query-disabled'

function passwordRefusedOn(endpoint: Endpoint): RuleChange {
  return replaceRule('passwordHolds', (documented) => (account, password, context) => {
    // The other accounts' passwords are what rows about something else rest on.
    if (context.endpoint === endpoint && account.login === logins.main) return false
    return documented(account, password, context)
  })
}

/** Looks for tokens in other parameters of the query. */
function parameters(names: readonly string[], ...endpoints: readonly Endpoint[]): RuleChange {
  return replaceRule('tokenParameters', (documented) => (settings, context) => {
    const everywhere = endpoints.length === 0
    return everywhere || on(...endpoints)(context) ? names : documented(settings, context)
  })
}

/** Faults in passwords and in tokens in the query. */
export const otherCredentialsFaults: readonly Fault[] = [
  {
    name: 'basic-refused',
    requirements: [`${section}/basic`],
    change: passwordRefusedOn('user'),
  },
  {
    name: 'basic-refused-on-the-list',
    requirements: [`${section}/basic`],
    change: passwordRefusedOn('user-repositories'),
  },
  {
    name: 'basic-refused-on-a-repository',
    requirements: [`${section}/basic`],
    change: passwordRefusedOn('repository'),
  },
  {
    name: 'basic-answered-with-404-on-the-list',
    requirements: [`${section}/basic`],
    change: replaceRule('effectivePage', (documented) => (requested, context) => {
      const { caller, credentials } = context
      if (credentials?.scheme === 'basic' && caller?.actor.login === logins.main) {
        refuse({ status: 404, message: 'not found' })
      }
      return documented(requested, context)
    }),
  },
  {
    name: 'query-token-refused',
    requirements: [`${section}/query-token`],
    change: parameters(['access_token']),
  },
  {
    name: 'query-token-refused-on-the-list',
    requirements: [`${section}/query-token`],
    change: parameters(['access_token'], 'user-repositories'),
  },
  {
    name: 'query-access-token-refused',
    requirements: [`${section}/query-access-token`],
    change: parameters(['token']),
  },
  {
    name: 'query-access-token-refused-on-a-repository',
    requirements: [`${section}/query-access-token`],
    change: parameters(['token'], 'repository'),
  },
  {
    name: 'query-tokens-refused-although-allowed',
    requirements: [`${section}/query-token`, `${section}/query-access-token`],
    change: parameters([]),
  },
  {
    name: 'disabled-query-token-accepted',
    requirements: [`${section}/query-disabled`],
    variant,
    change: parameters(['token']),
  },
  {
    name: 'disabled-query-access-token-accepted',
    requirements: [`${section}/query-disabled`],
    variant,
    change: parameters(['access_token']),
  },
  {
    name: 'disabled-query-access-token-accepted-on-the-list',
    requirements: [`${section}/query-disabled`],
    variant,
    change: parameters(['access_token'], 'user-repositories'),
  },
  {
    name: 'disabled-query-token-answered-with-403',
    requirements: [`${section}/query-disabled`],
    variant,
    change: refusedWith('missingCredentials', { status: 403 }, ({ url }) =>
      ['token', 'access_token'].some((name) => url.searchParams.has(name)),
    ),
  },
]
