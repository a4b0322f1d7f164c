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

/** What was made, and what an environment file tells of it. */
export interface Provisioned {
  prefix: string
  baseUrl: string
  main: Account
  other: Account
  otp: Account & { enrolment: Enrolment }
  settings: SettingsRecord
  /** Written with their password; otherwise a comment says what is missing. */
  admin?: Account
}

const lines = (values: Record<string, string>) =>
  Object.entries(values).map((entry) => environmentLine(...entry))
const comment = (text: string) => text.split('\n').map((line) => `# ${line}`)

/** Settings of which the server says something else than the document, as lines of an environment file. */
export function otherSettings(settings: SettingsRecord): string[] {
  return Object.entries(settings).flatMap(([field, value]) => {
    const variable = settingVariables[field as keyof SettingsRecord]
    return value === variable.default ? [] : [environmentLine(variable.name, String(value))]
  })
}

// What the server says of itself is what a run judges: it cannot be its own measure.
const settingsHeading =
  'The server says these of its settings, which are not those of the document. Take the # away\n' +
  'where its configuration file says the same.'

function otpLines({ username, password, enrolment }: Provisioned['otp'], baseUrl: string) {
  const isOn = 'secret' in enrolment
  const known = lines({
    CODE_HOSTING_OTP_USERNAME: username,
    CODE_HOSTING_OTP_PASSWORD: password,
    CODE_HOSTING_OTP_SECRET: isOn ? enrolment.secret : '',
  })
  if (isOn && enrolment.field !== 'X-Gitea-OTP') return known
  const heading = isOn
    ? 'This server takes one-time codes in X-Gitea-OTP, and not in X-Service-OTP, where the document\n' +
      'has them: a run can create no token as this account. Take the # away where that is mended.'
    : `Two-factor authentication could not be turned on. Sign in as ${username}, turn it on at\n` +
      `${baseUrl}${SECURITY_PATH}, put the secret that is shown there below, and take the # away.`
  return comment([heading, ...known].join('\n'))
}

function adminLines(admin: Account | undefined): string[] {
  if (admin === undefined) {
    return comment(
      'For sudo, set CODE_HOSTING_ADMIN_USERNAME and CODE_HOSTING_ADMIN_PASSWORD in the process\n' +
        'environment, or let provision write them here (--include-admin).',
    )
  }
  return lines({
    CODE_HOSTING_ADMIN_USERNAME: admin.username,
    CODE_HOSTING_ADMIN_PASSWORD: admin.password,
  })
}

/** The environment file for a run that judges everything that was made for it. */
export function environmentText(provisioned: Provisioned): string {
  const { prefix, baseUrl, main, other, otp, settings, admin } = provisioned
  const path = `${main.username}/${prefix}`
  const archivedFile = `/api/v1/repos/${path}archived/contents/plumbline.txt`
  const change = JSON.stringify({ content: 'eA==', message: 'A change that is to be refused' })
  const different = otherSettings(settings)
  return [
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
      CODE_HOSTING_TOKEN_DELETE_PATH: '/api/v1/users/{username}/tokens/{name}',
    }),
    '',
    ...otpLines(otp, baseUrl),
    '',
    ...adminLines(admin),
    ...(different.length === 0 ? [] : ['', ...comment([settingsHeading, ...different].join('\n'))]),
    '',
  ].join('\n')
}

const needed = {
  CODE_HOSTING_BASE_URL: 'it says where the server is',
  CODE_HOSTING_ADMIN_USERNAME: 'provision acts as a site administrator',
  CODE_HOSTING_ADMIN_PASSWORD: 'provision acts as a site administrator',
}

/** The server on which something is made, and as whom. */
export interface ProvisionTarget {
  configured: Target
  codeHosting: CodeHostingTarget
  admin: Account
  limits: ProbeLimits
}

/** The target that the environment describes, or everything that is wrong with it. */
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
