import { randomBytes } from 'node:crypto'
import type {
  Provisioner,
  ProvisionOutcome,
  ProvisionWork,
} from '../../../lib/conformance/provisioner.ts'
import { TransportError } from '../../../lib/probe/exchange.ts'
import { counted } from '../../../lib/text/quantities.ts'
import { serviceIn } from '../../service.ts'
import type { Account, CodeHostingTarget } from '../variables.ts'
import { formatAccounts } from './environment.ts'
import {
  GiteaClient,
  ProvisionError,
  path,
  readAccount,
  readRecord,
  Stopped,
} from './gitea-client.ts'
import {
  emailOf,
  type LimitContent,
  type Names,
  namesOf,
  type ProvisionPlan,
  passwordVariables,
  provisionPlan,
  type Role,
  removalPlan,
  type Survey,
  survey,
} from './plan.ts'

interface Work extends ProvisionWork {
  codeHosting: CodeHostingTarget
  admin: Account
  client: GiteaClient
  names: Names
}

/** Maximum number of files per commit, so that a request does not time out. */
const FILES_PER_COMMIT = 250

/** Returns 192 random bits after the characters that servers require: both cases, a digit, punctuation. */
const newPassword = () => `Pl1-${randomBytes(24).toString('base64url')}`

const countRepositories = (number: number) => counted(number, 'repository', 'repositories')

async function createRepositories(
  { missing, different }: ProvisionPlan,
  { client, names: { main, mark }, log }: Work,
): Promise<void> {
  async function change(name: string, changes: object) {
    const exchange = await client.api('PATCH', path`/repos/${main}/${name}`, [200], changes)
    readRecord('a repository', exchange)
  }
  for (const { archived, ...repository } of missing) {
    const record = { ...repository, description: mark, auto_init: false }
    const created = await client.api('POST', path`/admin/users/${main}/repos`, [201], record)
    readRecord('a repository', created)
    // The server archives existing repositories only.
    if (archived) await change(repository.name, { archived })
  }
  for (const { name, ...changes } of different) await change(name, changes)
  if (missing.length > 0) log(`Created ${countRepositories(missing.length)}.\n`)
  if (different.length > 0) log(`Changed ${countRepositories(different.length)}.\n`)
}

/** Returns the name of the organization of the main account; undefined if the server allows none. */
async function createOrganization(
  { organization }: Survey,
  { client, names: { main, mark, organization: name }, log }: Work,
): Promise<string | undefined> {
  if (organization !== undefined) return name
  const record = { name, username: name, description: mark, visibility: 'public' }
  const accepted = [201, 403, 404, 422]
  const { status } = await client.api('POST', path`/admin/users/${main}/orgs`, accepted, record)
  if (status !== 201) return undefined
  log(`Created the organization ${name}.\n`)
  return name
}

/** Returns the requests for content that exceeds a limit; none if the server rejects the files. */
async function addLimitContent(
  { content: { files, requests }, names }: Survey,
  { client, log }: Work,
): Promise<LimitContent['requests']> {
  const last = files.at(-1)
  if (last === undefined) return requests
  const contents = path`/repos/${names.main}/${names.publicRepository}/contents`
  // The files are added in their order.
  async function exist() {
    const accepted = [200, 403, 404, 409, 500]
    return (await client.api('GET', `${contents}/${last?.path}`, accepted)).status === 200
  }
  if (await exist()) return requests
  for (let start = 0; start < files.length; start += FILES_PER_COMMIT) {
    const added = files.slice(start, start + FILES_PER_COMMIT)
    // Older servers reject several files in one commit.
    await client.api('POST', contents, [201, 400, 403, 404, 405, 409, 413, 422, 500], {
      message: 'Files for the limits of the API',
      files: added.map((file) => ({ operation: 'create', ...file })),
    })
  }
  if (!(await exist())) return {}
  log(`Created ${counted(files.length, 'file', 'files')}.\n`)
  return requests
}

/** Creates an account, or sets a new password, since the old one cannot be read. */
async function createOrRenew(role: Role, { accounts }: Survey, work: Work): Promise<Account> {
  const { client, names, redactor, log } = work
  const existing = accounts[role]
  const username = names[role]
  const password = newPassword()
  redactor.addBasic(username, passwordVariables[role], password)
  // Rights of each account: see public repositories, and create some.
  const rights = { restricted: false, max_repo_creation: 1000 }
  const credentials = { password, must_change_password: false }
  if (existing === undefined) {
    const mark = { full_name: names.mark, email: emailOf(username), visibility: 'public' }
    const account = { username, ...credentials, ...mark, send_notify: false }
    const created = await client.api('POST', '/admin/users', [201], account)
    await client.changeAccount(readAccount(username, created), rights)
    log(`Created the account ${username}.\n`)
  } else {
    const usable = { active: true, prohibit_login: false }
    await client.changeAccount(existing, { ...credentials, ...usable, ...rights })
    log(`Set a new password of the account ${username}.\n`)
  }
  return { username, password }
}

/** Creates missing resources, and renews passwords. Can be repeated after a failure. */
async function create(work: Work): Promise<ProvisionOutcome> {
  const { codeHosting, client, names, log } = work
  const { baseUrl } = codeHosting
  const found = await survey(client, names)
  const plan = provisionPlan(found)
  log(plan.description)
  if (!(await work.confirm())) return 'stopped'
  // Existing accounts come last: from then on an earlier environment file is invalid.
  const newMain = found.accounts.main ? undefined : await createOrRenew('main', found, work)
  await createRepositories(plan, work)
  const main = newMain ?? (await createOrRenew('main', found, work))
  const organization = await createOrganization(found, work)
  const limitRequests = await addLimitContent(found, work)
  const other = await createOrRenew('other', found, work)
  const admin = work.includeAdmin ? work.admin : undefined
  const accounts = {
    prefix: names.prefix,
    baseUrl,
    main,
    other,
    organization,
    limitRequests,
    settings: found.settings,
    admin,
  }
  const secrets = [main, other, ...(admin ? [admin] : [])].map(({ password }) => password)
  return work.write({ text: formatAccounts(accounts), secrets }) ? 'done' : 'failed'
}

/**
 * Deletes the planned resources. Accounts are deleted only once they own nothing, so that no other
 * resource is deleted with them.
 */
async function remove(work: Work): Promise<ProvisionOutcome> {
  const { client, names, log } = work
  const plan = removalPlan(await survey(client, names))
  const { accounts, organizations, repositories, unchanged, mainStays } = plan
  if (accounts.length + organizations.length + repositories.length === 0) {
    for (const sentence of unchanged) log(`Unchanged: ${sentence}.\n`)
    log(`${mainStays ?? `There are no resources of provision with the prefix ${names.prefix}.`}\n`)
    return mainStays ? 'failed' : 'done'
  }
  log(plan.description)
  if (!(await work.confirm())) return 'stopped'
  for (const name of repositories) await client.delete(path`/repos/${names.main}/${name}`)
  if (repositories.length > 0) {
    log(`Deleted ${countRepositories(repositories.length)} of ${names.main}.\n`)
  }
  for (const name of organizations) {
    await client.delete(path`/orgs/${name}`)
    log(`Deleted the organization ${name}.\n`)
  }
  const messages = mainStays ? [mainStays] : []
  for (const username of accounts) {
    try {
      await client.delete(path`/admin/users/${username}`)
      log(`Deleted the account ${username}.\n`)
    } catch (error) {
      if (!(error instanceof ProvisionError) || error.status !== 422) throw error
      messages.push(`The account ${username} stays: ${error.message}`)
    }
  }
  for (const sentence of messages) log(`${sentence}\n`)
  return messages.length === 0 ? 'done' : 'failed'
}

async function provision(options: ProvisionWork): Promise<ProvisionOutcome> {
  const { target, prefix, redactor, log } = options
  const codeHosting = serviceIn(target, 'codeHosting')
  const { admin } = codeHosting
  if (admin === undefined) throw new Error('the target has no administrator')
  redactor.addBasic(admin.username, 'CODE_HOSTING_ADMIN_PASSWORD', admin.password)
  const client = new GiteaClient(codeHosting.baseUrl, admin, options)
  let isConfirmed = false
  const work: Work = {
    ...options,
    ...{ codeHosting, admin, client, names: namesOf(prefix) },
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
      return 'failed'
    }
    if (!(error instanceof Stopped || error instanceof TransportError)) throw error
    const rest = options.remove ? '' : ', --remove deletes them'
    const changes = isConfirmed
      ? `Changes stay: a repeated command continues${rest}`
      : 'Nothing was changed'
    log(`plumbline: ${error.message}. ${changes}.\n`)
    return 'stopped'
  } finally {
    await client.close()
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
