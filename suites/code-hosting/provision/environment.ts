import { environmentLine } from '../../../lib/environment/read-environment.ts'
import { type Account, codeHostingVariables } from '../variables.ts'
import type { SettingsRecord } from './gitea-client.ts'

interface Provisioned {
  prefix: string
  baseUrl: string
  main: Account
  other: Account
  /** Name of the organization; undefined if the server allows none. */
  organization?: string | undefined
  /** Settings that the server reports. */
  settings: SettingsRecord
  /** Supplied requests for content that exceeds a limit, by variable. */
  limitRequests: Readonly<Record<string, string>>
  admin?: Account | undefined
}

const pageSizes = ['CODE_HOSTING_MAX_RESPONSE_ITEMS', 'CODE_HOSTING_DEFAULT_PAGING_NUM']

/** Returns the variables of page sizes, and of other settings that differ from their defaults. */
function settingVariables(settings: SettingsRecord): Record<string, string> {
  const sizes = Object.entries(settings).flatMap(([field, size]) => {
    const name = `CODE_HOSTING_${field.toUpperCase()}`
    const variable = Object.values(codeHostingVariables.table.settings).find(
      (one) => one.name === name,
    )
    const isValid = variable?.format.rules.every(([holds]) => holds(String(size)))
    const isWritten = isValid && (pageSizes.includes(name) || size !== variable?.default)
    return isWritten ? [[name, String(size)]] : []
  })
  return Object.fromEntries(sizes)
}

const lines = (values: Record<string, string>) =>
  Object.entries(values).map((entry) => environmentLine(...entry))

/** Returns the environment file. */
export function formatAccounts(provisioned: Provisioned): string {
  const { prefix, baseUrl, main, other, admin, organization } = provisioned
  const path = `${main.username}/${prefix}`
  const archivedFile = `/api/v1/repos/${path}archived/contents/plumbline.txt`
  const change = JSON.stringify({ content: 'eA==', message: 'A change that must be rejected' })
  return [
    `# Created by plumbline provision --family gitea --prefix ${prefix}; --remove deletes it again.`,
    ...lines({
      CODE_HOSTING_BASE_URL: baseUrl,
      CODE_HOSTING_USERNAME: main.username,
      CODE_HOSTING_PASSWORD: main.password,
      CODE_HOSTING_OTHER_USERNAME: other.username,
      CODE_HOSTING_OTHER_PASSWORD: other.password,
      CODE_HOSTING_PUBLIC_REPOSITORY: `${path}public`,
      CODE_HOSTING_PRIVATE_REPOSITORY: `${path}private`,
      CODE_HOSTING_ARCHIVED_CHANGE: `POST ${archivedFile} ${change}`,
      CODE_HOSTING_CONFLICT: `POST /api/v1/user/repos ${JSON.stringify({ name: `${prefix}public` })}`,
      CODE_HOSTING_NO_CONTENT: `PUT /api/v1/user/starred/${path}public`,
      CODE_HOSTING_READ_ISSUE: `GET /api/v1/repos/${path}public/issues`,
      CODE_HOSTING_READ_NOTIFICATION: 'GET /api/v1/notifications',
      ...(organization && { CODE_HOSTING_READ_ORGANIZATION: `GET /api/v1/orgs/${organization}` }),
      CODE_HOSTING_READ_PACKAGE: `GET /api/v1/packages/${main.username}`,
      CODE_HOSTING_READ_REPOSITORY: `GET /api/v1/repos/${path}public/hooks`,
      CODE_HOSTING_READ_ADMIN: 'GET /api/v1/admin/cron',
      CODE_HOSTING_TOKEN_LIST: `GET /api/v1/users/${main.username}/tokens`,
      CODE_HOSTING_RELEASE: 'GET /api/v1/version',
      ...provisioned.limitRequests,
      ...settingVariables(provisioned.settings),
      CODE_HOSTING_TOKEN_DELETE_PATH: '/api/v1/users/{username}/tokens/{name}',
      ...(admin && {
        CODE_HOSTING_ADMIN_USERNAME: admin.username,
        CODE_HOSTING_ADMIN_PASSWORD: admin.password,
      }),
    }),
    '',
  ].join('\n')
}
