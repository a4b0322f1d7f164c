import { anyRejectionStatus, loginInAnyCase, movingData, requirements } from './define.ts'

const section = 'Sending a token'
const twoFactor = ['two-factor account', 'token creation', 'write requests'] as const

const actingTolerances = { ...loginInAnyCase, ...movingData }
const noChallenge = {
  'no-challenge': 'The 401 response may omit the WWW-Authenticate header field.',
}
const deprecationHeaders = {
  'deprecation-headers':
    'The response may include header fields that announce the deprecation of the parameter.',
}

const authenticationFailures = 'the table of authentication failures gives this text'
const sending = (rule: string) => `the table of ways to send a token ${rule}`
const announced = sending('has it on the responses that the deprecated scheme authenticates')

export const authentication = [
  ...requirements({ section: 'Errors' })({
    'code-hosting/authentication/missing-credentials': {
      statement:
        'An endpoint that requires credentials returns 401 for a request without credentials.',
      because: 'the table of endpoints requires credentials for {endpoint}',
      section: 'Authentication',
      controlNeeds: ['main account'],
      tolerances: noChallenge,
    },
    'code-hosting/authentication/missing-credentials-message': {
      statement: 'For a missing token, the message of the 401 response is "token is required".',
      because: authenticationFailures,
      level: 'wording',
      tolerances: {
        'other-text-without-password':
          'POST /users/{username}/tokens may return any message, because it accepts no token.',
      },
    },
    'code-hosting/authentication/unusable-credentials': {
      since: '0.2.0',
      statement: 'The server returns 401 for empty credentials and for an unknown scheme.',
      because: 'the table of errors has 401 for credentials that are missing or invalid',
      controlNeeds: ['main account'],
      tolerances: {
        ...noChallenge,
        'malformed-400': 'The server may return 400 for Basic credentials without a colon.',
        'any-message': 'The server may return any message.',
      },
    },
    'code-hosting/authentication/unknown-token': {
      statement: 'The server returns 401 for a token that does not exist.',
      controlNeeds: ['main account', 'token'],
      tolerances: noChallenge,
    },
    'code-hosting/authentication/unknown-token-message': {
      statement:
        'For a token that was never issued, the message of the 401 response is "invalid username, password or token".',
      because: authenticationFailures,
      level: 'wording',
      tolerances: {
        'query-token-required':
          'For a token in the query, the message may also be "token is required", because the request has no Authorization header.',
      },
    },
    'code-hosting/authentication/unknown-username': {
      since: '0.2.0',
      statement: 'The server returns 401 for an unknown username in Basic authentication.',
      because: 'the table of errors has 401 for invalid credentials',
      controlNeeds: ['main account password'],
      tolerances: noChallenge,
    },
    'code-hosting/authentication/wrong-password': {
      statement: 'The server returns 401 for a wrong password in Basic authentication.',
      needs: ['main account username'],
      controlNeeds: ['main account password'],
      tolerances: noChallenge,
    },
    'code-hosting/authentication/wrong-password-message': {
      statement:
        'For a wrong password, the message of the 401 response is "invalid username, password or token".',
      because: authenticationFailures,
      level: 'wording',
      needs: ['main account username'],
      tolerances: {
        'other-text-for-empty': 'For an empty password, the server may return any message.',
      },
    },
  }),
  ...requirements({ section, needs: ['main account', 'token'] })({
    'code-hosting/authentication/bearer':
      'A token in the Bearer scheme (Authorization: Bearer) authenticates the request.',
    'code-hosting/authentication/bearer-case-insensitive':
      'The server accepts the scheme name Bearer in any mix of uppercase and lowercase letters.',
    'code-hosting/authentication/bearer-not-deprecated': {
      checkedBy: ['invariant'],
      statement:
        'A response to the Bearer scheme does not carry the deprecation notice of the token scheme.',
      tolerances: {
        'other-warnings': 'The response may include a Warning about something else.',
        'deprecated-endpoint':
          'The response may announce with other values that the endpoint is deprecated.',
      },
    },
  }),
  ...requirements({
    section,
    needs: ['main account', 'token', 'enabled token scheme'],
    because: sending('has the deprecated scheme still working, in any letter case'),
  })({
    'code-hosting/authentication/legacy-accepted':
      'A token in the deprecated token scheme (Authorization: token) still authenticates the request unless ALLOW_LEGACY_TOKEN_SCHEME is false.',
    'code-hosting/authentication/legacy-case-insensitive':
      'The server accepts the name of the deprecated token scheme in any mix of uppercase and lowercase letters.',
    'code-hosting/authentication/legacy-deprecation-header': {
      checkedBy: ['invariant'],
      statement:
        'For the deprecated token scheme, the response includes the header field Deprecation: true.',
      because: announced,
    },
    'code-hosting/authentication/legacy-sunset-header': {
      checkedBy: ['invariant'],
      statement:
        'For the deprecated token scheme, the response includes the header field Sunset: Wed, 01 Apr 2026 00:00:00 GMT.',
      because: announced,
      tolerances: {
        'past-date':
          'The server may continue to accept the deprecated token scheme after that date.',
      },
    },
    'code-hosting/authentication/legacy-warning-header': {
      checkedBy: ['invariant'],
      statement:
        'For the deprecated token scheme, the response includes a 299 Warning that calls the scheme deprecated and points to Bearer.',
      because: announced,
      tolerances: {
        'any-text':
          'The warning may have any text that contains "deprecated" and "bearer", in any letter case.',
        'any-agent': 'The warning may name any agent.',
        'optional-date': 'A date may follow the warning text.',
        'other-warnings': 'The response may include other warnings as well.',
      },
    },
  }),
  ...requirements({ section, needs: ['main account', 'token', 'disabled token scheme'] })({
    'code-hosting/authentication/legacy-disabled':
      'If ALLOW_LEGACY_TOKEN_SCHEME is false, the server rejects the deprecated token scheme with 401.',
    'code-hosting/authentication/legacy-disabled-message': {
      statement:
        "If the deprecated token scheme is disabled, the message of the 401 response is \"the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'\".",
      because: authenticationFailures,
      section: 'Errors',
      level: 'wording',
    },
  }),
  ...requirements({
    section,
    needs: ['main account', 'token', 'enabled query tokens'],
    because: sending('accepts the parameter unless it is disabled'),
  })({
    'code-hosting/authentication/basic': {
      statement:
        'The server accepts Basic authentication with a username and password for API requests.',
      because: sending('supports a username and password for API calls'),
      needs: ['main account password'],
    },
    'code-hosting/authentication/query-token': {
      statement:
        'A token in the query parameter token authenticates the request unless DISABLE_QUERY_AUTH_TOKEN is true.',
      tolerances: deprecationHeaders,
    },
    'code-hosting/authentication/query-access-token': {
      statement:
        'A token in the query parameter access_token authenticates the request unless DISABLE_QUERY_AUTH_TOKEN is true.',
      tolerances: deprecationHeaders,
    },
    'code-hosting/authentication/query-disabled': {
      statement:
        'If DISABLE_QUERY_AUTH_TOKEN is true, the server rejects a token in the query parameter token or access_token.',
      because: sending('rejects the parameter if the setting disables it'),
      needs: ['main account', 'token', 'disabled query tokens'],
      tolerances: { 'any-message': 'The response may have any message.', ...anyRejectionStatus },
    },
  }),
  ...requirements({
    section,
    needs: ['site administrator', 'sudo target'],
    tolerances: actingTolerances,
    because: sending('performs the request as the named user'),
  })({
    'code-hosting/authentication/sudo-header':
      "The server performs a site administrator's request as the user named in the Sudo header field.",
    'code-hosting/authentication/sudo-query':
      "The server performs a site administrator's request as the user named in the query parameter sudo.",
  }),
  ...requirements({
    section,
    needs: ['main account username', 'rejected sudo target', 'regular account'],
  })({
    'code-hosting/authentication/sudo-admin-only': {
      statement: 'The server lets only site administrators act as another user.',
      because: sending('has sudo for site administrators only'),
      tolerances: {
        ...anyRejectionStatus,
        'sudo-ignored': 'The server may ignore sudo, and serve the user who sent the request.',
      },
    },
  }),
  ...requirements({
    section: 'Endpoints',
    needs: twoFactor,
    tolerances: anyRejectionStatus,
    because:
      'the table of endpoints names X-Service-OTP for accounts with two-factor authentication',
  })({
    'code-hosting/authentication/one-time-code-required':
      'For a two-factor account, the server rejects token creation without X-Service-OTP.',
    'code-hosting/authentication/one-time-code-checked':
      'For a two-factor account, the server rejects token creation with a wrong one-time code.',
    'code-hosting/authentication/one-time-code-insufficient': {
      since: '0.2.0',
      statement:
        'For a two-factor account, the server rejects token creation with a one-time code and a wrong password.',
    },
    'code-hosting/authentication/one-time-code-accepted': {
      statement:
        'For a two-factor account, the server accepts token creation with the current one-time code.',
      tolerances: { 'once-only-codes': 'The server may accept each one-time code only once.' },
    },
  }),
]
