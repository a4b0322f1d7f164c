import { furtherFields, movingData, rows } from './rows.ts'

export const settings = rows({ section: 'API settings record' })({
  'code-hosting/settings/readable-by-any-client': {
    statement: 'Anybody may read GET /settings/api, with a token and without.',
    section: 'Endpoints',
  },
  'code-hosting/settings/record': {
    statement: 'The settings record has five fields, each an integer.',
    tolerances: furtherFields,
  },
  'code-hosting/settings/values': {
    statement: 'The settings record shows the values with which the server is configured.',
    tolerances: {
      'configured-values': 'Other values than the defaults, where the operator names them.',
    },
  },
  'code-hosting/settings/agree-with-pagination': {
    statement: 'The page sizes in the settings record are the ones that lists really have.',
    needs: ['main account', 'default page within the maximum'],
    tolerances: {
      ...movingData,
      'default-above-maximum': 'Either size of a page, where the default is above the maximum.',
    },
  },
})

const anyStructure = {
  'any-structure': 'The response may have any structure.',
}

export const limits = rows({ section: 'Limits', tolerances: anyStructure })({
  'code-hosting/limits/git-trees': {
    statement: 'The Git trees API returns at most DEFAULT_GIT_TREES_PER_PAGE entries per page.',
    judged: ['supplied'],
    needs: ['main account', 'large tree'],
  },
  'code-hosting/limits/blob': {
    statement: 'The blobs API returns no blob larger than DEFAULT_MAX_BLOB_SIZE bytes.',
    judged: ['supplied'],
    needs: ['main account', 'large blob'],
  },
  'code-hosting/limits/response': {
    statement: 'The blobs in a files API response total at most DEFAULT_MAX_RESPONSE_SIZE bytes.',
    judged: ['supplied'],
    needs: ['main account', 'large files'],
  },
})

export const versioning = rows({ section: 'Versioning' })({
  'code-hosting/versioning/prefix': {
    statement: 'The API is found below /api/v1.',
    tolerances: { 'path-of-the-base-url': 'A path in front of it that belongs to the base URL.' },
  },
  'code-hosting/versioning/release': {
    statement: 'The document describes server release 1.27.3.',
    reason:
      'The document specifies no endpoint that returns the release; CODE_HOSTING_RELEASE can supply one, whose response is recorded.',
  },
})
