import type { Fault } from '../fault.ts'
import { replaceRule } from '../rules.ts'

const settings = 'code-hosting/settings'
const resources = 'code-hosting/resources'

/** Faults in records. */
export const resourceFaults: readonly Fault[] = [
  {
    name: 'user-record-without-login',
    requirements: [
      `${resources}/user`,
      'code-hosting/authentication/sudo-header',
      'code-hosting/authentication/sudo-query',
      'code-hosting/tokens/authenticates',
    ],
    change: replaceRule('userRecord', () => (account) => ({
      id: account.id,
      username: account.login,
    })),
  },
  {
    name: 'full-name-without-owner',
    requirements: [`${resources}/repository`],
    change: replaceRule('repositoryRecord', (documented) => (repository, context) => {
      const record = documented(repository, context)
      if (context.endpoint !== 'repository' || typeof record !== 'object') return record
      return { ...record, full_name: repository.name }
    }),
  },
  {
    name: 'listing-without-full-name',
    requirements: [`${resources}/repositories`, 'code-hosting/pagination/walk'],
    change: replaceRule('repositoryRecord', (documented) => (repository, context) => {
      const record = documented(repository, context)
      if (context.endpoint !== 'user-repositories' || typeof record !== 'object') return record
      return { ...record, full_name: undefined }
    }),
  },
  {
    name: 'settings-need-credentials',
    requirements: [`${settings}/readable-by-any-client`],
    change: replaceRule(
      'needsCaller',
      (documented) => (context) => context.endpoint === 'settings' || documented(context),
    ),
  },
  {
    name: 'settings-field-as-text',
    requirements: [`${settings}/record`, `${settings}/values`],
    change: replaceRule('settingsRecord', (documented) => (values, context) => ({
      ...Object(documented(values, context)),
      default_max_blob_size: String(values.defaultMaxBlobSize),
    })),
  },
  {
    name: 'settings-value-other-than-configured',
    requirements: [`${settings}/values`],
    change: replaceRule('settingsRecord', (documented) => (values, context) => ({
      ...Object(documented(values, context)),
      default_git_trees_per_page: values.defaultGitTreesPerPage + 1,
    })),
  },
  {
    name: 'settings-maximum-other-than-applied',
    requirements: [`${settings}/values`, `${settings}/agree-with-pagination`],
    change: replaceRule('settingsRecord', (documented) => (values, context) => ({
      ...Object(documented(values, context)),
      max_response_items: values.maxResponseItems * 2,
    })),
  },
]
