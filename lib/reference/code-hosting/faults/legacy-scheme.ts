import type { Fault } from '../fault.ts'
import { on, refusedWith } from '../refusal-change.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/authentication'

const variant = 'legacy-disabled'

/** Takes the `token` prefix, written in a way that matches, for a scheme of no known form. */
function refused(
  written: RegExp,
  where: (context: RequestContext) => boolean = () => true,
): RuleChange {
  return replaceRule('schemeOf', (documented) => (prefix, context) => {
    const scheme = documented(prefix, context)
    return scheme === 'legacy' && written.test(prefix) && where(context) ? undefined : scheme
  })
}

function prefixOf({ headers }: RequestContext): string | undefined {
  return headers.get('Authorization')?.split(' ')[0]
}

/** Faults in the `token` prefix where it is allowed. */
const allowedFaults: readonly Fault[] = [
  {
    name: 'legacy-refused',
    requirements: [`${section}/legacy-accepted`],
    change: replaceRule('legacySchemeAllowed', () => () => false),
  },
  {
    name: 'legacy-refused-on-a-repository',
    requirements: [`${section}/legacy-accepted`],
    change: refused(/./, on('repository')),
  },
  {
    name: 'legacy-refused-on-the-list',
    requirements: [`${section}/legacy-accepted`],
    change: refused(/./, on('user-repositories')),
  },
  {
    name: 'legacy-prefix-case-sensitive',
    requirements: [`${section}/legacy-case-insensitive`],
    change: refused(/^(?!token$)/),
  },
  {
    name: 'legacy-prefix-refused-in-title-case',
    requirements: [`${section}/legacy-case-insensitive`],
    change: refused(/^Token$/),
  },
  {
    name: 'legacy-prefix-refused-in-upper-case',
    requirements: [`${section}/legacy-case-insensitive`],
    change: refused(/^TOKEN$/),
  },
]

/** Faults in the `token` prefix where it is disabled. */
const disabledFaults: readonly Fault[] = [
  {
    name: 'disabled-legacy-accepted',
    requirements: [`${section}/legacy-disabled`],
    variant,
    change: replaceRule('legacySchemeAllowed', () => () => true),
  },
  {
    name: 'disabled-legacy-accepted-in-upper-case',
    requirements: [`${section}/legacy-disabled`],
    variant,
    change: replaceRule('legacySchemeAllowed', () => (_settings, context) => {
      return prefixOf(context) === 'TOKEN'
    }),
  },
  {
    name: 'disabled-legacy-accepted-on-a-repository',
    requirements: [`${section}/legacy-disabled`],
    variant,
    change: replaceRule('legacySchemeAllowed', () => (_settings, context) => {
      return context.endpoint === 'repository'
    }),
  },
  {
    name: 'disabled-legacy-answered-with-403',
    requirements: [`${section}/legacy-disabled`],
    variant,
    change: refusedWith('legacyDisabled', { status: 403 }),
  },
  {
    name: 'disabled-legacy-message-of-an-unknown-token',
    requirements: [`${section}/legacy-disabled-message`],
    variant,
    change: refusedWith('legacyDisabled', { message: 'invalid username, password or token' }),
  },
  {
    name: 'disabled-legacy-message-with-full-stop',
    requirements: [`${section}/legacy-disabled-message`],
    variant,
    change: refusedWith('legacyDisabled', ({ message }) => ({ message: `${message}.` })),
  },
  {
    name: 'disabled-legacy-message-with-other-quotes',
    requirements: [`${section}/legacy-disabled-message`],
    variant,
    change: refusedWith('legacyDisabled', ({ message }) => ({
      message: message.replaceAll("'", '"'),
    })),
  },
  {
    name: 'disabled-legacy-message-right-on-the-user-alone',
    requirements: [`${section}/legacy-disabled-message`],
    variant,
    change: refusedWith(
      'legacyDisabled',
      { message: 'token is required' },
      on('user-repositories', 'repository'),
    ),
  },
]

/** Faults in the `token` prefix of the `Authorization` header. */
export const legacySchemeFaults: readonly Fault[] = [...allowedFaults, ...disabledFaults]
