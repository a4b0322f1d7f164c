import { anyRefusalStatus, loginInAnyCase, movingData, rows } from './rows.ts'

const section = 'Sending a token'
const twoFactor = ['two-factor account', 'password in place of a token', 'writing'] as const

const actingTolerances = { ...loginInAnyCase, ...movingData }
const noChallenge = { 'no-challenge': 'No WWW-Authenticate.' }
const deprecationHeaders = {
  'deprecation-headers': 'Headers that announce the deprecation of the parameter.',
}

export const authentication = [
  ...rows({ section: 'Errors' })({
    'code-hosting/authentication/missing-credentials': {
      statement: 'An endpoint that needs credentials answers 401 to a request that has none.',
      section: 'Authentication',
      controlNeeds: ['main account'],
      tolerances: noChallenge,
    },
    'code-hosting/authentication/missing-credentials-message': {
      statement: 'The message of that 401 is "token is required" where a token is what is missing.',
      level: 'wording',
      tolerances: {
        'other-text-without-password':
          'Any message on POST /users/{username}/tokens, which takes no token.',
      },
    },
    'code-hosting/authentication/unusable-credentials': {
      statement: 'The server returns 401 for empty credentials and for an unknown scheme.',
      controlNeeds: ['main account'],
      tolerances: noChallenge,
    },
    'code-hosting/authentication/unknown-token': {
      statement: 'The server returns 401 for a token that does not exist.',
      controlNeeds: ['main account', 'token'],
      tolerances: noChallenge,
    },
    'code-hosting/authentication/unknown-token-message': {
      statement: 'The message of that 401 is "invalid username, password or token".',
      level: 'wording',
    },
    'code-hosting/authentication/unknown-username': {
      statement: 'The server returns 401 for an unknown username in Basic authentication.',
      controlNeeds: ['password'],
      tolerances: noChallenge,
    },
    'code-hosting/authentication/wrong-password': {
      statement: 'A wrong password in basic authentication is answered with 401.',
      needs: ['login name'],
      controlNeeds: ['password'],
      tolerances: noChallenge,
    },
    'code-hosting/authentication/wrong-password-message': {
      statement: 'The message for a wrong password is "invalid username, password or token" too.',
      level: 'wording',
      needs: ['login name'],
    },
  }),
  ...rows({ section, needs: ['main account', 'token'] })({
    'code-hosting/authentication/bearer': 'A token in Authorization: Bearer authenticates.',
    'code-hosting/authentication/bearer-case-insensitive':
      'Bearer may be written in any mixture of upper and lower case.',
    'code-hosting/authentication/bearer-not-deprecated': {
      statement:
        'A response to the Bearer scheme does not carry the deprecation notice of the token scheme.',
      tolerances: {
        'other-warnings': 'A Warning about something else.',
        'deprecated-endpoint':
          'The response may announce with other values that the endpoint is deprecated.',
      },
    },
  }),
  ...rows({ section, needs: ['main account', 'token', 'legacy scheme'] })({
    'code-hosting/authentication/legacy-accepted':
      'Where it is allowed, the old prefix of Authorization: token still authenticates.',
    'code-hosting/authentication/legacy-case-insensitive':
      'The server accepts the name of the deprecated token scheme in any mix of uppercase and lowercase letters.',
    'code-hosting/authentication/legacy-deprecation-header':
      'A response to the old prefix has the header Deprecation: true.',
    'code-hosting/authentication/legacy-sunset-header': {
      statement: 'A response to the old prefix has Sunset: Wed, 01 Apr 2026 00:00:00 GMT.',
      tolerances: { 'past-date': 'The old prefix may go on working after that date.' },
    },
    'code-hosting/authentication/legacy-warning-header': {
      statement:
        'A response to the old prefix has a Warning of code 299 that calls it deprecated and points to Bearer.',
      tolerances: {
        'any-text': 'Any text that says "deprecated" and "bearer", in any case.',
        'any-agent': 'Any agent.',
        'optional-date': 'A date behind the text.',
        'other-warnings': 'Other warnings beside it.',
      },
    },
  }),
  ...rows({ section, needs: ['main account', 'token', 'no legacy scheme'] })({
    'code-hosting/authentication/legacy-disabled':
      'With ALLOW_LEGACY_TOKEN_SCHEME false the old prefix is answered with 401.',
    'code-hosting/authentication/legacy-disabled-message': {
      statement:
        "The message of that 401 is \"the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'\".",
      section: 'Errors',
      level: 'wording',
    },
  }),
  ...rows({ section, needs: ['main account', 'token', 'query tokens'] })({
    'code-hosting/authentication/basic': {
      statement: 'An API call may be made with user name and password.',
      needs: ['password'],
    },
    'code-hosting/authentication/query-token': {
      statement: 'Unless it is switched off, a token in the query parameter token authenticates.',
      tolerances: deprecationHeaders,
    },
    'code-hosting/authentication/query-access-token': {
      statement: 'Unless it is switched off, a token in access_token in the query authenticates.',
      tolerances: deprecationHeaders,
    },
    'code-hosting/authentication/query-disabled': {
      statement:
        'If DISABLE_QUERY_AUTH_TOKEN is true, the server rejects a token in the query parameter token or access_token.',
      needs: ['main account', 'token', 'no query tokens'],
      tolerances: { 'any-message': 'Any message.', ...anyRefusalStatus },
    },
  }),
  ...rows({ section, needs: ['site admin', 'user to act as'], tolerances: actingTolerances })({
    'code-hosting/authentication/sudo-header':
      'A site admin acts as the user whom the Sudo header names.',
    'code-hosting/authentication/sudo-query':
      'A site admin acts as the user whom the query parameter sudo names.',
  }),
  ...rows({ section, needs: ['login name', 'user to name'] })({
    'code-hosting/authentication/sudo-admin-only': {
      statement: 'The server lets only site administrators act as another user.',
      tolerances: {
        ...anyRefusalStatus,
        'sudo-ignored': 'The server may ignore sudo, and serve the user who sent the request.',
      },
    },
  }),
  ...rows({ section: 'Endpoints', needs: twoFactor, tolerances: anyRefusalStatus })({
    'code-hosting/authentication/one-time-code-required':
      'With two-factor authentication no token is created without X-Service-OTP.',
    'code-hosting/authentication/one-time-code-checked':
      'With two-factor authentication no token is created with a wrong one-time code.',
    'code-hosting/authentication/one-time-code-insufficient':
      'For a two-factor account, the server rejects token creation with a one-time code and a wrong password.',
    'code-hosting/authentication/one-time-code-accepted': {
      statement: 'With the one-time code of the moment the token is created.',
      tolerances: { 'once-only-codes': 'A code may be accepted only once.' },
    },
  }),
]
