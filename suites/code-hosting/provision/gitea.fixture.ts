import { getRequestListener } from '@hono/node-server'
import { parse } from 'dotenv'
import { type Context, Hono } from 'hono'
import { temporaryDirectory } from '../../../lib/cli/command.fixture.ts'
import { createNestedContext } from '../../../lib/cli/context.fixture.ts'
import type { CliContext } from '../../../lib/cli/context.ts'
import { type ProvisionOptions, action as provision } from '../../../lib/cli/provision.ts'
import { loadTarget } from '../../../lib/cli/services.ts'
import { startServer } from '../../../lib/probe/server.fixture.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { AccountRecord, OrganizationRecord, RepositoryRecord } from './gitea-client.ts'

type FakeAccount = AccountRecord & {
  password: string
  restricted?: boolean
  max_repo_creation?: number
}
type Owned = { owner: string }

export interface FakeOptions {
  /** Requests, by method and path below the base URL, with a response that replaces the normal one. */
  instead?: [RegExp, (count: number) => Response | undefined]
}

export const ADMIN = { username: 'root', password: 'Admin-pass-1' }

export const problem = (status: number, message = 'no', headers: Record<string, string> = {}) =>
  Response.json({ message }, { status, headers })

/** Returns the record, which shows no password; 404 without a record. */
function reply(record: object | undefined, status = 200): Response {
  if (record === undefined) return problem(404)
  const text = JSON.stringify(record, (field, value) => (field === 'password' ? undefined : value))
  return new Response(text, { status, headers: { 'Content-Type': 'application/json' } })
}

const replyDeleted = (existed: boolean) =>
  existed ? new Response(null, { status: 204 }) : problem(404)

/** Starts a server with the endpoints of the Gitea family that provision uses. */
export async function startGitea(options: FakeOptions = {}) {
  const accounts = new Map<string, FakeAccount>()
  const repositories: (RepositoryRecord & Owned)[] = []
  const organizations = new Map<string, OrganizationRecord & Owned>()
  /** Paths of files, below owner and name of their repository. */
  const files = new Set<string>()
  const requests: string[] = []
  const app = new Hono().basePath('/git')

  function addAccount(parts: Partial<FakeAccount> & Pick<FakeAccount, 'login'>): FakeAccount {
    const email = `${parts.login}@example.com`
    const account = { full_name: '', email, is_admin: false, password: 'other-password', ...parts }
    accounts.set(account.login, account)
    return account
  }
  addAccount({ login: ADMIN.username, password: ADMIN.password, is_admin: true })

  function addRepository(owner: string, name: string, parts: Partial<RepositoryRecord> = {}) {
    const record = { owner, name, full_name: `${owner}/${name}`, description: 'My own' }
    const repository = { ...record, private: false, archived: false, ...parts }
    repositories.push(repository)
    return repository
  }

  function caller({ req }: Context): FakeAccount | undefined {
    const [, credentials = ''] = (req.header('Authorization') ?? '').split(' ')
    const [name = '', password] = Buffer.from(credentials, 'base64').toString().split(':')
    const account = accounts.get(name)
    return account?.password === password ? account : undefined
  }
  const named = ({ req }: Context) => req.param('name') ?? ''
  const find = ({ req }: Context, { owner, name } = req.param()) =>
    repositories.find((other) => other.owner === owner && other.name === name)

  app.use(async ({ req: { method, path } }, next) => {
    const request = `${method} ${path.replace(/^\/git/, '')}`
    requests.push(request)
    const count = requests.filter((other) => other === request).length
    const [replaced, respond] = options.instead ?? []
    return (replaced?.test(request) && respond?.(count)) || next()
  })
  app.use('/api/v1/*', async (context, next) => {
    const account = caller(context)
    if (account === undefined) return problem(401)
    return context.req.path.includes('/admin/') && !account.is_admin ? problem(403) : next()
  })
  app.get('/api/v1/user', (context) => reply(caller(context)))
  app.get('/api/v1/settings/api', () =>
    reply({
      max_response_items: 3,
      default_git_trees_per_page: 1000,
      default_max_blob_size: 10485760,
      default_max_response_size: 104857600,
    }),
  )
  app.get('/api/v1/users/:name', (context) => reply(accounts.get(named(context))))
  app.post('/api/v1/admin/users', async ({ req }) => {
    const { username: login, ...rest } = await req.json()
    if (accounts.has(login)) return problem(422)
    return reply(addAccount({ ...rest, login, restricted: true, max_repo_creation: 0 }), 201)
  })
  app.patch('/api/v1/admin/users/:name', async (context) => {
    const { login_name, source_id, ...change } = await context.req.json()
    if (login_name === undefined || source_id === undefined) return problem(422)
    const account = accounts.get(named(context))
    return reply(account && Object.assign(account, change))
  })
  app.delete('/api/v1/admin/users/:name', (context) => {
    const owned = [...repositories, ...organizations.values()]
    const ownsAny = owned.some(({ owner }) => owner === named(context))
    return ownsAny ? problem(422) : replyDeleted(accounts.delete(named(context)))
  })
  app.get('/api/v1/users/:name/repos', (context) => {
    const start = (Number(context.req.query('page')) - 1) * 2
    const owned = repositories.filter(({ owner }) => owner === named(context))
    return reply(owned.slice(start, start + 2))
  })
  app.post('/api/v1/admin/users/:name/repos', async (context) => {
    const { name, ...parts } = await context.req.json()
    if (find(context, { owner: named(context), name })) return problem(409)
    return reply(addRepository(named(context), name, parts), 201)
  })
  app.patch('/api/v1/repos/:owner/:name', async (context) => {
    const repository = find(context)
    return reply(repository && Object.assign(repository, await context.req.json()))
  })
  app.delete('/api/v1/repos/:owner/:name', (context) => {
    const repository = find(context)
    if (repository) repositories.splice(repositories.indexOf(repository), 1)
    return replyDeleted(repository !== undefined)
  })
  const fileOf = (context: Context, path = context.req.param('path')) =>
    `${context.req.param('owner')}/${named(context)}/${path}`
  app.post('/api/v1/repos/:owner/:name/contents', async (context) => {
    const body: { files: { path: string }[] } = await context.req.json()
    for (const { path } of body.files) files.add(fileOf(context, path))
    return reply(find(context), 201)
  })
  app.get('/api/v1/repos/:owner/:name/contents/:path', (context) =>
    reply(files.has(fileOf(context)) ? {} : undefined),
  )
  app.get('/api/v1/orgs/:name', (context) => reply(organizations.get(named(context))))
  app.post('/api/v1/admin/users/:name/orgs', async (context) => {
    const { username: name, description } = await context.req.json()
    organizations.set(name, { name, description, owner: named(context) })
    return reply(organizations.get(name), 201)
  })
  app.delete('/api/v1/orgs/:name', (context) => replyDeleted(organizations.delete(named(context))))

  const server = await startServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
  return {
    baseUrl: `${server.url.origin}/git`,
    accounts,
    repositories,
    organizations,
    files,
    /** Method and path of each request, below the base URL. */
    requests,
    addAccount,
    addRepository,
    names: () => [...accounts.keys()].filter((name) => name !== ADMIN.username),
    changes: () => requests.filter((request) => !request.startsWith('GET')),
  }
}

export type FakeGitea = Awaited<ReturnType<typeof startGitea>>

interface ProvisioningParts extends Partial<ProvisionOptions> {
  environment?: Record<string, string>
  confirm?: CliContext['confirm']
  interruption?: AbortSignal
  directory?: string
}

/** Returns the environment of an operator who prepares the server. */
export function operatorOf({ baseUrl }: Pick<FakeGitea, 'baseUrl'>): Record<string, string> {
  return {
    CODE_HOSTING_BASE_URL: baseUrl,
    CODE_HOSTING_ADMIN_USERNAME: ADMIN.username,
    CODE_HOSTING_ADMIN_PASSWORD: ADMIN.password,
  }
}

/**
 * Runs the command in this process, with `--yes` unless `confirm` is set.
 *
 * @returns standard output, and standard error on one line
 */
export async function provisioned(
  gitea: Pick<FakeGitea, 'baseUrl'>,
  { environment = {}, confirm, interruption, directory, ...options }: ProvisioningParts = {},
) {
  const context = createNestedContext(directory ?? temporaryDirectory())
  const status = await provision(
    { family: 'gitea', prefix: 'plumbline-', yes: confirm === undefined, ...options },
    {
      ...context,
      environment: { ...operatorOf(gitea), ...environment },
      confirm,
      interruption: () =>
        new Promise<void>((resolve) =>
          interruption?.addEventListener('abort', () => resolve(), { once: true }),
        ),
    },
  )
  const { output, errors } = context.reported
  const reported = errors.replace(/\s+/g, ' ').replaceAll(gitea.baseUrl, '<base URL>')
  return { status, output, reported }
}

/** Starts such a server, and runs the command. */
export async function provisionedWith(options: FakeOptions, parts?: ProvisioningParts) {
  const gitea = await startGitea(options)
  return { gitea, ...(await provisioned(gitea, parts)) }
}

/** Reads the target from an environment file, as a run does. */
export function targetIn(text: string): CodeHostingTarget {
  const loaded = loadTarget({ environment: parse(text), directory: temporaryDirectory() })
  if (!('target' in loaded) || loaded.target.codeHosting === undefined) {
    throw new Error(`no target: ${JSON.stringify(loaded)}`)
  }
  return loaded.target.codeHosting
}
