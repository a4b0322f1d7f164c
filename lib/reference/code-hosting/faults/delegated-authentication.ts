import type { Fault } from '../fault.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/authentication'

/** Faults in sudo and in one-time codes. */
export const delegatedAuthenticationFaults: readonly Fault[] = [
  {
    name: 'sudo-for-everyone',
    requirements: [`${section}/sudo-admin-only`],
    change: replaceRule('sudoAllowed', () => () => true),
  },
  {
    name: 'sudo-header-ignored',
    requirements: [`${section}/sudo-header`, `${section}/sudo-admin-only`],
    change: replaceRule(
      'sudoLogin',
      () => (context) => context.url.searchParams.get('sudo') ?? undefined,
    ),
  },
  {
    name: 'sudo-query-ignored',
    requirements: [`${section}/sudo-query`, `${section}/sudo-admin-only`],
    change: replaceRule('sudoLogin', () => (context) => context.headers.get('Sudo') ?? undefined),
  },
  {
    name: 'sudo-changes-nothing',
    requirements: [`${section}/sudo-header`, `${section}/sudo-query`],
    change: replaceRule('performedAs', () => (actor) => actor),
  },
  {
    name: 'one-time-code-ignored',
    requirements: [`${section}/one-time-code-required`, `${section}/one-time-code-checked`],
    change: replaceRule('oneTimeCodeNeeded', () => () => false),
  },
  {
    name: 'one-time-code-not-checked',
    requirements: [`${section}/one-time-code-checked`],
    change: replaceRule('oneTimeCodeValid', () => () => true),
  },
  {
    name: 'one-time-code-never-accepted',
    requirements: [`${section}/one-time-code-accepted`],
    change: replaceRule('oneTimeCodeValid', () => () => false),
  },
]
