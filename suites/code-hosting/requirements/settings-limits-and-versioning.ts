import { furtherFields, movingData, requirements } from './define.ts'

export const settings = requirements({ section: 'API settings record' })({
  'code-hosting/settings/readable-by-any-client': {
    statement:
      'GET /settings/api returns the settings record to any client, with or without a token.',
    because: 'the table of endpoints lets any client read the record',
    section: 'Endpoints',
  },
  'code-hosting/settings/record': {
    statement: 'The settings record has the five documented fields, each an integer.',
    tolerances: furtherFields,
  },
  'code-hosting/settings/values': {
    statement: 'The settings record shows the values configured on the server.',
    tolerances: {
      'configured-values':
        'The values may differ from the defaults if the operator specifies them.',
    },
  },
  'code-hosting/settings/agree-with-pagination': {
    statement: 'The page sizes in the settings record match those that list endpoints use.',
    needs: ['main account', 'default within maximum'],
    tolerances: {
      ...movingData,
      'default-above-maximum':
        'If the default page size is above the maximum page size, the server may use either.',
    },
  },
})

const anyStructure = {
  'any-structure': 'The response may have any structure.',
}

export const limits = requirements({ section: 'Limits', tolerances: anyStructure })({
  'code-hosting/limits/git-trees': {
    statement: 'The Git trees API returns at most DEFAULT_GIT_TREES_PER_PAGE entries per page.',
    checkedBy: ['supplied'],
    needs: ['main account', 'large tree'],
  },
  'code-hosting/limits/blob': {
    statement: 'The blobs API returns no blob larger than DEFAULT_MAX_BLOB_SIZE bytes.',
    checkedBy: ['supplied'],
    needs: ['main account', 'large blob'],
  },
  'code-hosting/limits/response': {
    statement: 'The blobs in a files API response total at most DEFAULT_MAX_RESPONSE_SIZE bytes.',
    checkedBy: ['supplied'],
    needs: ['main account', 'large files'],
  },
})

export const versioning = requirements({ section: 'Versioning' })({
  'code-hosting/versioning/prefix': {
    statement: 'The server exposes the API under /api/v1.',
    tolerances: {
      'path-of-the-base-url': 'The base URL may have a path, which then precedes /api/v1.',
    },
  },
  'code-hosting/versioning/release': {
    statement: 'The document describes server release 1.27.3.',
    reason:
      'The document specifies no endpoint that returns the release; CODE_HOSTING_RELEASE can supply one, whose response is recorded.',
  },
})
