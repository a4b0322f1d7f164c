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

export const limits = rows({ section: 'Limits' })({
  'code-hosting/limits/git-trees': {
    statement: 'A page of the Git trees API has DEFAULT_GIT_TREES_PER_PAGE entries at most.',
    reason: 'The document shows no path of the Git trees API; the setting itself is judged.',
  },
  'code-hosting/limits/blob': {
    statement: 'The blobs API returns no blob above DEFAULT_MAX_BLOB_SIZE bytes.',
    reason: 'The document shows no path of the blobs API; the setting itself is judged.',
  },
  'code-hosting/limits/response': {
    statement:
      'All blobs in a response of the files API have DEFAULT_MAX_RESPONSE_SIZE bytes at most.',
    reason: 'The document shows no path of the files API; the setting itself is judged.',
  },
})

export const versioning = rows({ section: 'Versioning' })({
  'code-hosting/versioning/prefix': {
    statement: 'The API is found below /api/v1.',
    tolerances: { 'path-of-the-base-url': 'A path in front of it that belongs to the base URL.' },
  },
  'code-hosting/versioning/release': {
    statement: 'The document describes release 1.27.3 of the server.',
    reason: 'The document shows no endpoint that tells the release.',
  },
})
