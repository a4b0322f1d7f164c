import type { Row } from '../../../lib/conformance/requirement.ts'
import type { CodeHostingNeed } from '../needs.ts'
import { furtherFields, movingData } from './shared-tolerances.ts'

export const settings = [
  {
    id: 'code-hosting/settings/readable-by-any-client',
    statement: 'Anybody may read GET /settings/api, with a token and without.',
    section: 'Endpoints',
  },
  {
    id: 'code-hosting/settings/record',
    statement: 'The settings record has five fields, each an integer.',
    section: 'API settings record',
    tolerances: furtherFields,
  },
  {
    id: 'code-hosting/settings/values',
    statement: 'The settings record shows the values with which the server is configured.',
    section: 'API settings record',
    tolerances: {
      'configured-values': 'Other values than the defaults, where the operator names them.',
    },
  },
  {
    id: 'code-hosting/settings/agree-with-pagination',
    statement: 'The page sizes in the settings record are the ones that lists really have.',
    section: 'API settings record',
    needs: ['main account', 'default page within the maximum'],
    tolerances: {
      ...movingData,
      'default-above-maximum': 'Either size of a page, where the default is above the maximum.',
    },
  },
] as const satisfies readonly Row<CodeHostingNeed>[]

export const limits = [
  {
    id: 'code-hosting/limits/git-trees',
    statement: 'A page of the Git trees API has DEFAULT_GIT_TREES_PER_PAGE entries at most.',
    section: 'Limits',
    judged: ['untestable'],
    reason: 'The document shows no path of the Git trees API; the setting itself is judged.',
  },
  {
    id: 'code-hosting/limits/blob',
    statement: 'The blobs API returns no blob above DEFAULT_MAX_BLOB_SIZE bytes.',
    section: 'Limits',
    judged: ['untestable'],
    reason: 'The document shows no path of the blobs API; the setting itself is judged.',
  },
  {
    id: 'code-hosting/limits/response',
    statement:
      'All blobs in a response of the files API have DEFAULT_MAX_RESPONSE_SIZE bytes at most.',
    section: 'Limits',
    judged: ['untestable'],
    reason: 'The document shows no path of the files API; the setting itself is judged.',
  },
] as const satisfies readonly Row<CodeHostingNeed>[]

export const versioning = [
  {
    id: 'code-hosting/versioning/prefix',
    statement: 'The API is found below /api/v1.',
    section: 'Versioning',
    tolerances: { 'path-of-the-base-url': 'A path in front of it that belongs to the base URL.' },
  },
  {
    id: 'code-hosting/versioning/release',
    statement: 'The document describes release 1.27.3 of the server.',
    section: 'Versioning',
    judged: ['untestable'],
    reason: 'The document shows no endpoint that tells the release.',
  },
] as const satisfies readonly Row<CodeHostingNeed>[]
