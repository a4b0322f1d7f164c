import { anonymousEither, creating, furtherFields, requirements } from './define.ts'

const gatewayResponses = (allowed: string) => ({
  'gateway-responses': `A response with status code 408, 413, 425, 429, 502 to 504, 520 to 527, or 530 may ${allowed}, because a gateway may have sent it.`,
})

export const documentationAndErrors = requirements({ section: 'Errors' })({
  'code-hosting/documentation/served': {
    statement: 'The server provides its API documentation at /api/swagger.',
    section: 'What the service does',
    tolerances: {
      'same-origin-redirects': 'The server may redirect to URLs below the base URL.',
      'credentials-needed': 'The server may require credentials for the documentation.',
    },
  },
  'code-hosting/errors/body': {
    statement:
      'The body of every error response is a JSON object with the string fields message and url.',
    because: 'the table of the error body has both fields for every error',
    section: 'Error body',
    checkedBy: ['invariant'],
    tolerances: {
      ...gatewayResponses('have any body'),
      ...furtherFields,
      'any-message':
        'The message may be any string, even an empty one, unless the document specifies its text.',
    },
  },
  'code-hosting/errors/documentation-link': {
    statement: 'The url field of an error response points to /api/swagger on the server.',
    section: 'Error body',
    checkedBy: ['probe', 'invariant'],
    tolerances: {
      'any-origin': 'The URL may have any origin.',
      'any-path-prefix': 'The path may have a prefix before /api/swagger.',
      'relative-reference': 'The url field may be a relative reference.',
      'slash-query-or-fragment': 'A slash, a query, or a fragment may follow /api/swagger.',
    },
  },
  'code-hosting/errors/validation-status': {
    statement: 'The server returns 422 if the request body fails validation.',
    needs: creating,
  },
  'code-hosting/errors/validation-names-field': {
    statement: 'The message of a 422 response names the field that failed validation.',
    needs: creating,
    tolerances: {
      'name-in-any-case': 'The message may write the field name in any letter case.',
      'any-wording': 'The rest of the message may be any text.',
    },
  },
  'code-hosting/errors/malformed-body': {
    statement: 'The server returns 400 if the request body cannot be parsed.',
    needs: creating,
    tolerances: {
      'status-422':
        'For a body that ends too early, the server may also return 422, which the document assigns to bodies that fail validation.',
    },
  },
  'code-hosting/errors/missing-repository': {
    statement: 'The server returns 404 for a repository that does not exist.',
    needs: ['main account', 'public repository'],
    tolerances: anonymousEither,
  },
  'code-hosting/errors/hidden-repository': {
    statement:
      'The server returns 404, not 403, for a private repository that the requesting user cannot access.',
    because: 'the table of errors has 404, not 403, for what the caller cannot see',
    needs: ['main account', 'private repository', 'other account'],
    controlNeeds: ['public repository'],
    tolerances: anonymousEither,
  },
  'code-hosting/errors/archived': {
    statement: 'The server returns 423 for a request to change an archived repository.',
    section: 'States and transitions',
    checkedBy: ['supplied'],
    needs: ['main account', 'token', 'archived repository change', 'permitted supplied request'],
  },
  'code-hosting/errors/conflict': {
    statement:
      'The server returns 409 for a request to create a resource, other than a token, that already exists.',
    checkedBy: ['supplied'],
    needs: ['main account', 'token', 'conflicting request', 'permitted supplied request'],
  },
  'code-hosting/errors/no-content': {
    statement: 'A response with status code 204 has no body.',
    checkedBy: ['invariant', 'supplied'],
    needs: ['main account', 'token', 'no-content request', 'permitted no-content request'],
    tolerances: { 'length-of-zero': 'The response may include Content-Length: 0.' },
  },
  'code-hosting/errors/server-error-message': {
    statement:
      'In production, the message of a 500 response is empty for everyone except site administrators.',
    section: 'Error body',
    checkedBy: ['invariant'],
    needs: ['production server', '500 response'],
    tolerances: {
      'told-to-site-admins': 'The server may describe the error to site administrators.',
      'not-in-production':
        'The server may describe the error if the operator declares that it is not in production.',
    },
  },
  'code-hosting/errors/no-rate-limit-headers': {
    statement: 'The server itself sends no header field whose name starts with X-RateLimit-.',
    because: 'the section Limits says that the service has no rate limit of its own',
    section: 'Limits',
    checkedBy: ['invariant'],
    needs: ['no gateway limits'],
    tolerances: {
      'announced-gateway': 'A gateway that the operator declares may add such header fields.',
      ...gatewayResponses('include such header fields'),
    },
  },
  'code-hosting/errors/server-error-retry': {
    statement: 'A client that receives a 500 response retries the request with backoff.',
    reason: 'This requirement applies to clients, not to the server; Plumbline itself meets it.',
  },
})
