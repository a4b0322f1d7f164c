import {
  anyRejectionStatus,
  creating,
  furtherFields,
  loginInAnyCase,
  movingData,
  requirements,
} from './define.ts'

export const tokens = requirements({ section: 'Access token', needs: creating })({
  'code-hosting/tokens/created': {
    statement:
      'When the server creates a token, it returns 201 with the string fields sha1 and token_last_eight.',
    section: 'Endpoints',
    checkedBy: ['probe', 'invariant'],
    tolerances: {
      ...furtherFields,
      'any-value-form': 'The token value may have any format and length.',
    },
  },
  'code-hosting/tokens/last-eight': {
    statement: 'The field token_last_eight holds the final eight characters of the token value.',
    checkedBy: ['probe', 'invariant'],
  },
  'code-hosting/tokens/last-eight-in-reads': {
    since: '0.2.0',
    statement: 'A later read of a token has its final eight characters in token_last_eight.',
    checkedBy: ['supplied'],
    needs: [...creating, 'token list'],
  },
  'code-hosting/tokens/authenticates': {
    statement:
      'The field sha1 holds the token value, which authenticates requests as the user who created the token.',
    tolerances: loginInAnyCase,
  },
  'code-hosting/tokens/basic-only': {
    statement:
      'The server accepts token creation only with Basic authentication, not with another token.',
    because: 'the table of endpoints requires a password for {endpoint}',
    section: 'Sending a token',
    tolerances: anyRejectionStatus,
  },
  'code-hosting/tokens/own-credentials': {
    since: '0.2.0',
    statement:
      'The server accepts token creation only with the credentials of the user in the path.',
    because:
      'the table of endpoints requires the credentials of the user in the path for {endpoint}',
    section: 'Endpoints',
    needs: [...creating, 'other account'],
    tolerances: anyRejectionStatus,
  },
  'code-hosting/tokens/duplicate-name':
    'The server returns 400 if the user already has a token with the requested name.',
  'code-hosting/tokens/name-unique-per-user': {
    statement: 'The server lets two users give their tokens the same name.',
    needs: [...creating, 'other account'],
  },
  'code-hosting/tokens/documented-scopes': {
    statement: 'The server accepts token creation with each of the documented scopes.',
    section: 'Scopes',
    tolerances: {
      'admin-scopes-for-site-admins':
        'The server may reserve the scopes of the admin category for site administrators.',
      'combinations-refused':
        'The server may reject a combination of scopes; each is then requested separately.',
    },
  },
  'code-hosting/tokens/unknown-scope': {
    statement: 'The server rejects token creation with an undocumented scope.',
    tolerances: { 'status-400-or-422': 'The server may return either 400 or 422.' },
  },
  'code-hosting/tokens/value-shown-once': {
    statement: 'After the response that creates a token, no response contains the token value.',
    because: 'the table of token fields has sha1 in the creation response only',
    checkedBy: ['invariant'],
    needs: ['token-creating account', 'token creation', 'write requests'],
    tolerances: {
      'last-eight-characters':
        'A response may contain the final eight characters of the token value.',
      'repeated-query':
        'Link and Location may repeat the query in which the client sent the token.',
    },
  },
})

const covered = 'the table of scopes has {endpoint} in a category of the token'
const uncovered = 'the table of scopes has {endpoint} in no category of the token'
const form = 'the section Scopes gives the form of the message'
const restricted = 'the table of special scopes restricts such a token to public repositories'

export const scopes = requirements({ section: 'Scopes', needs: creating })({
  'code-hosting/scopes/missing-scope-status': {
    statement: 'The server returns 403, not 401, for a valid token that lacks the required scope.',
    because: uncovered,
  },
  'code-hosting/scopes/missing-scope-message': {
    statement:
      'For a missing scope, the message of the 403 response is "token does not have at least one of required scope(s), required=[…], token scope=…".',
    because: form,
    level: 'wording',
    tolerances: {
      'any-separators': 'The message may separate scopes with commas, spaces, or both.',
      'any-order': 'The message may list the scopes in any order.',
    },
  },
  'code-hosting/scopes/message-names-required': {
    statement: 'For a missing scope, the message of the 403 response names the required scopes.',
    because: form,
    tolerances: {
      'either-category-for-repositories':
        'For GET /user/repos, the message may name a scope of the user category, of the repository category, or both.',
      'including-scopes':
        'The message may also name the write scope that includes a required read scope.',
    },
  },
  'code-hosting/scopes/message-names-granted': {
    statement:
      'For a missing scope, the message of the 403 response names the scopes of the token.',
    because: form,
  },
  'code-hosting/scopes/read-suffices': {
    statement: "A token with a category's read scope can make read requests in that category.",
    because: covered,
  },
  'code-hosting/scopes/write-includes-read': {
    statement:
      "A token with a category's write scope can also make read requests in that category.",
    because: 'each category has a scope for writing, which includes reading',
  },
  'code-hosting/scopes/all': {
    statement: 'The scope all grants access to every category.',
    needs: ['main account', 'token'],
  },
  'code-hosting/scopes/categories-separate': {
    statement: 'A scope grants access to its own category and to no other.',
    because: uncovered,
  },
  'code-hosting/scopes/changes-need-write': {
    since: '0.2.0',
    statement: "A token without a category's write scope cannot make changes in that category.",
    checkedBy: ['supplied'],
    needs: [...creating, 'request to change something'],
  },
  'code-hosting/scopes/public-only-hides-private': {
    statement: 'A token with the scope public-only cannot access a private repository.',
    because: restricted,
    needs: [...creating, 'private repository'],
    tolerances: { 'status-403-or-404': 'The server may return either 403 or 404.' },
  },
  'code-hosting/scopes/public-only-listing': {
    statement: 'A token with the scope public-only sees no private repository in a list.',
    because: restricted,
    needs: [...creating, 'private repository', 'listed private repository', 'complete list'],
  },
  'code-hosting/scopes/public-only-shows-public': {
    statement: 'A token with the scope public-only can still read public repositories.',
    needs: [...creating, 'public repository'],
    tolerances: movingData,
  },
  'code-hosting/scopes/public-only-grants-nothing': {
    statement:
      'The scope public-only restricts what other scopes grant and grants nothing by itself.',
    because:
      'the table of special scopes combines public-only with other scopes: it only restricts',
    tolerances: {
      'creation-refused':
        'The server may reject the creation of a token that has only the scope public-only.',
    },
  },
  'code-hosting/scopes/public-only-organizations': {
    since: '0.2.0',
    statement: 'A token with the scope public-only cannot access a private organization.',
    reason: 'The document specifies no path for organizations.',
  },
  'code-hosting/scopes/repository-category': {
    since: '0.2.0',
    statement: 'The scopes of the category repository grant access to files, branches, and hooks.',
    checkedBy: ['supplied'],
    needs: [...creating, 'repository category request'],
  },
  'code-hosting/scopes/admin-needs-site-admin': {
    statement:
      'The server restricts the endpoints of the admin category to site administrators, with a scope of this category.',
    checkedBy: ['supplied'],
    needs: [...creating, 'admin request'],
    controlNeeds: ['site administrator'],
  },
  'code-hosting/scopes/other-categories': {
    statement:
      'The scopes of the categories activitypub, issue, notification, organization, and package grant access to their endpoints.',
    checkedBy: ['supplied'],
    needs: [...creating, 'category request'],
  },
})
