import { environmentLine } from '../../../lib/environment/read-environment.ts'
import { type Account, codeHostingVariables } from '../variables.ts'
import type { SettingsRecord } from './gitea-client.ts'
import { type Enrolment, SECURITY_PATH } from './two-factor.ts'

export type OtpAccount = Account & { enrolment: Enrolment }

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
const comment = (text: string) => text.split('\n').map((line) => `# ${line}`)

function otpRemark({ username, enrolment }: OtpAccount, baseUrl: string) {
  if ('reason' in enrolment) {
    return (
      `Two-factor authentication of ${username} could not be turned on:\n${enrolment.reason}.\n` +
      `Sign in with the password below, turn it on at\n${baseUrl}${SECURITY_PATH}, put the secret ` +
      'that is shown there below,\nand remove the #; with these variables a repeat keeps it.'
    )
  }
  if (enrolment.field !== 'X-Gitea-OTP') return undefined
  return (
    'The server reads one-time codes from X-Gitea-OTP, and not from the documented X-Service-OTP:\n' +
    `a run cannot create tokens as ${username}. Remove the # if a proxy renames the field.`
  )
}

/** Returns the environment file without the account with two-factor authentication. */
export function formatAccounts(provisioned: Provisioned): string {
  const { prefix, baseUrl, main, other, admin, organization } = provisioned
  const path = `${main.username}/${prefix}`
  const archivedFile = `/api/v1/repos/${path}archived/contents/plumbline.txt`
  const change = JSON.stringify({ content: 'eA==', message: 'A change that must be rejected' })
  return [
    ...comment(
      `Created by plumbline provision --family gitea --prefix ${prefix}; --remove deletes it again.`,
    ),
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

/** Returns the lines of the account with two-factor authentication, commented out if it cannot be used. */
export function formatOtpAccount(account: OtpAccount, baseUrl: string) {
  const { username, password, enrolment } = account
  const rows = lines({
    CODE_HOSTING_OTP_USERNAME: username,
    CODE_HOSTING_OTP_PASSWORD: password,
    CODE_HOSTING_OTP_SECRET: 'secret' in enrolment ? enrolment.secret : '',
  })
  const remark = otpRemark(account, baseUrl)
  const output = remark === undefined ? rows : comment([remark, ...rows].join('\n'))
  return { text: ['', ...output, ''].join('\n'), remark }
}
