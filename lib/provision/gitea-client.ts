import { basic } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import type { Account } from '../target/target.ts'
import {
  type AccountRecord,
  type BodyKind,
  bodies,
  type RepositoryRecord,
  type SettingsRecord,
} from './records.ts'
import { Refusal } from './refusal.ts'
import type { ProvisionRequest, Requests } from './requests.ts'

/** What an administrator may do about accounts and repositories of a Gitea-family server. */
export interface GiteaClient {
  /** The administrator's own record. */
  self(): Promise<AccountRecord>
  /** `undefined` where the server does not tell its settings. */
  settings(): Promise<SettingsRecord | undefined>
  /** `undefined` when nobody has that name. */
  account(username: string): Promise<AccountRecord | undefined>
  /** Makes an account that no limit for new accounts holds back. */
  createAccount(account: Account & { fullName: string; email: string }): Promise<void>
  /** Gives an account a new password, lets it sign in, and lifts the limits too. */
  resetAccount(record: AccountRecord, password: string): Promise<void>
  /** What the account owns is not deleted with it: the server then refuses with 422. */
  deleteAccount(username: string): Promise<void>
  /** All repositories of an account, private and archived ones too. */
  repositories(owner: string): Promise<RepositoryRecord[]>
  createRepository(
    owner: string,
    repository: { name: string; description: string; private: boolean },
  ): Promise<RepositoryRecord>
  changeRepository(
    owner: string,
    name: string,
    change: { private?: boolean; archived?: boolean },
  ): Promise<RepositoryRecord>
  deleteRepository(owner: string, name: string): Promise<void>
}

const PAGE_SIZE = 50

/** What accounts may do whatever the server lets new ones do: see public repositories, and make some. */
const unhampered = { restricted: false, max_repo_creation: 1000 }

/** Where a server says that an account was renamed, nobody has the old name. */
const nobody = [301, 302, 307, 308, 404]
const gone = [204, 404]

function read<Shape>(exchange: Exchange, { what, accepts }: BodyKind<Shape>): Shape {
  const body: unknown = exchange.json
  if (accepts(body)) return body
  const { method, url } = exchange.record.request
  throw new Refusal(
    `${method} ${url} was answered with ${exchange.status}, but not with ${what} as servers of the Gitea family ` +
      'tell of it. Is CODE_HOSTING_BASE_URL such a server?',
  )
}

/** @param admin with whose name and password every request is sent */
export function createGiteaClient(requests: Requests, admin: Account): GiteaClient {
  const credentials = basic(admin.username, admin.password)
  const send = (
    method: ProvisionRequest['method'],
    path: string,
    accepted: readonly number[],
    json?: object,
  ) => requests.send({ method, path: `/api/v1${path}`, credentials, accepted, json })

  const user = (username: string) => `/users/${encodeURIComponent(username)}`
  const repository = (owner: string, name: string) =>
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
    self: async () => read(await send('GET', '/user', [200]), bodies.account),

    async settings() {
      const exchange = await send('GET', '/settings/api', [200, 401, 403, 404])
      return exchange.status === 200 && bodies.settings.accepts(exchange.json)
        ? exchange.json
        : undefined
    },

    async account(username) {
      const exchange = await send('GET', user(username), [200, ...nobody])
      return exchange.status === 200 ? read(exchange, bodies.account) : undefined
    },

    async createAccount({ username, password, fullName, email }) {
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

    async resetAccount(record, password) {
      await changeAccount(record, {
        password,
        must_change_password: false,
        active: true,
        prohibit_login: false,
        ...unhampered,
      })
    },

    async deleteAccount(username) {
      await send('DELETE', `/admin${user(username)}`, gone)
    },

    async repositories(owner) {
      const found = new Map<string, RepositoryRecord>()
      for (let page = 1; ; page += 1) {
        const before = found.size
        const path = `${user(owner)}/repos?page=${page}&limit=${PAGE_SIZE}`
        const records = read(await send('GET', path, [200]), bodies.repositories)
        for (const record of records) found.set(record.name, record)
        // The server decides how many a page holds, so a short page need not be the last one.
        if (found.size === before) return [...found.values()]
      }
    },

    async createRepository(owner, wanted) {
      const path = `/admin${user(owner)}/repos`
      return read(
        await send('POST', path, [201], { ...wanted, auto_init: false }),
        bodies.repository,
      )
    },

    async changeRepository(owner, name, change) {
      const exchange = await send('PATCH', repository(owner, name), [200], change)
      return read(exchange, bodies.repository)
    },

    async deleteRepository(owner, name) {
      await send('DELETE', repository(owner, name), gone)
    },
  }
}
