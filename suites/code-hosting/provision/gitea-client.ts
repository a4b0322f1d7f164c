import { basic } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { Account } from '../variables.ts'
import { ProvisionError, type ProvisionRequest, type Requests } from './requests.ts'

// Example records with the fields in use; servers add further fields.
const account = { login: '', full_name: '', email: '', is_admin: false }
const repository = { name: '', full_name: '', description: '', private: false, archived: false }
const organization = { name: '', description: '' }

export type AccountRecord = typeof account & { login_name?: string; source_id?: number }
export type RepositoryRecord = typeof repository

const settingFields = [
  'max_response_items',
  'default_git_trees_per_page',
  'default_max_blob_size',
  'default_max_response_size',
] as const

export type SettingsRecord = Partial<Record<(typeof settingFields)[number], number>>

function isLike<Shape extends object>(example: Shape, value: unknown): value is Shape {
  const record = Object(value) as Readonly<Record<string, unknown>>
  return Object.entries(example).every(([field, sample]) => typeof record[field] === typeof sample)
}

function read<Shape>(
  exchange: Exchange,
  type: string,
  accepts: (body: unknown) => body is Shape,
): Shape {
  const body: unknown = exchange.json
  if (accepts(body)) return body
  const { method, url } = exchange.record.request
  throw new ProvisionError(
    `${method} ${url} returned status ${exchange.status}, but not ${type} as servers of the Gitea family ` +
      'represent it. Is CODE_HOSTING_BASE_URL such a server?',
  )
}

export type OrganizationRecord = typeof organization

const isOrganization = (body: unknown) => isLike(organization, body)
const isRepository = (body: unknown) => isLike(repository, body)
const readRepository = (exchange: Exchange) => read(exchange, 'a repository', isRepository)
const readAccount = (exchange: Exchange): AccountRecord =>
  read(exchange, 'an account', (body) => isLike(account, body))

/** Rights of each account: see public repositories, and create some. */
const accountRights = { restricted: false, max_repo_creation: 1000 }

/** A redirection means that the account was renamed. */
const absent = [301, 302, 307, 308, 404]
const gone = [204, 404]

/** Provision creates at most 401 repositories, and servers of the family return up to 50 per page. */
const MAX_PAGES = 100

/** Sends requests of the administrator to a server of the Gitea family. @throws ProvisionError for other responses */
export interface GiteaClient {
  self(): Promise<AccountRecord>
  settings(): Promise<SettingsRecord>
  account(username: string): Promise<AccountRecord | undefined>
  createAccount(account: Account, mark: { full_name: string; email: string }): Promise<void>
  resetAccount(record: AccountRecord, password: string): Promise<void>
  /** The server rejects this with 422 while the account owns something. */
  deleteAccount(username: string): Promise<Exchange>
  repositories(owner: string): Promise<RepositoryRecord[]>
  createRepository(
    owner: string,
    repository: Omit<RepositoryRecord, 'full_name' | 'archived'>,
  ): Promise<RepositoryRecord>
  changeRepository(
    owner: string,
    name: string,
    change: Partial<RepositoryRecord>,
  ): Promise<RepositoryRecord>
  deleteRepository(owner: string, name: string): Promise<Exchange>
  organization(name: string): Promise<OrganizationRecord | undefined>
  /** Returns true if the server creates it; some servers allow no organizations. */
  createOrganization(owner: string, record: OrganizationRecord): Promise<boolean>
  deleteOrganization(name: string): Promise<Exchange>
  hasFile(owner: string, name: string, file: string): Promise<boolean>
  /** Adds files in one commit; older servers reject that. */
  addFiles(
    owner: string,
    name: string,
    files: readonly { path: string; content: string }[],
  ): Promise<Exchange>
}

export function createGiteaClient(requests: Requests, admin: Account): GiteaClient {
  const credentials = basic(admin.username, admin.password)
  const send = (
    method: ProvisionRequest['method'],
    path: string,
    accepted: readonly number[],
    json?: object,
  ) =>
    requests.send({ method, path: `/api/v1${path}`, credentials, accepted, ...(json && { json }) })

  const user = (username: string) => `/users/${encodeURIComponent(username)}`
  const repositoryPath = (owner: string, name: string) =>
    `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`

  async function changeAccount({ login, login_name, source_id }: AccountRecord, change: object) {
    // The server requires these two for each change.
    const required = { source_id: source_id ?? 0, login_name: login_name || login }
    await send('PATCH', `/admin${user(login)}`, [200], { ...required, ...change })
  }

  return {
    self: async () => readAccount(await send('GET', '/user', [200])),

    async settings() {
      const { status, json } = await send('GET', '/settings/api', [200, 401, 403, 404])
      const reported = Object(status === 200 ? json : {}) as SettingsRecord
      const sizes = settingFields.map((field) => [field, reported[field]] as const)
      return Object.fromEntries(sizes.filter(([, size]) => Number.isInteger(size) && size !== 0))
    },

    async account(username) {
      const exchange = await send('GET', user(username), [200, ...absent])
      return exchange.status === 200 ? readAccount(exchange) : undefined
    },

    async createAccount(account, mark) {
      const created = await send('POST', '/admin/users', [201], {
        ...account,
        ...mark,
        must_change_password: false,
        send_notify: false,
        visibility: 'public',
      })
      await changeAccount(readAccount(created), accountRights)
    },

    resetAccount: (record, password) =>
      changeAccount(record, {
        password,
        must_change_password: false,
        active: true,
        prohibit_login: false,
        ...accountRights,
      }),

    deleteAccount: (username) => send('DELETE', `/admin${user(username)}`, gone),

    async repositories(owner) {
      const found = new Map<string, RepositoryRecord>()
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const before = found.size
        const exchange = await send('GET', `${user(owner)}/repos?page=${page}&limit=50`, [200])
        const isList = (body: unknown) => Array.isArray(body) && body.every(isRepository)
        for (const record of read(exchange, 'a list of repositories', isList))
          found.set(record.name, record)
        // The server chooses the page size, so a short page may not be the last one.
        if (found.size === before) return [...found.values()]
      }
      throw new ProvisionError(
        `The list of the repositories of ${owner} does not end within ${MAX_PAGES} pages. ` +
          'Nothing was changed. Delete repositories that provision did not create, or choose another --prefix.',
      )
    },

    async createRepository(owner, repository) {
      const path = `/admin${user(owner)}/repos`
      return readRepository(await send('POST', path, [201], { ...repository, auto_init: false }))
    },

    changeRepository: async (owner, name, change) =>
      readRepository(await send('PATCH', repositoryPath(owner, name), [200], change)),

    deleteRepository: (owner, name) => send('DELETE', repositoryPath(owner, name), gone),

    async organization(name) {
      const exchange = await send('GET', `/orgs/${encodeURIComponent(name)}`, [200, ...absent])
      return exchange.status === 200 ? read(exchange, 'an organization', isOrganization) : undefined
    },

    async createOrganization(owner, record) {
      const body = { ...record, username: record.name, visibility: 'public' }
      const path = `/admin${user(owner)}/orgs`
      return (await send('POST', path, [201, 403, 404, 422], body)).status === 201
    },

    deleteOrganization: (name) => send('DELETE', `/orgs/${encodeURIComponent(name)}`, gone),

    async hasFile(owner, name, file) {
      const path = `${repositoryPath(owner, name)}/contents/${file}`
      return (await send('GET', path, [200, 403, 404, 409, 500])).status === 200
    },

    addFiles: (owner, name, files) =>
      send(
        'POST',
        `${repositoryPath(owner, name)}/contents`,
        [201, 400, 403, 404, 405, 409, 413, 422, 500],
        {
          message: 'Files for the limits of the API',
          files: files.map((file) => ({ operation: 'create', ...file })),
        },
      ),
  }
}
