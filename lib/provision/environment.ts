import type { Account, CodeHostingTarget } from '../../suites/code-hosting/variables.ts'
import type { LoadedTarget } from '../environment/environment.ts'
import type { Problem } from '../environment/problems.ts'
import {
  type EnvironmentOptions,
  environmentLine,
  readEnvironment,
} from '../environment/read-environment.ts'
import type { ProbeLimits, Target } from '../environment/target.ts'
import { type SettingsRecord, settingVariables } from './gitea-client.ts'
import { type Enrolment, SECURITY_PATH } from './two-factor.ts'

export interface Provisioned {
  prefix: string
  baseUrl: string
  main: Account
  other: Account
  settings: SettingsRecord
  /** Its name, if there is one. */
  organization?: string | undefined
  /** Requests for what goes beyond a limit, by variable. */
  limitRequests: Readonly<Record<string, string>>
  /** Written with their password; otherwise a comment says what is missing. */
  admin?: Account
}

/** The account with two-factor authentication. */
export type OtpAccount = Account & { enrolment: Enrolment }

/** A part of an environment file. */
export interface EnvironmentPart {
  text: string
  /** The comments in it that are shown to the operator too. */
  remarks: string[]
  /** The secrets in its text. */
  secrets: string[]
}

const lines = (values: Record<string, string>) =>
  Object.entries(values).map((entry) => environmentLine(...entry))
const comment = (text: string) => text.split('\n').map((line) => `# ${line}`)

function otherSettings(settings: SettingsRecord): string[] {
  return Object.entries(settings).flatMap(([field, value]) => {
    const variable = settingVariables[field as keyof SettingsRecord]
    return value === variable.default ? [] : [environmentLine(variable.name, String(value))]
  })
}

/** Why the account with two-factor authentication is only a comment, where it is. */
function otpRemark({ username, enrolment }: OtpAccount, baseUrl: string) {
  if ('reason' in enrolment) {
    return (
      `Two-factor authentication of ${username} could not be turned on:\n${enrolment.reason}.\n` +
      `Sign in with the password below, turn it on at\n${baseUrl}${SECURITY_PATH}, put the secret ` +
      'that is shown there below,\nand take the # away; with these variables a repeat keeps it.'
    )
  }
  if (enrolment.field !== 'X-Gitea-OTP') return undefined
  return (
    'The server takes one-time codes in X-Gitea-OTP, and not in X-Service-OTP, where the document\n' +
    `has them: a run can create no token as ${username}. Take the # away where that is mended.`
  )
}

/** The requests that provision cannot write, each with what it needs. */
function missingRequests({ organization, limitRequests }: Provisioned): string[] {
  const missing = {
    CODE_HOSTING_READ_ACTIVITYPUB: 'a path below /api/v1/activitypub, where federation is enabled',
    ...(organization === undefined && {
      CODE_HOSTING_READ_ORGANIZATION: 'an organization that the main account may see',
    }),
    CODE_HOSTING_LARGE_TREE: 'a tree with more entries than the server returns at once',
    CODE_HOSTING_LARGE_BLOB: 'a blob that is larger than the server returns',
    CODE_HOSTING_LARGE_FILES: 'files that are together larger than the server returns',
  }
  return Object.entries(missing)
    .filter(([name]) => limitRequests[name] === undefined)
    .map(([name, what]) => `${name} needs ${what}.`)
}

// What the server says of itself is what a run judges: it cannot be its own measure.
const settingsRemark =
  'The server says that these of its settings are not those of the document. Take the # away\n' +
  'where its configuration file says the same.'

/** Describes everything that was made but the account with two-factor authentication. */
export function accountsPart(provisioned: Provisioned): EnvironmentPart {
  const { prefix, baseUrl, main, other, settings, admin, organization } = provisioned
  const path = `${main.username}/${prefix}`
  const archivedFile = `/api/v1/repos/${path}archived/contents/plumbline.txt`
  const change = JSON.stringify({ content: 'eA==', message: 'A change that is to be refused' })
  const different = otherSettings(settings)
  const text = [
    ...comment(
      `Made by plumbline provision --family gitea --prefix ${prefix}; with --remove it goes again.`,
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
      CODE_HOSTING_TOKEN_DELETE_PATH: '/api/v1/users/{username}/tokens/{name}',
    }),
    '',
    ...missingRequests(provisioned).flatMap(comment),
    '',
    ...(admin === undefined
      ? comment(
          'For sudo, set CODE_HOSTING_ADMIN_USERNAME and CODE_HOSTING_ADMIN_PASSWORD in the process\n' +
            'environment, or let provision write them here (--include-admin).',
        )
      : lines({
          CODE_HOSTING_ADMIN_USERNAME: admin.username,
          CODE_HOSTING_ADMIN_PASSWORD: admin.password,
        })),
    ...(different.length === 0 ? [] : ['', ...comment([settingsRemark, ...different].join('\n'))]),
    '',
  ].join('\n')
  const secrets = [main, other, ...(admin === undefined ? [] : [admin])]
  return {
    text,
    remarks: different.length === 0 ? [] : [settingsRemark],
    secrets: secrets.map(({ password }) => password),
  }
}

/** Describes the account with two-factor authentication, as a comment where it is of no use yet. */
export function otpPart(otp: OtpAccount, baseUrl: string): EnvironmentPart {
  const secret = 'secret' in otp.enrolment ? otp.enrolment.secret : ''
  const rows = lines({
    CODE_HOSTING_OTP_USERNAME: otp.username,
    CODE_HOSTING_OTP_PASSWORD: otp.password,
    CODE_HOSTING_OTP_SECRET: secret,
  })
  const remark = otpRemark(otp, baseUrl)
  const shown = remark === undefined ? rows : comment([remark, ...rows].join('\n'))
  return {
    text: ['', ...shown, ''].join('\n'),
    remarks: remark === undefined ? [] : [remark],
    secrets: [otp.password, ...(secret === '' ? [] : [secret])],
  }
}

const needed = {
  CODE_HOSTING_BASE_URL: 'it says where the server is',
  CODE_HOSTING_ADMIN_USERNAME: 'provision acts as a site administrator',
  CODE_HOSTING_ADMIN_PASSWORD: 'provision acts as a site administrator',
}

export interface ProvisionTarget {
  configured: Target
  codeHosting: CodeHostingTarget
  admin: Account
  limits: ProbeLimits
}

export function provisionTarget(
  options: EnvironmentOptions,
  loaded: LoadedTarget,
): ProvisionTarget | { problems: Problem[] } {
  if ('target' in loaded) {
    const { codeHosting, probe: limits } = loaded.target
    const admin = codeHosting?.admin
    if (codeHosting && admin) return { configured: loaded.target, codeHosting, admin, limits }
  }
  const { settings, problem } = readEnvironment(options)
  // What seems to be missing may well be in the file that could not be read.
  const missing = Object.entries(needed)
    .filter(([variable]) => !settings.has(variable) && problem === undefined)
    .map(([variable, why]): Problem => ({ variable, message: `is not set: ${why}` }))
  const others = 'problems' in loaded ? loaded.problems : []
  const named = missing.map(({ variable }) => variable)
  return { problems: [...missing, ...others.filter(({ variable }) => !named.includes(variable))] }
}
