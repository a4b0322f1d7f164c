import { furtherFields, loginInAnyCase, movingData, requirements } from './define.ts'

const defaultSizes = {
  ...movingData,
  'default-above-maximum':
    'If the default page size is above the maximum page size, the server may use either.',
}
const beyondBits = (parameter: string, bits: number) => ({
  [`beyond-${bits}-bits`]: `The server may return any response other than a server error for a ${parameter} of more than ${bits} bits.`,
})
const defaultPage = ['main account', 'default within maximum'] as const
const anyOrder = { 'any-order': 'The server may return the items in any order.' }

export const resources = requirements({ section: 'Endpoints' })({
  'code-hosting/resources/user': {
    statement:
      'GET /user returns the record of the authenticated user, with the username in the field login.',
    section: 'User',
    checkedBy: ['probe', 'invariant'],
    needs: ['main account'],
    tolerances: { ...loginInAnyCase, ...furtherFields },
  },
  'code-hosting/resources/repository': {
    statement: 'GET /repos/{owner}/{repo} returns a record whose full_name is owner/repo.',
    section: 'Repository',
    checkedBy: ['probe', 'invariant'],
    needs: ['main account', 'public repository'],
    tolerances: {
      'full-name-in-any-case': 'The server may return the full name in any letter case.',
      ...furtherFields,
    },
  },
  'code-hosting/resources/repositories': {
    statement:
      'GET /user/repos returns a JSON array of records, each with the string field full_name, which is owner/repo.',
    checkedBy: ['probe', 'invariant'],
    needs: ['main account'],
    tolerances: {
      ...furtherFields,
      'any-order': 'The server may return the records in any order.',
    },
  },
  'code-hosting/resources/listed-repository': {
    since: '0.2.0',
    statement: 'A client can read a listed repository with the credentials that list it.',
    needs: ['main account', 'one repository'],
    tolerances: movingData,
  },
  'code-hosting/resources/hidden-repository-listing': {
    since: '0.2.0',
    statement: 'The list of repositories shows no private repository that the user cannot access.',
    section: 'Errors',
    needs: ['main account', 'private repository', 'other account', 'listed private repository'],
  },
  'code-hosting/resources/json': {
    statement: 'The bodies of API responses are JSON.',
    section: 'What the service does',
    checkedBy: ['probe', 'invariant'],
    tolerances: {
      'any-media-type': 'A response may have any media type or none.',
      'no-body': 'A response may have no body.',
      redirects: 'A redirect may have any body.',
    },
  },
})

const section = 'Pagination of list endpoints'
const onEveryPage =
  'the table of response headers has it on every page, beside Link and X-Total-Count'

export const pagination = [
  ...requirements({ section, needs: defaultPage, tolerances: defaultSizes })({
    'code-hosting/pagination/default-limit': {
      statement: 'If the request has no limit parameter, the server uses the default page size.',
      checkedBy: ['probe', 'invariant'],
    },
    'code-hosting/pagination/limit-not-positive': {
      statement: 'If limit is 0 or less, the server uses the default page size.',
      checkedBy: ['probe', 'invariant'],
      tolerances: { ...defaultSizes, ...beyondBits('limit', 63) },
    },
  }),
  ...requirements({ section, needs: ['main account'], tolerances: movingData })({
    'code-hosting/pagination/limit-honoured': {
      statement:
        'If limit is between 1 and the maximum page size, inclusive, the server uses it as the page size.',
      checkedBy: ['probe', 'invariant'],
    },
    'code-hosting/pagination/limit-lowered': {
      statement:
        'If limit is above the maximum page size, the server uses the maximum page size and returns no error.',
      because: 'the table of query parameters lowers a larger limit without an error',
      checkedBy: ['probe', 'invariant'],
      tolerances: { ...movingData, ...beyondBits('limit', 63) },
    },
  }),
  ...requirements({ section, needs: ['main account', 'one repository'], tolerances: movingData })({
    'code-hosting/pagination/short-page-is-not-the-end': {
      statement:
        'A page with fewer items than the requested limit is still followed by further pages if items remain.',
      needs: ['main account', 'multi-page list'],
    },
    'code-hosting/pagination/first-page-default': {
      statement: 'If the request has no page parameter, the server returns the first page.',
      tolerances: { ...movingData, ...anyOrder },
    },
    'code-hosting/pagination/page-below-one': {
      statement: 'If page is less than 1, the server returns the first page.',
      tolerances: { ...movingData, ...anyOrder, ...beyondBits('page number', 53) },
    },
    'code-hosting/pagination/page-header': {
      statement: 'Every paginated response includes X-Page with the 1-based page number.',
      because: onEveryPage,
      checkedBy: ['probe', 'invariant'],
    },
    'code-hosting/pagination/per-page-header': {
      statement: 'Every paginated response includes X-PerPage with the page size used.',
      because: onEveryPage,
      checkedBy: ['probe', 'invariant'],
    },
    'code-hosting/pagination/has-more-header': {
      statement:
        'Every paginated response includes X-HasMore, which is true if further pages follow and false otherwise.',
      because: onEveryPage,
      checkedBy: ['probe', 'invariant'],
    },
    'code-hosting/pagination/total-count': {
      statement: 'X-Total-Count is the number of items on all pages combined.',
      checkedBy: ['probe', 'invariant'],
      needs: ['main account', 'one repository', 'counted list', 'complete list'],
      tolerances: {
        ...movingData,
        'not-counted':
          'The server may omit X-Total-Count for a list whose items it does not count.',
      },
    },
    'code-hosting/pagination/link-when-several-pages': {
      statement:
        'A paginated response includes Link only if the list has more than one page, and then on every page, so that a client can follow next.',
      needs: ['main account', 'one repository', 'single-page list'],
    },
    'code-hosting/pagination/link-form': {
      statement:
        'Link lists targets in angle brackets, each with the relation type next, last, first, or prev.',
      needs: ['main account', 'two repositories'],
      tolerances: {
        ...movingData,
        'quotes-and-spaces': 'The server may use or omit quotes and spaces as RFC 8288 allows.',
        'further-parameters': 'A link may have additional parameters.',
        'relations-in-any-case': 'The relation types may be in any letter case.',
        'shared-targets': 'One rel parameter may hold several relation types.',
        'several-lines': 'The server may send several Link header fields instead of one.',
        'relative-targets': 'The targets may be relative references.',
        'other-origin': 'The targets may have another origin.',
      },
    },
    'code-hosting/pagination/link-relations': {
      statement:
        'Link includes the relation types that apply to the page and omits the others; last is required only if the list reports its total.',
      checkedBy: ['probe', 'invariant'],
      needs: ['main account', 'two repositories'],
      tolerances: {
        ...movingData,
        'relations-to-itself':
          'The first page may include the relation type first, and the last page the relation type last.',
        'not-counted': 'A list that does not report its total may omit the relation type last.',
      },
    },
    'code-hosting/pagination/link-targets': {
      statement: 'Each target in Link leads to the page that its relation type names.',
      needs: ['main account', 'two repositories'],
      tolerances: {
        ...movingData,
        'relative-targets': 'The targets may be relative references.',
        'other-origin':
          'The targets may have another origin; they are then followed at the base URL.',
        'any-query': 'A target may use any query that leads to the page.',
      },
    },
    'code-hosting/pagination/walk': {
      statement: 'A client that follows next links until there are none visits every page once.',
      needs: ['main account', 'one repository', 'complete list'],
    },
    'code-hosting/pagination/past-the-end': {
      statement:
        'A response for a page number past the end announces no further pages, as follows from X-HasMore and next.',
      tolerances: {
        ...movingData,
        'any-rejection': 'The server may reject the request, for example with 404.',
        'last-page': 'The server may return the last page, with its page number.',
        ...beyondBits('page number', 53),
      },
    },
    'code-hosting/pagination/exposed-headers': {
      statement:
        'Access-Control-Expose-Headers lists the pagination header fields that the response includes: Link, X-Total-Count, X-Page, X-PerPage, and X-HasMore.',
      checkedBy: ['probe', 'invariant'],
      tolerances: {
        ...movingData,
        'only-with-origin': 'The server may send the header field only if the request has Origin.',
        'any-case-and-order': 'The names may be in any letter case and in any order.',
        'further-names': 'Access-Control-Expose-Headers may list additional names.',
      },
    },
  }),
]
