import { furtherFields, loginInAnyCase, movingData, rows } from './rows.ts'

const defaultSizes = {
  ...movingData,
  'default-above-maximum': 'Either size, where the default is above the maximum.',
}
const beyondBits = (parameter: string, bits: number) => ({
  [`beyond-${bits}-bits`]: `The server may return any response other than a server error for a ${parameter} of more than ${bits} bits.`,
})
const defaultPage = ['main account', 'default page within the maximum'] as const
const anyOrder = { 'any-order': 'Any order of the items.' }

export const resources = rows({ section: 'Endpoints' })({
  'code-hosting/resources/user': {
    statement: 'GET /user gives the record of whoever asks, with the login name as login.',
    section: 'User',
    needs: ['main account'],
    tolerances: { ...loginInAnyCase, ...furtherFields },
  },
  'code-hosting/resources/repository': {
    statement: 'GET /repos/{owner}/{repo} gives a record whose full_name is owner/repo.',
    section: 'Repository',
    needs: ['main account', 'public repository'],
    tolerances: { 'full-name-in-any-case': 'The full name in any case.', ...furtherFields },
  },
  'code-hosting/resources/repositories': {
    statement:
      'GET /user/repos returns a JSON array of records, each with the string field full_name, ' +
      'which is owner/repo.',
    judged: ['probe', 'invariant'],
    needs: ['main account'],
    tolerances: { ...furtherFields, 'any-order': 'Records in any order.' },
  },
  'code-hosting/resources/listed-repository': {
    statement: 'A client can read a listed repository with the credentials that list it.',
    needs: ['main account', 'repositories'],
    tolerances: movingData,
  },
  'code-hosting/resources/hidden-repository-listing': {
    statement: 'The list of repositories shows no private repository that the user cannot access.',
    section: 'Errors',
    needs: ['main account', 'private repository', 'other account', 'listed private repository'],
  },
  'code-hosting/resources/json': {
    statement: 'The bodies of API responses are JSON.',
    section: 'What the service does',
    judged: ['probe', 'invariant'],
    tolerances: {
      'any-media-type': 'A response may have any media type or none.',
      'no-body': 'A response may have no body.',
      redirects: 'A redirect may have any body.',
    },
  },
})

const section = 'Pagination of list endpoints'

export const pagination = [
  ...rows({ section, needs: defaultPage, tolerances: defaultSizes })({
    'code-hosting/pagination/default-limit': 'Without limit a page has the default size.',
    'code-hosting/pagination/limit-not-positive': {
      statement: 'A limit of zero or less stands for the default size.',
      tolerances: { ...defaultSizes, ...beyondBits('limit', 63) },
    },
  }),
  ...rows({ section, needs: ['main account'], tolerances: movingData })({
    'code-hosting/pagination/limit-honoured':
      'A limit from one to the maximum is the size of the page.',
    'code-hosting/pagination/limit-lowered': {
      statement: 'A limit above the maximum counts as the maximum and causes no error.',
      tolerances: { ...movingData, ...beyondBits('limit', 63) },
    },
  }),
  ...rows({ section, needs: ['main account', 'repositories'], tolerances: movingData })({
    'code-hosting/pagination/short-page-is-not-the-end': {
      statement:
        'A page with fewer items than the requested limit is still followed by further pages if ' +
        'items remain.',
      needs: ['main account', 'more repositories than a page'],
    },
    'code-hosting/pagination/first-page-default': {
      statement: 'Without page the first page is given.',
      tolerances: { ...movingData, ...anyOrder },
    },
    'code-hosting/pagination/page-below-one': {
      statement: 'A page number below one stands for the first page.',
      tolerances: { ...movingData, ...anyOrder, ...beyondBits('page number', 53) },
    },
    'code-hosting/pagination/page-header': {
      statement: 'X-Page tells the number of the page, counted from one, on every page.',
      judged: ['probe', 'invariant'],
    },
    'code-hosting/pagination/per-page-header': {
      statement: 'X-PerPage tells the page size that was used, on every page.',
      judged: ['probe', 'invariant'],
    },
    'code-hosting/pagination/has-more-header': {
      statement: 'X-HasMore tells with true or false whether further pages follow, on every page.',
      judged: ['probe', 'invariant'],
    },
    'code-hosting/pagination/total-count': {
      statement: 'X-Total-Count is how many items all pages have together.',
      needs: ['main account', 'repositories', 'counted lists', 'whole list'],
      tolerances: {
        ...movingData,
        'not-counted': 'A list that does not count its items has no X-Total-Count.',
      },
    },
    'code-hosting/pagination/link-when-several-pages': {
      statement:
        'A paginated response includes Link only if the list has more than one page, and then on ' +
        'every page, so that a client can follow next.',
      needs: ['main account', 'repositories', 'list of one page'],
    },
    'code-hosting/pagination/link-form': {
      statement:
        'Link is a list of targets in angle brackets, each with relation next, last, first or prev.',
      needs: ['main account', 'two repositories'],
      tolerances: {
        ...movingData,
        'quotes-and-spaces': 'With or without quotes and spaces, as RFC 8288 allows.',
        'further-parameters': 'Further parameters of a link.',
        'relations-in-any-case': 'Relations in any case.',
        'shared-targets': 'Several relations in one rel.',
        'several-lines': 'Several Link fields in place of one.',
        'relative-targets': 'Relative targets.',
        'other-origin': 'Targets at another origin.',
      },
    },
    'code-hosting/pagination/link-relations': {
      statement:
        'Link includes the relation types that apply to the page and omits the others; last is ' +
        'required only if the list reports its total.',
      needs: ['main account', 'two repositories'],
      tolerances: {
        ...movingData,
        'relations-to-itself':
          'The first page may include the relation type first, and the last page the relation type last.',
        'not-counted': 'A list that does not report its total may omit the relation type last.',
      },
    },
    'code-hosting/pagination/link-targets': {
      statement: 'Each relation of Link leads to the page that its name promises.',
      needs: ['main account', 'two repositories'],
      tolerances: {
        ...movingData,
        'relative-targets': 'Relative targets.',
        'other-origin': 'Targets at another origin, which are followed at the base URL.',
        'any-query': 'Any query that leads to the page.',
      },
    },
    'code-hosting/pagination/walk': {
      statement: 'Whoever follows next until it is missing has been on every page once.',
      needs: ['main account', 'repositories', 'whole list'],
    },
    'code-hosting/pagination/past-the-end': {
      statement:
        'A response for a page number past the end announces no further pages, as follows from ' +
        'X-HasMore and next.',
      tolerances: {
        ...movingData,
        'any-rejection': 'The server may reject the request, for example with 404.',
        'last-page': 'The server may return the last page, with its page number.',
        ...beyondBits('page number', 53),
      },
    },
    'code-hosting/pagination/exposed-headers': {
      statement:
        'Access-Control-Expose-Headers lists the pagination header fields that the response ' +
        'includes: Link, X-Total-Count, X-Page, X-PerPage, and X-HasMore.',
      judged: ['probe', 'invariant'],
      tolerances: {
        ...movingData,
        'only-with-origin': 'The server may send the header field only if the request has Origin.',
        'any-case-and-order': 'Names in any case and order.',
        'further-names': 'Further names.',
      },
    },
  }),
]
