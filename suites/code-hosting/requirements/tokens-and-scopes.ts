import {
  anyRefusalStatus,
  creating,
  furtherFields,
  loginInAnyCase,
  movingData,
  rows,
} from './rows.ts'

export const tokens = rows({ section: 'Access token', needs: creating })({
  'code-hosting/tokens/created': {
    statement: 'A created token is answered with 201 and the strings sha1 and token_last_eight.',
    section: 'Endpoints',
    tolerances: { ...furtherFields, 'any-value-form': 'A value of any form and length.' },
  },
  'code-hosting/tokens/last-eight':
    'token_last_eight is how the token value ends: its last eight characters.',
  'code-hosting/tokens/last-eight-in-reads': {
    statement: 'A later read of a token has its final eight characters in token_last_eight.',
    judged: ['supplied'],
    needs: [...creating, 'token list'],
  },
  'code-hosting/tokens/authenticates': {
    statement: 'sha1 is the token itself: with it, requests are made as the user who created it.',
    tolerances: loginInAnyCase,
  },
  'code-hosting/tokens/basic-only': {
    statement: 'A token is created with user name and password only, not with another token.',
    section: 'Sending a token',
    tolerances: anyRefusalStatus,
  },
  'code-hosting/tokens/own-credentials': {
    statement:
      'The server accepts token creation only with the credentials of the user in the path.',
    section: 'Endpoints',
    needs: [...creating, 'other account'],
    tolerances: anyRefusalStatus,
  },
  'code-hosting/tokens/duplicate-name':
    'A name that the user has given to a token before is answered with 400.',
  'code-hosting/tokens/name-unique-per-user': {
    statement: 'Two users may give their tokens the same name.',
    needs: [...creating, 'other account'],
  },
  'code-hosting/tokens/documented-scopes': {
    statement: 'A token can be given each of the documented scopes.',
    section: 'Scopes',
    tolerances: {
      'admin-scopes-for-site-admins':
        'The scopes of the category admin may be kept for site admins.',
      'combinations-refused':
        'The server may reject a combination of scopes; each is then requested alone.',
    },
  },
  'code-hosting/tokens/unknown-scope': {
    statement: 'A token cannot be given a scope that the document does not list.',
    tolerances: { 'status-400-or-422': '400 or 422.' },
  },
  'code-hosting/tokens/value-shown-once': {
    statement: 'After its creation a token value appears in no response any more.',
    judged: ['invariant'],
    needs: ['account that makes tokens', 'password in place of a token', 'writing'],
    tolerances: {
      'last-eight-characters': 'The last eight characters of a value.',
      'repeated-query': 'Link and Location that repeat the query in which the token was sent.',
    },
  },
})

export const scopes = rows({ section: 'Scopes', needs: creating })({
  'code-hosting/scopes/missing-scope-status':
    'A token that is valid but lacks the scope is answered with 403, not with 401.',
  'code-hosting/scopes/missing-scope-message': {
    statement:
      'Its message reads "token does not have at least one of required scope(s), required=[…], token scope=…".',
    level: 'wording',
    tolerances: {
      'any-separators': 'Scopes apart by commas, spaces or both.',
      'any-order': 'Scopes in any order.',
    },
  },
  'code-hosting/scopes/message-names-required': {
    statement: 'Its message names the scopes that would have been needed.',
    tolerances: {
      'either-category-for-repositories':
        'For GET /user/repos a scope of user, of repository, or both.',
      'including-scopes': 'The write scope that includes a read scope, beside it.',
    },
  },
  'code-hosting/scopes/message-names-granted': 'Its message names the scopes that the token has.',
  'code-hosting/scopes/read-suffices':
    "A token with a category's read scope can make read requests in that category.",
  'code-hosting/scopes/write-includes-read':
    "A token with a category's write scope can also make read requests in that category.",
  'code-hosting/scopes/all': {
    statement: 'The scope all opens every category.',
    needs: ['main account', 'token'],
  },
  'code-hosting/scopes/categories-separate':
    'A scope grants access to its own category and to no other.',
  'code-hosting/scopes/changes-need-write': {
    statement: "A token without a category's write scope cannot make changes in that category.",
    judged: ['supplied'],
    needs: [...creating, 'request to change something'],
  },
  'code-hosting/scopes/public-only-hides-private': {
    statement: 'With public-only a token does not reach a private repository.',
    needs: [...creating, 'private repository'],
    tolerances: { 'status-403-or-404': '403 or 404.' },
  },
  'code-hosting/scopes/public-only-listing': {
    statement: 'With public-only a token finds no private repository in a list.',
    needs: [...creating, 'private repository', 'listed private repository', 'whole list'],
  },
  'code-hosting/scopes/public-only-shows-public': {
    statement: 'With public-only a token still reads public repositories.',
    needs: [...creating, 'public repository'],
    tolerances: movingData,
  },
  'code-hosting/scopes/public-only-grants-nothing': {
    statement: 'public-only restricts what other scopes grant and grants nothing alone.',
    tolerances: { 'creation-refused': 'The service may refuse to create such a token.' },
  },
  'code-hosting/scopes/public-only-organizations': {
    statement: 'A token with the scope public-only cannot access a private organization.',
    reason: 'The document specifies no path for organizations.',
  },
  'code-hosting/scopes/repository-category': {
    statement: 'The scopes of the category repository grant access to files, branches, and hooks.',
    judged: ['supplied'],
    needs: [...creating, 'repository category request'],
  },
  'code-hosting/scopes/admin-needs-site-admin': {
    statement: 'The server restricts the endpoints of the admin category to site administrators.',
    judged: ['supplied'],
    needs: [...creating, 'admin request'],
    controlNeeds: ['site admin'],
  },
  'code-hosting/scopes/other-categories': {
    statement:
      'The scopes of the categories activitypub, issue, notification, organization, and package grant access to their endpoints.',
    judged: ['supplied'],
    needs: [...creating, 'category request'],
  },
})
