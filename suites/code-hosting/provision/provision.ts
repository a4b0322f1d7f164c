import { randomBytes } from 'node:crypto'
import type { Provisioner, ProvisionWork } from '../../../lib/conformance/provisioner.ts'
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

type Outcome = Awaited<ReturnType<Provisioner['provision']>>

interface Work extends ProvisionWork {
  codeHosting: CodeHostingTarget
  admin: Account
  client: GiteaClient
  requests: Requests
}

/** A server takes longer than a request may last to commit more at once. */
const FILES_PER_COMMIT = 250

/** Returns 192 random bits after the characters that servers require: both cases, a digit, punctuation. */
const newPassword = () => `Pl1-${randomBytes(24).toString('base64url')}`

async function makeRepositories(
  { missing, different }: ProvisionPlan,
  { client, prefix, log }: Work,
): Promise<void> {
  const owner = accountName(prefix, 'main')
  for (const { archived, ...wanted } of missing) {
    await client.createRepository(owner, { ...wanted, description: markOf(prefix) })
    // The server archives existing repositories only.
    if (archived) await client.changeRepository(owner, wanted.name, { archived })
  }
  for (const { name, ...change } of different) await client.changeRepository(owner, name, change)
  if (missing.length > 0) log(`Made ${counted(missing.length, 'repository', 'repositories')}.\n`)
  if (different.length > 0)
    log(`Changed ${counted(different.length, 'repository', 'repositories')}.\n`)
}

/** Returns the name of the organization of the main account; undefined if the server allows none. */
async function makeOrganization(
  { organization }: Survey,
  { client, prefix, log }: Work,
): Promise<string | undefined> {
  const name = organizationName(prefix)
  if (organization !== undefined) return name
  const wanted = { name, description: markOf(prefix) }
  if (!(await client.createOrganization(accountName(prefix, 'main'), wanted))) return undefined
  log(`Made the organization ${name}.\n`)
  return name
}

/** Returns the requests for content that exceeds a limit; none if the server rejects the files. */
async function makeLimitContent(
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
  log(`Made ${counted(files.length, 'file', 'files')}.\n`)
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
    log(`Made the account ${username}.\n`)
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
    log(`Deleted the account ${username}, whose one-time codes nobody knows any more.\n`)
    account = await createOrRenew('otp', { ...found, accounts: {} }, work)
  }
  const enrolment = await enrol(requests, account)
  if ('secret' in enrolment) log(`Turned two-factor authentication of ${username} on.\n`)
  return { ...account, enrolment }
}

/**
 * Creates what is missing, and renews what cannot be read back: passwords, and the secret of the
 * one-time codes. Stopped or failed at any point, a repeat goes on from there.
 */
async function make(work: Work): Promise<Outcome> {
  const { codeHosting, client, prefix, log } = work
  const { baseUrl, otp } = codeHosting
  const found = await survey(client, prefix)
  const knownSecret = otp?.username === accountName(prefix, 'otp') ? otp.secret : undefined
  const plan = provisionPlan(found, knownSecret !== undefined, baseUrl)
  log(plan.description)
  if (!(await work.confirm())) return 'stopped'
  // Existing accounts come last: from then on an earlier environment file is invalid.
  const made = found.accounts.main ? undefined : await createOrRenew('main', found, work)
  await makeRepositories(plan, work)
  const main = made ?? (await createOrRenew('main', found, work))
  const organization = await makeOrganization(found, work)
  const limitRequests = await makeLimitContent(found.content, work)
  const other = await createOrRenew('other', found, work)
  const admin = work.includeAdmin ? work.admin : undefined
  const provisioned = { prefix, baseUrl, main, other, organization, limitRequests, admin }
  const secrets = [main, other, ...(admin ? [admin] : [])].map(({ password }) => password)
  // Before pages of the server are read: the passwords are kept, whatever the pages do.
  if (!work.write({ text: formatAccounts(provisioned), secrets })) return 'refused'
  const account = await createOtpAccount(found, knownSecret, work)
  const { text, remark } = formatOtpAccount(account, baseUrl)
  if (remark !== undefined) log(`In the environment file, as a comment:\n${remark}\n`)
  const { password, enrolment } = account
  const all = 'secret' in enrolment ? [password, enrolment.secret] : [password]
  return work.write({ text, secrets: all }) ? 'done' : 'refused'
}

/**
 * Deletes what the plan names. Repositories are deleted one by one, and accounts only once they own
 * nothing, so that nothing of another origin is deleted with them.
 */
async function remove(work: Work): Promise<Outcome> {
  const { codeHosting, client, prefix, log } = work
  const plan = removalPlan(await survey(client, prefix), codeHosting.baseUrl)
  const { accounts, organizations, repositories, leftAlone, mainStays } = plan
  if (accounts.length + organizations.length + repositories.length === 0) {
    for (const sentence of leftAlone) log(`Left alone: ${sentence}.\n`)
    log(`${mainStays ?? `Nothing that provision made with the prefix ${prefix} is there.`}\n`)
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
  const kept = mainStays ? [mainStays] : []
  for (const username of accounts) {
    try {
      await client.deleteAccount(username)
      log(`Deleted the account ${username}.\n`)
    } catch (error) {
      if (!(error instanceof ProvisionError) || error.status !== 422) throw error
      kept.push(`The account ${username} stays: ${error.message}`)
    }
  }
  for (const sentence of kept) log(`${sentence}\n`)
  return kept.length === 0 ? 'done' : 'refused'
}

async function provision(asked: ProvisionWork): Promise<Outcome> {
  const { target, redactor, log } = asked
  const codeHosting = serviceIn(target, 'codeHosting')
  const { admin } = codeHosting
  if (admin === undefined) throw new Error('the target has no administrator')
  redactor.addBasic(admin.username, 'CODE_HOSTING_ADMIN_PASSWORD', admin.password)
  const requests = createRequests(codeHosting.baseUrl, target.probe, asked, asked.interruption)
  let hasBegun = false
  const work: Work = {
    ...asked,
    ...{ codeHosting, admin, requests },
    client: createGiteaClient(requests, admin),
    async confirm() {
      hasBegun = await asked.confirm()
      if (!hasBegun) log('Nothing was changed.\n')
      return hasBegun
    },
  }
  try {
    return await (asked.remove ? remove(work) : make(work))
  } catch (error) {
    if (error instanceof ProvisionError) {
      log(`plumbline: ${error.message}\n`)
      return 'refused'
    }
    if (!(error instanceof Stopped || error instanceof TransportError)) throw error
    const rest = asked.remove ? '' : ', --remove takes it away'
    const changes = hasBegun
      ? `What was done stays: a repeat goes on from there${rest}`
      : 'Nothing was changed'
    log(`plumbline: ${error.message}. ${changes}.\n`)
    return 'stopped'
  } finally {
    await requests.close()
  }
}

export const provisioner: Provisioner = {
  required: {
    CODE_HOSTING_BASE_URL: 'it says where the server is',
    CODE_HOSTING_ADMIN_USERNAME: 'provision acts as a site administrator',
    CODE_HOSTING_ADMIN_PASSWORD: 'provision acts as a site administrator',
  },
  provision,
}
