import { tolerance } from '../../tolerance-ids.ts'
import type { RuleChange } from '../rules.ts'
import type { Variant } from '../variant.ts'
import { requestRepeated } from './links.ts'

const errors = 'code-hosting/errors'
const ofPageSizes = [
  'code-hosting/pagination/default-limit',
  'code-hosting/pagination/limit-not-positive',
  'code-hosting/settings/agree-with-pagination',
]
const defaultAboveMaximum = tolerance('default-above-maximum', ofPageSizes)

/** Pages without a limit are larger than any that can be asked for. */
const defaultKept: RuleChange = (rules) => ({
  ...requestRepeated(rules),
  effectiveLimit: (requested, settings, context) => {
    const usual = requested === null || Number(requested) <= 0
    return usual ? settings.defaultPagingNum : rules.effectiveLimit(requested, settings, context)
  },
})

/** Other settings and other data. */
export const configurationVariants: readonly Variant[] = [
  { name: 'legacy-disabled', settings: { allowLegacyTokenScheme: false } },
  { name: 'query-disabled', settings: { disableQueryAuthToken: true } },
  {
    name: 'legacy-and-query-disabled',
    settings: { allowLegacyTokenScheme: false, disableQueryAuthToken: true },
  },
  {
    name: 'other-settings',
    tolerances: ['code-hosting/settings/values/configured-values'],
    settings: {
      maxResponseItems: 10,
      defaultPagingNum: 7,
      defaultGitTreesPerPage: 500,
      defaultMaxBlobSize: 1_048_576,
      defaultMaxResponseSize: 20_971_520,
    },
  },
  {
    name: 'default-above-the-maximum-lowered',
    settings: { defaultPagingNum: 30 },
    tolerances: defaultAboveMaximum,
    unjudged: ofPageSizes,
  },
  {
    name: 'default-above-the-maximum-kept',
    settings: { defaultPagingNum: 30 },
    tolerances: defaultAboveMaximum,
    unjudged: ofPageSizes,
    change: defaultKept,
  },
  { name: 'maximum-of-one', settings: { maxResponseItems: 1, defaultPagingNum: 1 } },
  {
    name: 'maximum-of-a-thousand',
    settings: { maxResponseItems: 1000, defaultPagingNum: 50 },
    population: { mainRepositories: 57 },
  },
  { name: 'small-account', population: { mainRepositories: 5 } },
  { name: 'single-repository', population: { mainRepositories: 1 } },
  {
    name: 'no-repositories',
    population: { mainRepositories: 0 },
    becoming: { 'code-hosting/pagination/first-page-default': 'skipped' },
  },
  { name: 'two-repositories', population: { mainRepositories: 2 } },
  { name: 'as-many-repositories-as-on-a-page', population: { mainRepositories: 20 } },
  { name: 'as-many-repositories-as-the-maximum', population: { mainRepositories: 25 } },
  { name: 'one-repository-more-than-the-maximum', population: { mainRepositories: 26 } },
  { name: 'as-many-repositories-as-twice-the-maximum', population: { mainRepositories: 50 } },
  {
    name: 'other-accounts-without-repositories',
    population: { otherRepositories: 0, adminRepositories: 0 },
  },
  {
    name: 'base-path',
    basePath: '/git',
    tolerances: [
      'code-hosting/versioning/prefix/path-of-the-base-url',
      `${errors}/documentation-link/any-path-prefix`,
    ],
  },
]
