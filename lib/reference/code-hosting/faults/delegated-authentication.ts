import { TOTP } from 'otpauth'
import type { Fault } from '../fault.ts'
import { refusedWith } from '../refusal-change.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/authentication'

/** Faults in sudo. */
const sudoFaults: readonly Fault[] = [
  {
    name: 'sudo-for-everyone',
    requirements: [`${section}/sudo-admin-only`],
    change: replaceRule('sudoAllowed', () => () => true),
  },
  {
    name: 'sudo-for-everyone-by-query',
    requirements: [`${section}/sudo-admin-only`],
    change: replaceRule(
      'sudoAllowed',
      (documented) => (actor, context) =>
        context.url.searchParams.has('sudo') || documented(actor, context),
    ),
  },
  {
    name: 'sudo-for-everyone-on-the-list',
    requirements: [`${section}/sudo-admin-only`],
    change: replaceRule(
      'sudoAllowed',
      (documented) => (actor, context) =>
        context.endpoint === 'user-repositories' || documented(actor, context),
    ),
  },
  {
    name: 'sudo-of-others-ignored',
    requirements: [`${section}/sudo-admin-only`],
    change: replaceRule('sudoLogin', (documented) => (context) => {
      return context.caller?.actor.siteAdmin === true ? documented(context) : undefined
    }),
  },
  ...[401, 404].map((status) => ({
    name: `sudo-of-others-answered-with-${status}`,
    requirements: [`${section}/sudo-admin-only`],
    change: refusedWith('sudoRefused', { status }),
  })),
  {
    name: 'sudo-refused-to-the-site-admin',
    requirements: [`${section}/sudo-header`, `${section}/sudo-query`],
    change: replaceRule('sudoAllowed', () => () => false),
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
    name: 'sudo-changes-nothing-on-the-list',
    requirements: [`${section}/sudo-header`, `${section}/sudo-query`],
    change: replaceRule('performedAs', (documented) => (actor, named, context) => {
      return context.endpoint === 'user-repositories' ? actor : documented(actor, named, context)
    }),
  },
]

/** Faults in one-time codes. */
const oneTimeCodeFaults: readonly Fault[] = [
  {
    name: 'one-time-code-ignored',
    requirements: [`${section}/one-time-code-required`, `${section}/one-time-code-checked`],
    change: replaceRule('oneTimeCodeNeeded', () => () => false),
  },
  {
    name: 'one-time-code-checked-where-there-is-one',
    requirements: [`${section}/one-time-code-required`],
    change: replaceRule(
      'oneTimeCodeNeeded',
      (documented) => (account, context) =>
        context.headers.has('X-Service-OTP') && documented(account, context),
    ),
  },
  {
    name: 'missing-one-time-code-error-sent-with-201',
    requirements: [`${section}/one-time-code-required`],
    change: refusedWith('missingOneTimeCode', { status: 201 }),
  },
  {
    name: 'one-time-code-not-checked',
    requirements: [`${section}/one-time-code-checked`],
    change: replaceRule('oneTimeCodeValid', () => () => true),
  },
  {
    name: 'one-time-code-of-zeros-accepted',
    requirements: [`${section}/one-time-code-checked`],
    change: replaceRule(
      'oneTimeCodeValid',
      (documented) => (secret, code, context) =>
        code === '000000' || documented(secret, code, context),
    ),
  },
  {
    name: 'one-time-codes-accepted-for-hours',
    requirements: [`${section}/one-time-code-checked`],
    change: replaceRule('oneTimeCodeValid', () => (secret, code) => {
      return new TOTP({ secret }).validate({ token: code, window: 360 }) !== null
    }),
  },
  {
    name: 'one-time-code-never-accepted',
    requirements: [`${section}/one-time-code-accepted`],
    change: replaceRule('oneTimeCodeValid', () => () => false),
  },
  {
    name: 'token-created-with-200-with-a-one-time-code',
    requirements: [`${section}/one-time-code-accepted`],
    change: replaceRule('createdTokenStatus', (documented) => (context) => {
      return context.headers.has('X-Service-OTP') ? 200 : documented(context)
    }),
  },
]

/** Faults in sudo and in one-time codes. */
export const delegatedAuthenticationFaults: readonly Fault[] = [...sudoFaults, ...oneTimeCodeFaults]
