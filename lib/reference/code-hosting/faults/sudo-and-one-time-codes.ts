import { TOTP } from 'otpauth'
import { faultsOf } from '../../service.ts'
import { asking, on, refused, where } from '../changes.ts'
import type { RequestContext } from '../request-context.ts'
import type { Rules } from '../rules.ts'

const hasOneTimeCode = ({ headers }: RequestContext) => headers.has('X-Service-OTP')

/** Faults in acting as somebody else, and in two-factor authentication. */
export const sudoAndOneTimeCodeFaults = faultsOf<Rules>('code-hosting/authentication', {
  'sudo-admin-only': {
    'sudo-for-everyone': { sudoAllowed: () => true },
    'sudo-for-everyone-by-query': where(asking('sudo'), {
      sudoAllowed: () => true,
    }),
    'sudo-for-everyone-on-the-list': on('user-repositories', { sudoAllowed: () => true }),
    'sudo-of-others-ignored': where(({ caller }) => caller?.actor.siteAdmin !== true, {
      sudoLogin: () => undefined,
    }),
    'sudo-of-others-answered-with-401': refused('sudoRefused', { status: 401 }),
    'sudo-of-others-answered-with-404': refused('sudoRefused', { status: 404 }),
  },
  'sudo-header + sudo-query': {
    'sudo-refused-to-the-site-admin': { sudoAllowed: () => false },
    'sudo-changes-nothing': { performedAs: (actor) => actor },
    'sudo-changes-nothing-on-the-list': on('user-repositories', { performedAs: (actor) => actor }),
  },
  'sudo-header + sudo-admin-only': {
    'sudo-header-ignored': { sudoLogin: ({ url }) => url.searchParams.get('sudo') ?? undefined },
  },
  'sudo-query + sudo-admin-only': {
    'sudo-query-ignored': { sudoLogin: ({ headers }) => headers.get('Sudo') ?? undefined },
  },
  'one-time-code-required': {
    'one-time-code-checked-where-there-is-one': where((context) => !hasOneTimeCode(context), {
      oneTimeCodeNeeded: () => false,
    }),
    'missing-one-time-code-error-sent-with-201': refused('missingOneTimeCode', { status: 201 }),
  },
  'one-time-code-required + one-time-code-checked': {
    'one-time-code-ignored': { oneTimeCodeNeeded: () => false },
  },
  'one-time-code-checked': {
    'one-time-code-not-checked': { oneTimeCodeValid: () => true },
    'one-time-code-of-zeros-accepted': (rules) => ({
      oneTimeCodeValid: (secret, code, context) =>
        code === '000000' || rules.oneTimeCodeValid(secret, code, context),
    }),
    'one-time-codes-accepted-for-hours': {
      oneTimeCodeValid: (secret, token) =>
        new TOTP({ secret }).validate({ token, window: 360 }) !== null,
    },
  },
  'one-time-code-accepted': {
    'one-time-code-never-accepted': { oneTimeCodeValid: () => false },
    'token-created-with-200-with-a-one-time-code': where(hasOneTimeCode, {
      createdTokenStatus: () => 200,
    }),
  },
})
