import { anonymousEither, creating, furtherFields, rows } from './rows.ts'

const gatewayStatuses =
  '408, 413, 425, 429, 502 to 504, 520 to 527 and 530, which a gateway may send.'

export const documentationAndErrors = rows({ section: 'Errors' })({
  'code-hosting/documentation/served': {
    statement: 'A running server offers its API documentation at /api/swagger.',
    section: 'What the service does',
    tolerances: {
      'same-origin-redirects': 'Redirects that stay below the base URL.',
      'credentials-needed': 'A refusal of anonymous clients, where credentials open it.',
    },
  },
  'code-hosting/errors/body': {
    statement: 'Every error body is a JSON object in which message and url are strings.',
    section: 'Error body',
    judged: ['invariant'],
    tolerances: {
      'gateway-responses': `Any body on ${gatewayStatuses}`,
      ...furtherFields,
      'any-message': 'Any message, an empty one too, where the document shows no text.',
    },
  },
  'code-hosting/errors/documentation-link': {
    statement: "An error body's url leads to /api/swagger on the server.",
    section: 'Error body',
    judged: ['probe', 'invariant'],
    tolerances: {
      'any-origin': 'Any origin.',
      'any-path-prefix': 'Any path in front of it.',
      'relative-reference': 'A relative reference.',
      'slash-query-or-fragment': 'A slash, a query or a fragment behind it.',
    },
  },
  'code-hosting/errors/validation-status': {
    statement: 'A request body that does not validate is answered with 422.',
    needs: creating,
  },
  'code-hosting/errors/validation-names-field': {
    statement: 'The message of a 422 tells which field is wrong.',
    needs: creating,
    tolerances: {
      'name-in-any-case': 'The name of the field in any case.',
      'any-wording': 'Any text around the name.',
    },
  },
  'code-hosting/errors/malformed-body': {
    statement: 'A request whose body cannot be parsed is answered with 400.',
    needs: creating,
    tolerances: { 'status-422': '422, which the document gives to bodies that do not validate.' },
  },
  'code-hosting/errors/missing-repository': {
    statement: 'Asking for a repository that is not there is answered with 404.',
    needs: ['main account', 'public repository'],
    tolerances: anonymousEither,
  },
  'code-hosting/errors/hidden-repository': {
    statement: 'To somebody without access a private repository looks missing: 404 and not 403.',
    needs: ['main account', 'private repository', 'other account'],
    controlNeeds: ['public repository'],
    tolerances: anonymousEither,
  },
  'code-hosting/errors/archived': {
    statement: 'An attempt to change an archived repository is answered with 423.',
    section: 'States and transitions',
    judged: ['supplied'],
    needs: ['main account', 'token', 'archived change', 'supplied change'],
  },
  'code-hosting/errors/conflict': {
    statement:
      'The server returns 409 for a request to create a resource, other than a token, that already exists.',
    judged: ['supplied'],
    needs: ['main account', 'token', 'conflicting request', 'supplied change'],
  },
  'code-hosting/errors/no-content': {
    statement: 'No body comes with status 204.',
    judged: ['invariant', 'supplied'],
    needs: ['main account', 'token', 'no-content request', 'permitted no-content request'],
    tolerances: { 'length-of-zero': 'A Content-Length of 0.' },
  },
  'code-hosting/errors/server-error-message': {
    statement:
      'In production, the message of a 500 response is empty for everyone except site administrators.',
    section: 'Error body',
    judged: ['invariant'],
    needs: ['production server', 'server error'],
    tolerances: {
      'told-to-site-admins': 'The server may describe the error to site administrators.',
      'not-in-production':
        'The server may describe the error if the operator declares that it is not in production.',
    },
  },
  'code-hosting/errors/no-rate-limit-headers': {
    statement: 'The service itself sends no header whose name begins with X-RateLimit-.',
    section: 'Limits',
    judged: ['invariant'],
    needs: ['no rate limits of a gateway'],
    tolerances: {
      'announced-gateway':
        'Headers that a gateway adds, where the operator says that there is one.',
      'gateway-responses': `Such headers on ${gatewayStatuses}`,
    },
  },
  'code-hosting/errors/server-error-retry': {
    statement: 'A client that meets 500 tries again, more slowly each time.',
    reason: 'It binds the client, not the server; Plumbline itself behaves so.',
  },
})
