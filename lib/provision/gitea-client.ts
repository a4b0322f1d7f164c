import { type Account, codeHostingVariables } from '../../suites/code-hosting/variables.ts'
import { basic } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { type ProvisionRequest, Refusal, type Requests } from './requests.ts'

// What is used of each record, by example; servers of the family add further fields.
const account = { login: '', full_name: '', email: '', is_admin: false }
const repository = { name: '', full_name: '', description: '', private: false, archived: false }
const organization = { name: '', description: '' }

export type AccountRecord = typeof account & { login_name?: string; source_id?: number }
export type RepositoryRecord = typeof repository

const { settings: variables } = codeHostingVariables.table

/** The API settings that a server tells of itself, and the variables of what the document says. */
export const settingVariables = {
  max_response_items: variables.maxResponseItems,
  default_paging_num: variables.defaultPagingNum,
  default_git_trees_per_page: variables.defaultGitTreesPerPage,
  default_max_blob_size: variables.defaultMaxBlobSize,
  default_max_response_size: variables.defaultMaxResponseSize,
} as const
const settingFields = Object.keys(settingVariables) as (keyof typeof settingVariables)[]

export type SettingsRecord = Partial<Record<(typeof settingFields)[number], number>>

function isLike<Shape extends object>(example: Shape, value: unknown): value is Shape {
  const record = Object(value) as Readonly<Record<string, unknown>>
  return Object.entries(example).every(([field, one]) => typeof record[field] === typeof one)
}

function read<Shape>(
  exchange: Exchange,
  what: string,
  accepts: (body: unknown) => body is Shape,
): Shape {
  const body: unknown = exchange.json
  if (accepts(body)) return body
  const { method, url } = exchange.record.request
  throw new Refusal(
    `${method} ${url} was answered with ${exchange.status}, but not with ${what} as servers of the Gitea family ` +
      'tell of it. Is CODE_HOSTING_BASE_URL such a server?',
  )
}

export type OrganizationRecord = typeof organization

const isOrganization = (body: unknown) => isLike(organization, body)
const isRepository = (body: unknown) => isLike(repository, body)
const readRepository = (exchange: Exchange) => read(exchange, 'a repository', isRepository)
const readAccount = (exchange: Exchange): AccountRecord =>
  read(exchange, 'an account', (body) => isLike(account, body))

/** What accounts may do whatever the server lets new ones do: see public repositories, and make some. */
const unhampered = { restricted: false, max_repo_creation: 1000 }

/** Where a server says that an account was renamed, nobody has the old name. */
const nobody = [301, 302, 307, 308, 404]
const gone = [204, 404]

/** Of a list. Provision makes 401 repositories at most, and servers of the family have 50 a page. */
const MAX_PAGES = 100

export type GiteaClient = ReturnType<typeof createGiteaClient>

export function createGiteaClient(requests: Requests, admin: Account) {
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
    // The family asks for these two whatever is changed.
    const asked = { source_id: source_id ?? 0, login_name: login_name || login }
    await send('PATCH', `/admin${user(login)}`, [200], { ...asked, ...change })
  }

  return {
    self: async () => readAccount(await send('GET', '/user', [200])),

    /** Without those that the server does not tell. */
    async settings(): Promise<SettingsRecord> {
      const { status, json } = await send('GET', '/settings/api', [200, 401, 403, 404])
      const reported = Object(status === 200 ? json : {}) as SettingsRecord
      const sizes = settingFields.map((field) => [field, reported[field]] as const)
      return Object.fromEntries(sizes.filter(([, size]) => Number.isInteger(size) && size !== 0))
    },

    async account(username: string): Promise<AccountRecord | undefined> {
      const exchange = await send('GET', user(username), [200, ...nobody])
      return exchange.status === 200 ? readAccount(exchange) : undefined
    },

    async createAccount(account: Account, described: { full_name: string; email: string }) {
      const made = await send('POST', '/admin/users', [201], {
        ...account,
        ...described,
        must_change_password: false,
        send_notify: false,
        visibility: 'public',
      })
      await changeAccount(readAccount(made), unhampered)
    },

    resetAccount: (record: AccountRecord, password: string) =>
      changeAccount(record, {
        password,
        must_change_password: false,
        active: true,
        prohibit_login: false,
        ...unhampered,
      }),

    /** What the account owns is not deleted with it: the server then refuses with 422. */
    deleteAccount: (username: string) => send('DELETE', `/admin${user(username)}`, gone),

    async repositories(owner: string): Promise<RepositoryRecord[]> {
      const found = new Map<string, RepositoryRecord>()
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const before = found.size
        const exchange = await send('GET', `${user(owner)}/repos?page=${page}&limit=50`, [200])
        const isList = (body: unknown) => Array.isArray(body) && body.every(isRepository)
        for (const one of read(exchange, 'a list of repositories', isList)) found.set(one.name, one)
        // The server decides how many a page holds, so a short page need not be the last one.
        if (found.size === before) return [...found.values()]
      }
      throw new Refusal(
        `The list of the repositories of ${owner} does not end within ${MAX_PAGES} pages. ` +
          'Nothing was changed. Delete those that provision did not make, or choose another --prefix.',
      )
    },

    async createRepository(
      owner: string,
      wanted: Omit<RepositoryRecord, 'full_name' | 'archived'>,
    ) {
      const path = `/admin${user(owner)}/repos`
      return readRepository(await send('POST', path, [201], { ...wanted, auto_init: false }))
    },

    changeRepository: async (owner: string, name: string, change: Partial<RepositoryRecord>) =>
      readRepository(await send('PATCH', repositoryPath(owner, name), [200], change)),

    deleteRepository: (owner: string, name: string) =>
      send('DELETE', repositoryPath(owner, name), gone),

    async organization(name: string): Promise<OrganizationRecord | undefined> {
      const exchange = await send('GET', `/orgs/${encodeURIComponent(name)}`, [200, ...nobody])
      return exchange.status === 200 ? read(exchange, 'an organization', isOrganization) : undefined
    },

    /** Returns true if the server creates it; some servers allow no organizations. */
    async createOrganization(owner: string, wanted: OrganizationRecord): Promise<boolean> {
      const asked = { ...wanted, username: wanted.name, visibility: 'public' }
      const path = `/admin${user(owner)}/orgs`
      return (await send('POST', path, [201, 403, 404, 422], asked)).status === 201
    },

    deleteOrganization: (name: string) => send('DELETE', `/orgs/${encodeURIComponent(name)}`, gone),

    async hasFile(owner: string, name: string, file: string): Promise<boolean> {
      const path = `${repositoryPath(owner, name)}/contents/${file}`
      return (await send('GET', path, [200, 403, 404, 409, 500])).status === 200
    },

    /** Adds files in one commit, unless the server refuses, as older ones do. */
    addFiles: (owner: string, name: string, files: readonly { path: string; content: string }[]) =>
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
