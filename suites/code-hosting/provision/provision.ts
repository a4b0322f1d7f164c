import { randomBytes } from 'node:crypto'
import type {
  Provisioner,
  ProvisionResult,
  ProvisionWork,
} from '../../../lib/conformance/provisioner.ts'
import { environmentLine } from '../../../lib/doctor/environment-template.ts'
import { TransportError } from '../../../lib/probe/exchange.ts'
import { printableSentence } from '../../../lib/text/printable.ts'
import { serviceIn } from '../../service.ts'
import { type Account, codeHostingVariables } from '../variables.ts'
import { type Fields, GiteaClient, ProvisionError, shows } from './gitea-client.ts'
import {
  accountResource,
  organizationResource,
  type Resource,
  repositoryNames,
  repositoryResource,
  treeResource,
} from './resources.ts'
import { carryOut } from './steps.ts'

interface Work extends ProvisionWork {
  baseUrl: string
  admin: Account
  main: Account
  other: Account
  client: GiteaClient
}

/** A resource and its record on the server; undefined if it does not exist. */
interface Found {
  resource: Resource
  record: Fields | undefined
}

/** Maximum number of repositories, to limit the load on the server. */
const MAX_REPOSITORIES = 401

/** Statuses of what a server does not allow or support. */
const REJECTIONS = [400, 403, 404, 405, 409, 413, 422, 500]

/** Returns an account with 192 random bits after the characters that servers require in a password. */
const newAccount = (username: string): Account => ({
  username,
  password: `Pl1-${randomBytes(24).toString('base64url')}`,
})

const look = ({ path, isOptional }: Resource, client: GiteaClient) =>
  client.find(path, isOptional ? REJECTIONS : [])

/** Returns why provision must not change a resource; undefined for its own, and for a missing one. */
function conflictOf({ resource: { name, mark }, record }: Found): string | undefined {
  const differs = ([field, value]: [string, unknown]) => record && record[field] !== value
  const [field, value] = Object.entries(mark).find(differs) ?? []
  if (field === undefined) return undefined
  return `${name} was not created by provision: its ${field} is not ${JSON.stringify(value)}`
}

const isOwn = (one: Found) => one.record !== undefined && conflictOf(one) === undefined

/** Returns the accounts and the organization, and the repositories of the main account if it is provision's own. */
async function survey({ client, main, other, prefix }: Work) {
  const owners: Found[] = []
  const resources = [
    accountResource(main, prefix, 'CODE_HOSTING'),
    accountResource(other, prefix, 'CODE_HOSTING_OTHER'),
    organizationResource(main.username, prefix),
  ]
  for (const resource of resources) {
    owners.push({ resource, record: await look(resource, client) })
  }
  const isMainOwn = owners.slice(0, 1).some(isOwn)
  const records = isMainOwn ? await client.repositories(main.username) : new Map<string, Fields>()
  return { owners, records }
}

/** Creates a missing resource, and sets what is not as it should be. Returns false if an optional one is rejected. */
async function bringAbout({ resource, record }: Found, client: GiteaClient): Promise<boolean> {
  const { adminPath, create, isOptional, path, state } = resource
  let current = record
  if (record === undefined) {
    const accepted = isOptional ? [201, ...REJECTIONS] : [201]
    for (const request of create) {
      const { json } = await client.send('POST', request.path, accepted, request.body)
      if (!isOptional) current = Object(json) as Fields
    }
    current ??= await look(resource, client)
  }
  if (current === undefined) return false
  const conflict = conflictOf({ resource, record: current })
  if (conflict !== undefined) throw new ProvisionError(`${conflict}. Choose another --prefix.`)
  if (!shows(current, state)) await client.send('PATCH', adminPath ?? path, [200], state)
  return true
}

/** Creates missing resources, and renews passwords. Can be repeated after a failure. */
async function create(work: Work): Promise<ProvisionResult> {
  const { client, main, admin, prefix, baseUrl, includeAdmin } = work
  const owner = main.username
  const settings = await client.settings()
  const { maxResponseItems } = codeHostingVariables.table.settings
  const maximum = settings[maxResponseItems.name] ?? maxResponseItems.default
  const entries = settings.CODE_HOSTING_DEFAULT_GIT_TREES_PER_PAGE ?? Infinity
  const { owners, records } = await survey(work)
  const names = repositoryNames(prefix, Math.min(2 * maximum + 1, MAX_REPOSITORIES))
  const repositories = names.map((name) => ({
    resource: repositoryResource(name, owner, prefix),
    record: records.get(name),
  }))
  const tree = treeResource(entries, `${owner}/${prefix}public`)
  const files = tree ? [{ resource: tree, record: await look(tree, client) }] : []
  const found = [...owners, ...repositories, ...files]
  const conflicts = found.flatMap((one) => conflictOf(one) ?? [])
  if (conflicts.length > 0) {
    throw new ProvisionError(
      `Nothing was created: ${conflicts.join('; ')}. Choose another --prefix, or rename these.`,
    )
  }
  const missing = found.filter(({ record }) => record === undefined)
  const different = found.filter(({ resource, record }) => record && !shows(record, resource.state))
  // Existing accounts come last: from then on an earlier environment file is invalid.
  const steps = [...missing, ...different.reverse()].map((one) => {
    const { label, changeLabel = label } = one.resource
    return {
      label: one.record === undefined ? label : changeLabel,
      resource: one.resource,
      act: () => bringAbout(one, client),
    }
  })
  const rejected = await carryOut('creates', steps, '', work)
  if (rejected === undefined) return { outcome: 'stopped' }
  const isUsed = ({ resource }: Found) => !rejected.some((step) => step.resource === resource)
  const variables = {
    CODE_HOSTING_BASE_URL: baseUrl,
    ...Object.assign({}, ...found.filter(isUsed).map(({ resource }) => resource.variables)),
    CODE_HOSTING_READ_NOTIFICATION: 'GET /api/v1/notifications',
    CODE_HOSTING_READ_PACKAGE: `GET /api/v1/packages/${owner}`,
    CODE_HOSTING_READ_ADMIN: 'GET /api/v1/admin/cron',
    CODE_HOSTING_TOKEN_LIST: `GET /api/v1/users/${owner}/tokens`,
    CODE_HOSTING_TOKEN_DELETE_PATH: '/api/v1/users/{username}/tokens/{name}',
    CODE_HOSTING_RELEASE: 'GET /api/v1/version',
    ...settings,
    ...(includeAdmin && {
      CODE_HOSTING_ADMIN_USERNAME: admin.username,
      CODE_HOSTING_ADMIN_PASSWORD: admin.password,
    }),
  }
  const text = [
    `# Created by plumbline provision --family gitea --prefix ${prefix}; --remove deletes it again.`,
    ...Object.entries(variables).map(([name, value]) => environmentLine(name, String(value))),
    '',
  ].join('\n')
  return { outcome: 'done', environment: text }
}

/** Deletes what provision created. Accounts come last: a server deletes only an account that owns nothing. */
async function remove(work: Work): Promise<ProvisionResult> {
  const { client, log, main, prefix } = work
  const owner = main.username
  const { owners, records } = await survey(work)
  const repositories = [...records.values()].map((record) => ({
    resource: repositoryResource(String(record.name), owner, prefix),
    record,
  }))
  // A name becomes part of a path.
  const isNamed = ({ record }: Found) => new RegExp(`^${prefix}[\\w-]+$`).test(String(record?.name))
  const others = repositories.filter((one) => !isNamed(one) || !isOwn(one))
  const steps = [...repositories.filter((one) => !others.includes(one)), ...owners.reverse()]
    .filter(isOwn)
    .filter(({ resource }) => others.length === 0 || resource.name !== owner)
    .map(({ resource }) => ({
      label: resource.label,
      resource,
      async act() {
        await client.send('DELETE', resource.adminPath ?? resource.path, [204, 404])
        return true
      },
    }))
  const unchanged = [
    ...owners.flatMap((one) => conflictOf(one) ?? []),
    ...others.map(
      ({ resource }) => `${printableSentence(resource.name, 80)} was not created by provision`,
    ),
    ...(others.length > 0 ? [`${owner} owns resources that provision did not create`] : []),
  ]
  const notes = unchanged.map((sentence) => `  unchanged     ${sentence}\n`).join('')
  if (steps.length === 0) {
    log(`${notes}There is nothing to delete with the prefix ${prefix}.\n`)
  } else if ((await carryOut('deletes its resources', steps, notes, work)) === undefined) {
    return { outcome: 'stopped' }
  }
  return { outcome: others.length > 0 ? 'failed' : 'done' }
}

async function provision(options: ProvisionWork): Promise<ProvisionResult> {
  const { target, prefix, redactor, log, interruption } = options
  const { admin, baseUrl } = serviceIn(target, 'codeHosting')
  if (admin === undefined) throw new Error('the target has no administrator')
  const [main, other] = [newAccount(`${prefix}main`), newAccount(`${prefix}other`)]
  redactor.addBasic(main.username, 'CODE_HOSTING_PASSWORD', main.password)
  redactor.addBasic(other.username, 'CODE_HOSTING_OTHER_PASSWORD', other.password)
  redactor.addBasic(admin.username, 'CODE_HOSTING_ADMIN_PASSWORD', admin.password)
  const client = new GiteaClient(baseUrl, admin, options)
  const work = { ...options, baseUrl, admin, main, other, client }
  try {
    await client.requireAdministrator()
    return await (options.remove ? remove(work) : create(work))
  } catch (error) {
    const isKnown = error instanceof ProvisionError || error instanceof TransportError
    if (!isKnown && !interruption.aborted) throw error
    log(`plumbline: ${isKnown ? error.message : 'Interrupted.'}\n`)
    return { outcome: error instanceof ProvisionError ? 'failed' : 'stopped' }
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
