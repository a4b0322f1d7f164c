import { jsonParts, responseParts } from '../../http.ts'
import { noTolerance, tolerance } from '../../service.ts'
import { on, type RuleChange, variantsOf } from '../changes.ts'
import { requestRepeated } from './links.ts'

const ofPageSizes = [
  ...[
    'pagination/default-limit',
    'pagination/limit-not-positive',
    'settings/agree-with-pagination',
  ],
]
const aboveMaximum = { settings: { defaultPagingNum: 30 }, unjudged: ofPageSizes }

/** Pages without a limit are larger than any that can be asked for. */
const sizeKept: RuleChange = ({ effectiveLimit }) => ({
  effectiveLimit: (requested, settings, context) => {
    const usual = requested === null || Number(requested) <= 0
    return usual ? settings.defaultPagingNum : effectiveLimit(requested, settings, context)
  },
})

const repositories = (mainRepositories: number) => ({ population: { mainRepositories } })

/** 22 pages of the default maximum, and 27 without a limit. */
const manyRepositories = repositories(530)

/** Steps from a path and query below the base path to the next; the last shows the page. */
const documentationBehind =
  (...steps: readonly (readonly [place: string, status: number, next: string])[]): RuleChange =>
  (rules) => ({
    begin: (context) => {
      const { basePath } = context.deployment
      const place = context.url.href.slice((context.url.origin + basePath).length)
      const step = steps.find(([from]) => from === place)
      if (step) return responseParts(step[1], { Location: step[2].replace(/^(?=\/)/, basePath) })
      return place === steps.at(-1)?.[2] ? rules.documentationPage(context) : rules.begin(context)
    },
  })

export const configurationVariants = variantsOf({
  'settings/values/configured-values': {
    'other-settings': {
      settings: {
        maxResponseItems: 10,
        defaultPagingNum: 7,
        defaultGitTreesPerPage: 500,
        defaultMaxBlobSize: 1_048_576,
        defaultMaxResponseSize: 20_971_520,
      },
    },
  },
  [tolerance('default-above-maximum', ofPageSizes)]: {
    'default-above-the-maximum-lowered': aboveMaximum,
    'default-above-the-maximum-kept': { ...aboveMaximum, change: [requestRepeated, sizeKept] },
  },
  'versioning/prefix/path-of-the-base-url + errors/documentation-link/any-path-prefix': {
    'base-path': { basePath: '/git' },
  },
  'documentation/served/same-origin-redirects': {
    'documentation-redirected': documentationBehind(['/api/swagger', 302, '/api/swagger?page=1']),
    'documentation-at-the-end-of-a-chain': documentationBehind(
      ['/api/swagger', 301, '/api/swagger/'],
      ['/api/swagger/', 302, 'ui'],
      ['/api/swagger/ui', 307, '?version=v1'],
      ['/api/swagger/ui?version=v1', 308, '/docs/index.html'],
    ),
  },
  'documentation/served/credentials-needed': {
    'documentation-for-known-callers': on('documentation', { needsCaller: () => true }),
  },
  [noTolerance]: {
    'legacy-disabled': { settings: { allowLegacyTokenScheme: false } },
    'query-disabled': { settings: { disableQueryAuthToken: true } },
    'legacy-and-query-disabled': {
      settings: { allowLegacyTokenScheme: false, disableQueryAuthToken: true },
    },
    'maximum-of-one': { settings: { maxResponseItems: 1, defaultPagingNum: 1 } },
    'maximum-of-a-thousand': {
      settings: { maxResponseItems: 1000, defaultPagingNum: 50 },
      ...repositories(57),
    },
    'small-account': repositories(5),
    'single-repository': repositories(1),
    'no-repositories': {
      ...repositories(0),
      becoming: { 'pagination/first-page-default': 'skipped' },
    },
    'two-repositories': repositories(2),
    'as-many-repositories-as-on-a-page': repositories(20),
    'as-many-repositories-as-the-maximum': repositories(25),
    'one-repository-more-than-the-maximum': repositories(26),
    'as-many-repositories-as-twice-the-maximum': repositories(50),
    'account-of-many-repositories': manyRepositories,
    'account-of-many-repositories-without-total-count': {
      ...manyRepositories,
      change: { totalCount: () => undefined },
    },
    'other-accounts-without-repositories': {
      population: { otherRepositories: 0, adminRepositories: 0 },
    },
    'documentation-as-openapi': () => ({
      documentationPage: () =>
        jsonParts(200, { openapi: '3.1.0', paths: {} }, 'application/vnd.oai.openapi+json'),
    }),
    'web-page-at-unknown-paths': on('unknown', {
      begin: () => responseParts(200, { 'Content-Type': 'text/html' }, '<!doctype html><p>Hi</p>'),
    }),
    'one-page-at-all-other-paths-inconclusive': {
      verdict: 'inconclusive',
      change: on('unknown', (rules) => ({ begin: rules.documentationPage })),
    },
  },
})
