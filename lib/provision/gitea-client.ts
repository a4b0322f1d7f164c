import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Account } from '../../suites/code-hosting/variables.ts'
import { basic } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { type ProvisionRequest, Refusal, type Requests } from './requests.ts'

/** What is used of an account's record. */
export interface AccountRecord {
  login: string
  full_name: string
  email: string
  is_admin: boolean
  login_name?: string
  source_id?: number
}

/** What is used of a repository's record. */
export interface RepositoryRecord {
  name: string
  full_name: string
  description: string
  private: boolean
  archived: boolean
}

/** What is used of the record of API settings. */
export interface SettingsRecord {
  max_response_items: number
  default_paging_num: number
  default_git_trees_per_page: number
  default_max_blob_size: number
  default_max_response_size?: number
}

const ajv = new Ajv2020()
const text = { type: 'string' }
const flag = { type: 'boolean' }
const size = { type: 'integer', minimum: 1 }

/** Servers of the family add further fields. */
function record(required: object, optional: object = {}) {
  const properties = { ...required, ...optional }
  return { type: 'object', required: Object.keys(required), properties }
}

const repository = record({
  name: text,
  full_name: text,
  description: text,
  private: flag,
  archived: flag,
})

/** The kinds of bodies that are read, and how a person calls them. */
const bodies = {
  account: {
    what: 'an account',
    accepts: ajv.compile<AccountRecord>(
      record(
        { login: text, full_name: text, email: text, is_admin: flag },
        { login_name: text, source_id: { type: 'integer' } },
      ),
    ),
  },
  repository: { what: 'a repository', accepts: ajv.compile<RepositoryRecord>(repository) },
  repositories: {
    what: 'a list of repositories',
    accepts: ajv.compile<RepositoryRecord[]>({ type: 'array', items: repository }),
  },
} as const

const isSettings = ajv.compile<SettingsRecord>(
  record(
    {
      max_response_items: size,
      default_paging_num: size,
      default_git_trees_per_page: size,
      default_max_blob_size: size,
    },
    { default_max_response_size: size },
  ),
)

const PAGE_SIZE = 50

/** What accounts may do whatever the server lets new ones do: see public repositories, and make some. */
const unhampered = { restricted: false, max_repo_creation: 1000 }

/** Where a server says that an account was renamed, nobody has the old name. */
const nobody = [301, 302, 307, 308, 404]
const gone = [204, 404]

function read<Shape>(
  exchange: Exchange,
  { what, accepts }: { what: string; accepts: ValidateFunction<Shape> },
): Shape {
  const body: unknown = exchange.json
  if (accepts(body)) return body
  const { method, url } = exchange.record.request
  throw new Refusal(
    `${method} ${url} was answered with ${exchange.status}, but not with ${what} as servers of the Gitea family ` +
      'tell of it. Is CODE_HOSTING_BASE_URL such a server?',
  )
}

/** What an administrator may do about accounts and repositories of a Gitea-family server. */
export type GiteaClient = ReturnType<typeof createGiteaClient>

/** @param admin with whose name and password every request is sent */
export function createGiteaClient(requests: Requests, admin: Account) {
  const credentials = basic(admin.username, admin.password)
  const send = (
    method: ProvisionRequest['method'],
    path: string,
    accepted: readonly number[],
    json?: object,
  ) => requests.send({ method, path: `/api/v1${path}`, credentials, accepted, json })

  const user = (username: string) => `/users/${encodeURIComponent(username)}`
  const repositoryPath = (owner: string, name: string) =>
    `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`

  async function changeAccount({ login, login_name, source_id }: AccountRecord, change: object) {
    await send('PATCH', `/admin${user(login)}`, [200], {
      // The family asks for these two whatever is changed.
      source_id: source_id ?? 0,
      login_name: login_name || login,
      ...change,
    })
  }

  return {
    /** The administrator's own record. */
    self: async () => read(await send('GET', '/user', [200]), bodies.account),

    /** `undefined` where the server does not tell its settings. */
    async settings(): Promise<SettingsRecord | undefined> {
      const { status, json } = await send('GET', '/settings/api', [200, 401, 403, 404])
      return status === 200 && isSettings(json) ? json : undefined
    },

    /** `undefined` when nobody has that name. */
    async account(username: string): Promise<AccountRecord | undefined> {
      const exchange = await send('GET', user(username), [200, ...nobody])
      return exchange.status === 200 ? read(exchange, bodies.account) : undefined
    },

    /** Makes an account that no limit for new accounts holds back. */
    async createAccount(
      { username, password }: Account,
      { fullName, email }: { fullName: string; email: string },
    ): Promise<void> {
      const made = await send('POST', '/admin/users', [201], {
        username,
        password,
        full_name: fullName,
        email,
        must_change_password: false,
        send_notify: false,
        visibility: 'public',
      })
      await changeAccount(read(made, bodies.account), unhampered)
    },

    /** Gives an account a new password, lets it sign in, and lifts the limits too. */
    resetAccount: (account: AccountRecord, password: string) =>
      changeAccount(account, {
        password,
        must_change_password: false,
        active: true,
        prohibit_login: false,
        ...unhampered,
      }),

    /** What the account owns is not deleted with it: the server then refuses with 422. */
    deleteAccount: (username: string) => send('DELETE', `/admin${user(username)}`, gone),

    /** All repositories of an account, private and archived ones too. */
    async repositories(owner: string): Promise<RepositoryRecord[]> {
      const found = new Map<string, RepositoryRecord>()
      for (let page = 1; ; page += 1) {
        const before = found.size
        const path = `${user(owner)}/repos?page=${page}&limit=${PAGE_SIZE}`
        const records = read(await send('GET', path, [200]), bodies.repositories)
        for (const one of records) found.set(one.name, one)
        // The server decides how many a page holds, so a short page need not be the last one.
        if (found.size === before) return [...found.values()]
      }
    },

    async createRepository(
      owner: string,
      wanted: { name: string; description: string; private: boolean },
    ): Promise<RepositoryRecord> {
      const path = `/admin${user(owner)}/repos`
      return read(
        await send('POST', path, [201], { ...wanted, auto_init: false }),
        bodies.repository,
      )
    },

    async changeRepository(
      owner: string,
      name: string,
      change: { private?: boolean; archived?: boolean },
    ): Promise<RepositoryRecord> {
      const exchange = await send('PATCH', repositoryPath(owner, name), [200], change)
      return read(exchange, bodies.repository)
    },

    deleteRepository: (owner: string, name: string) =>
      send('DELETE', repositoryPath(owner, name), gone),
  }
}
