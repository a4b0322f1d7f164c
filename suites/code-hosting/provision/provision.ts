import { randomBytes } from 'node:crypto'
import type {
  Provisioner,
  ProvisionOutcome,
  ProvisionWork,
} from '../../../lib/conformance/provisioner.ts'
import { TransportError } from '../../../lib/probe/exchange.ts'
import { counted } from '../../../lib/reports/format.ts'
import { serviceIn } from '../../service.ts'
import type { Account, CodeHostingTarget } from '../variables.ts'
import { formatAccounts, formatOtpAccount, type OtpAccount } from './environment.ts'
import { createGiteaClient, type GiteaClient } from './gitea-client.ts'
import type { LimitContent } from './limits.ts'
import {
  accountName,
  emailOf,
  markOf,
  organizationName,
  type ProvisionPlan,
  passwordVariables,
  provisionPlan,
  publicName,
  type Role,
  removalPlan,
  type Survey,
  survey,
} from './plan.ts'
import { createRequests, ProvisionError, type Requests, Stopped } from './requests.ts'
import { codeFieldOf, enrol, usesTwoFactor } from './two-factor.ts'

interface Work extends ProvisionWork {
  codeHosting: CodeHostingTarget
  admin: Account
  client: GiteaClient
  requests: Requests
}

/** Maximum number of files per commit, so that a request does not time out. */
const FILES_PER_COMMIT = 250

/** Returns 192 random bits after the characters that servers require: both cases, a digit, punctuation. */
const newPassword = () => `Pl1-${randomBytes(24).toString('base64url')}`

async function createRepositories(
  { missing, different }: ProvisionPlan,
  { client, prefix, log }: Work,
): Promise<void> {
  const owner = accountName(prefix, 'main')
  for (const { archived, ...repository } of missing) {
    await client.createRepository(owner, { ...repository, description: markOf(prefix) })
    // The server archives existing repositories only.
    if (archived) await client.changeRepository(owner, repository.name, { archived })
  }
  for (const { name, ...change } of different) await client.changeRepository(owner, name, change)
  if (missing.length > 0) log(`Created ${counted(missing.length, 'repository', 'repositories')}.\n`)
  if (different.length > 0)
    log(`Changed ${counted(different.length, 'repository', 'repositories')}.\n`)
}

/** Returns the name of the organization of the main account; undefined if the server allows none. */
async function createOrganization(
  { organization }: Survey,
  { client, prefix, log }: Work,
): Promise<string | undefined> {
  const name = organizationName(prefix)
  if (organization !== undefined) return name
  const record = { name, description: markOf(prefix) }
  if (!(await client.createOrganization(accountName(prefix, 'main'), record))) return undefined
  log(`Created the organization ${name}.\n`)
  return name
}

/** Returns the requests for content that exceeds a limit; none if the server rejects the files. */
async function addLimitContent(
  { files, requests }: LimitContent,
  { client, prefix, log }: Work,
): Promise<LimitContent['requests']> {
  const last = files.at(-1)
  if (last === undefined) return requests
  const repository = [accountName(prefix, 'main'), publicName(prefix)] as const
  // The files are added in their order.
  const exist = () => client.hasFile(...repository, last.path)
  if (await exist()) return requests
  for (let start = 0; start < files.length; start += FILES_PER_COMMIT) {
    await client.addFiles(...repository, files.slice(start, start + FILES_PER_COMMIT))
  }
  if (!(await exist())) return {}
  log(`Created ${counted(files.length, 'file', 'files')}.\n`)
  return requests
}

/** Creates an account, or sets a new password, since the old one cannot be read. */
async function createOrRenew(role: Role, { accounts }: Survey, work: Work): Promise<Account> {
  const { client, prefix, redactor, log } = work
  const record = accounts[role]
  const username = accountName(prefix, role)
  const account = { username, password: newPassword() }
  redactor.addBasic(username, passwordVariables[role], account.password)
  if (record === undefined) {
    await client.createAccount(account, { full_name: markOf(prefix), email: emailOf(username) })
    log(`Created the account ${username}.\n`)
  } else {
    await client.resetAccount(record, account.password)
    log(`Set a new password of the account ${username}.\n`)
  }
  return account
}

/** Creates or renews the account with two-factor authentication; an unknown secret requires a new account. */
async function createOtpAccount(
  found: Survey,
  knownSecret: string | undefined,
  work: Work,
): Promise<OtpAccount> {
  const { client, requests, log } = work
  let account = await createOrRenew('otp', found, work)
  const { username } = account
  if (found.accounts.otp !== undefined && (await usesTwoFactor(requests, account))) {
    const field = knownSecret && (await codeFieldOf(requests, account, knownSecret))
    if (knownSecret && field) return { ...account, enrolment: { secret: knownSecret, field } }
    // Turning it off requires a code, and the account owns nothing.
    await client.deleteAccount(username)
    log(`Deleted the account ${username}, since its two-factor secret is unknown.\n`)
    account = await createOrRenew('otp', { ...found, accounts: {} }, work)
  }
  const enrolment = await enrol(requests, account)
  if ('secret' in enrolment) log(`Turned on two-factor authentication of ${username}.\n`)
  return { ...account, enrolment }
}

/** Creates missing resources, and renews passwords and the two-factor secret. Can be repeated after a failure. */
async function create(work: Work): Promise<ProvisionOutcome> {
  const { codeHosting, client, prefix, log } = work
  const { baseUrl, otp } = codeHosting
  const found = await survey(client, prefix)
  const knownSecret = otp?.username === accountName(prefix, 'otp') ? otp.secret : undefined
  const plan = provisionPlan(found, knownSecret !== undefined, baseUrl)
  log(plan.description)
  if (!(await work.confirm())) return 'stopped'
  // Existing accounts come last: from then on an earlier environment file is invalid.
  const newMain = found.accounts.main ? undefined : await createOrRenew('main', found, work)
  await createRepositories(plan, work)
  const main = newMain ?? (await createOrRenew('main', found, work))
  const organization = await createOrganization(found, work)
  const limitRequests = await addLimitContent(found.content, work)
  const other = await createOrRenew('other', found, work)
  const admin = work.includeAdmin ? work.admin : undefined
  const provisioned = { prefix, baseUrl, main, other, organization, limitRequests, admin }
  const secrets = [main, other, ...(admin ? [admin] : [])].map(({ password }) => password)
  // Passwords are written before pages of the server are read, which may fail.
  if (!work.write({ text: formatAccounts(provisioned), secrets })) return 'refused'
  const account = await createOtpAccount(found, knownSecret, work)
  const { text, remark } = formatOtpAccount(account, baseUrl)
  if (remark !== undefined) log(`In the environment file, as a comment:\n${remark}\n`)
  const { password, enrolment } = account
  const all = 'secret' in enrolment ? [password, enrolment.secret] : [password]
  return work.write({ text, secrets: all }) ? 'done' : 'refused'
}

/**
 * Deletes the planned resources. Accounts are deleted only once they own nothing, so that no other
 * resource is deleted with them.
 */
async function remove(work: Work): Promise<ProvisionOutcome> {
  const { codeHosting, client, prefix, log } = work
  const plan = removalPlan(await survey(client, prefix), codeHosting.baseUrl)
  const { accounts, organizations, repositories, unchanged, mainStays } = plan
  if (accounts.length + organizations.length + repositories.length === 0) {
    for (const sentence of unchanged) log(`Unchanged: ${sentence}.\n`)
    log(`${mainStays ?? `There are no resources of provision with the prefix ${prefix}.`}\n`)
    return mainStays ? 'refused' : 'done'
  }
  log(plan.description)
  if (!(await work.confirm())) return 'stopped'
  const main = accountName(prefix, 'main')
  for (const name of repositories) await client.deleteRepository(main, name)
  if (repositories.length > 0)
    log(`Deleted ${counted(repositories.length, 'repository', 'repositories')} of ${main}.\n`)
  for (const name of organizations) {
    await client.deleteOrganization(name)
    log(`Deleted the organization ${name}.\n`)
  }
  const messages = mainStays ? [mainStays] : []
  for (const username of accounts) {
    try {
      await client.deleteAccount(username)
      log(`Deleted the account ${username}.\n`)
    } catch (error) {
      if (!(error instanceof ProvisionError) || error.status !== 422) throw error
      messages.push(`The account ${username} stays: ${error.message}`)
    }
  }
  for (const sentence of messages) log(`${sentence}\n`)
  return messages.length === 0 ? 'done' : 'refused'
}

async function provision(options: ProvisionWork): Promise<ProvisionOutcome> {
  const { target, redactor, log } = options
  const codeHosting = serviceIn(target, 'codeHosting')
  const { admin } = codeHosting
  if (admin === undefined) throw new Error('the target has no administrator')
  redactor.addBasic(admin.username, 'CODE_HOSTING_ADMIN_PASSWORD', admin.password)
  const requests = createRequests(codeHosting.baseUrl, target.probe, options, options.interruption)
  let isConfirmed = false
  const work: Work = {
    ...options,
    ...{ codeHosting, admin, requests },
    client: createGiteaClient(requests, admin),
    async confirm() {
      isConfirmed = await options.confirm()
      if (!isConfirmed) log('Nothing was changed.\n')
      return isConfirmed
    },
  }
  try {
    return await (options.remove ? remove(work) : create(work))
  } catch (error) {
    if (error instanceof ProvisionError) {
      log(`plumbline: ${error.message}\n`)
      return 'refused'
    }
    if (!(error instanceof Stopped || error instanceof TransportError)) throw error
    const rest = options.remove ? '' : ', --remove deletes them'
    const changes = isConfirmed
      ? `Changes stay: a repeated command continues${rest}`
      : 'Nothing was changed'
    log(`plumbline: ${error.message}. ${changes}.\n`)
    return 'stopped'
  } finally {
    await requests.close()
  }
}

export const provisioner: Provisioner = {
  required: {
    CODE_HOSTING_BASE_URL: 'it is the URL of the server',
    CODE_HOSTING_ADMIN_USERNAME: 'provision acts as a site administrator',
    CODE_HOSTING_ADMIN_PASSWORD: 'provision acts as a site administrator',
  },
  provision,
}
