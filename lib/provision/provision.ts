import type { Account } from '../../suites/code-hosting/variables.ts'
import { TransportError } from '../probe/exchange.ts'
import type { Redactor } from '../probe/redaction.ts'
import { counted } from '../reports/run-words.ts'
import {
  accountsPart,
  type EnvironmentPart,
  type OtpAccount,
  otpPart,
  type Provisioned,
  type ProvisionTarget,
} from './environment.ts'
import { createGiteaClient, type GiteaClient, type RepositoryRecord } from './gitea-client.ts'
import { addLimitContent, hasLimitContent } from './limits.ts'
import {
  accountName,
  emailOf,
  markOf,
  newPassword,
  organizationName,
  type ProvisionPlan,
  passwordVariables,
  provisionPlan,
  publicName,
  type Role,
  removalPlan,
  type Survey,
  survey,
  type WantedRepository,
} from './plan.ts'
import { createRequests, Refusal, type Requests, Stopped } from './requests.ts'
import { codeFieldOf, enrol, usesTwoFactor } from './two-factor.ts'

/** `refused`: the server did not do something. `stopped`: nobody agreed or answered, or it was stopped. */
type ProvisionOutcome = 'done' | 'refused' | 'stopped'

interface Provision {
  target: ProvisionTarget
  prefix: string
  remove?: boolean
  includeAdmin?: boolean
  userAgent: string
  redactor: Redactor
  interruption: AbortSignal
  tell: (text: string) => void
  agreed: () => Promise<boolean>
  /** Adds a part to the environment file; false where it could not be written. */
  write: (part: EnvironmentPart) => boolean
}

type Work = Provision & { client: GiteaClient; requests: Requests }

/** @throws Refusal where the server made or left it otherwise */
function requireAsWanted({ name, ...record }: RepositoryRecord, wanted: WantedRepository): void {
  for (const property of ['private', 'archived'] as const) {
    if (record[property] === wanted[property]) continue
    throw new Refusal(
      `The server has the repository ${wanted.name} with ${property}: ${record[property]}, although it ` +
        `was asked for ${wanted[property]}. Does its configuration (such as FORCE_PRIVATE) say so?`,
    )
  }
}

async function makeRepositories(
  { missing, different }: ProvisionPlan,
  { client, prefix, tell }: Work,
): Promise<void> {
  const owner = accountName(prefix, 'main')
  for (const wanted of missing) {
    const { archived, ...asked } = wanted
    let made = await client.createRepository(owner, { ...asked, description: markOf(prefix) })
    // The family archives a repository only once it is there.
    if (archived) made = await client.changeRepository(owner, wanted.name, { archived })
    requireAsWanted(made, wanted)
  }
  for (const wanted of different) {
    const { name, ...change } = wanted
    requireAsWanted(await client.changeRepository(owner, name, change), wanted)
  }
  if (missing.length > 0) tell(`Made ${counted(missing.length, 'repository', 'repositories')}.\n`)
  if (different.length > 0)
    tell(`Put ${counted(different.length, 'repository', 'repositories')} right.\n`)
}

/** Returns true if there is an organization that the main account owns in the end. */
async function makeOrganization(
  { organization }: Survey,
  { client, prefix, tell }: Work,
): Promise<boolean> {
  if (organization !== undefined) return true
  const wanted = { name: organizationName(prefix), description: markOf(prefix) }
  const isMade = await client.createOrganization(accountName(prefix, 'main'), wanted)
  if (isMade) tell(`Made the organization ${wanted.name}.\n`)
  return isMade
}

/** Returns the requests for what goes beyond a limit; none if the server refuses the files. */
async function makeLimitContent(
  { content: { files, requests }, hasContent }: Survey,
  { client, prefix, tell }: Work,
): Promise<Provisioned['limitRequests']> {
  if (hasContent) return requests
  const repository = [accountName(prefix, 'main'), publicName(prefix)] as const
  await addLimitContent(client, ...repository, files)
  const isMade = await hasLimitContent(client, ...repository, files)
  if (isMade) tell(`Made ${counted(files.length, 'file', 'files')}.\n`)
  return isMade ? requests : {}
}

/** Makes the accounts of a prefix, or gives them new passwords, since nobody can read the old ones. */
function accountMaker({ accounts: found }: Survey, knownSecret: string | undefined, work: Work) {
  const { client, requests, prefix, redactor, tell } = work

  async function createOrRenew(role: Role): Promise<Account> {
    const record = found[role]
    const username = accountName(prefix, role)
    const account = { username, password: newPassword() }
    redactor.addBasic(username, passwordVariables[role], account.password)
    if (record === undefined) {
      await client.createAccount(account, { full_name: markOf(prefix), email: emailOf(username) })
      tell(`Made the account ${username}.\n`)
    } else {
      await client.resetAccount(record, account.password)
      tell(`Set a new password of the account ${username}.\n`)
    }
    return account
  }

  /** The account with two-factor authentication; it is made anew where nobody knows its secret. */
  async function otp(): Promise<OtpAccount> {
    let account = await createOrRenew('otp')
    if (found.otp !== undefined && (await usesTwoFactor(requests, account))) {
      const field = knownSecret && (await codeFieldOf(requests, account, knownSecret))
      if (knownSecret && field) return { ...account, enrolment: { secret: knownSecret, field } }
      // Nobody can turn it off without a code, and the account owns nothing.
      await client.deleteAccount(account.username)
      tell(`Deleted the account ${account.username}, whose one-time codes nobody knows any more.\n`)
      found.otp = undefined
      account = await createOrRenew('otp')
    }
    const enrolment = await enrol(requests, account)
    const on = `Turned two-factor authentication of ${account.username} on.\n`
    if ('secret' in enrolment) tell(on)
    return { ...account, enrolment }
  }

  return { createOrRenew, otp }
}

/**
 * Makes what is missing, and renews what cannot be read back: passwords, and the secret of the
 * one-time codes. Stopped or failed at any point, a repeat goes on from there.
 */
async function make(work: Work): Promise<ProvisionOutcome> {
  const { target, client, prefix, tell } = work
  const { baseUrl, otp: configured } = target.codeHosting
  const found = await survey(client, prefix)
  const knownSecret =
    configured?.username === accountName(prefix, 'otp') ? configured.secret : undefined
  const plan = provisionPlan(found, knownSecret !== undefined, baseUrl)
  tell(plan.description)
  if (!(await work.agreed())) return 'stopped'
  const accounts = accountMaker(found, knownSecret, work)
  // Those that are there come last, since an environment file of before does not hold any more then.
  const made = found.accounts.main ? undefined : await accounts.createOrRenew('main')
  await makeRepositories(plan, work)
  const main = made ?? (await accounts.createOrRenew('main'))
  const hasOrganization = await makeOrganization(found, work)
  const limitRequests = await makeLimitContent(found, work)
  const other = await accounts.createOrRenew('other')
  const { settings } = found
  const admin = work.includeAdmin ? target.admin : undefined
  function isWritten(part: EnvironmentPart): boolean {
    for (const remark of part.remarks) tell(`In the environment file, as a comment:\n${remark}\n`)
    return work.write(part)
  }
  // Before pages of the server are read: whatever comes of them, the passwords that are set are kept.
  const provisioned = {
    ...{ prefix, baseUrl, main, other, settings, admin },
    organization: hasOrganization ? organizationName(prefix) : undefined,
    limitRequests,
  }
  if (!isWritten(accountsPart(provisioned))) return 'refused'
  return isWritten(otpPart(await accounts.otp(), baseUrl)) ? 'done' : 'refused'
}

/**
 * Takes away what the plan names. Repositories go one by one, and accounts only when they own
 * nothing any more: what somebody else put there is never deleted with them.
 */
async function remove({ target, client, prefix, tell, agreed }: Work): Promise<ProvisionOutcome> {
  const plan = removalPlan(await survey(client, prefix), target.codeHosting.baseUrl)
  const { accounts, organizations, repositories, leftAlone, mainStays } = plan
  if (accounts.length + organizations.length + repositories.length === 0) {
    for (const sentence of leftAlone) tell(`Left alone: ${sentence}.\n`)
    tell(`${mainStays || `Nothing that provision made with the prefix ${prefix} is there.`}\n`)
    return mainStays ? 'refused' : 'done'
  }
  tell(plan.description)
  if (!(await agreed())) return 'stopped'
  const main = accountName(prefix, 'main')
  for (const name of repositories) await client.deleteRepository(main, name)
  if (repositories.length > 0)
    tell(`Deleted ${counted(repositories.length, 'repository', 'repositories')} of ${main}.\n`)
  for (const name of organizations) {
    await client.deleteOrganization(name)
    tell(`Deleted the organization ${name}.\n`)
  }
  const kept = mainStays ? [mainStays] : []
  for (const username of accounts) {
    try {
      await client.deleteAccount(username)
      tell(`Deleted the account ${username}.\n`)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 422) throw error
      kept.push(`The account ${username} stays: ${error.message}`)
    }
  }
  for (const sentence of kept) tell(`${sentence}\n`)
  return kept.length === 0 ? 'done' : 'refused'
}

export async function provision(asked: Provision): Promise<ProvisionOutcome> {
  const { target, tell, interruption } = asked
  const { codeHosting, admin, limits } = target
  asked.redactor.addBasic(admin.username, 'CODE_HOSTING_ADMIN_PASSWORD', admin.password)
  const requests = createRequests(codeHosting.baseUrl, limits, asked, interruption)
  let hasBegun = false
  const work: Work = {
    ...asked,
    requests,
    client: createGiteaClient(requests, admin),
    async agreed() {
      hasBegun = await asked.agreed()
      if (!hasBegun) tell('Nothing was changed.\n')
      return hasBegun
    },
  }
  try {
    return await (asked.remove ? remove(work) : make(work))
  } catch (error) {
    if (error instanceof Refusal) {
      tell(`plumbline: ${error.message}\n`)
      return 'refused'
    }
    if (!(error instanceof Stopped || error instanceof TransportError)) throw error
    const rest = asked.remove ? '' : ', --remove takes it away'
    const changes = hasBegun
      ? `What was done stays: a repeat goes on from there${rest}`
      : 'Nothing was changed'
    tell(`plumbline: ${error.message}. ${changes}.\n`)
    return 'stopped'
  } finally {
    await requests.close()
  }
}
