import { getRequestListener } from '@hono/node-server'
import { parse } from 'dotenv'
import { temporaryDirectory } from '../../../lib/cli/command.fixture.ts'
import { createNestedContext } from '../../../lib/cli/context.fixture.ts'
import type { CliContext } from '../../../lib/cli/context.ts'
import { type ProvisionOptions, action as provision } from '../../../lib/cli/provision.ts'
import { loadTarget } from '../../../lib/cli/services.ts'
import { startServer } from '../../../lib/probe/server.fixture.ts'
import type { CodeHostingTarget } from '../variables.ts'

/** A record of the server; `owner` and `password` are not sent. */
type StoredRecord = Record<string, unknown>

/** Returns a response that replaces the normal one of a request such as `GET /api/v1/user`. */
export type Instead = (request: string) => Response | undefined | false

export const ADMIN = { username: 'root', password: 'Admin-pass-1' }

export const problem = (status: number, message = 'no', headers: Record<string, string> = {}) =>
  Response.json({ message }, { status, headers })

function reply(record: object | undefined, status = 200): Response {
  if (record === undefined) return problem(404)
  const isSent = (field: string) => field !== 'password' && field !== 'owner'
  const text = JSON.stringify(record, (field, value) => (isSent(field) ? value : undefined))
  return new Response(text, { status, headers: { 'Content-Type': 'application/json' } })
}

const SETTINGS = {
  max_response_items: 3,
  default_git_trees_per_page: 1000,
  default_max_blob_size: 10485760,
  default_max_response_size: -1,
}

const isChange = (request: string) => !request.startsWith('GET')

/** Returns the records that a POST request creates, with their paths. */
function created(path: string, body: StoredRecord & { files?: { path: string }[] }) {
  const [, owner] = /^\/admin\/users\/([^/]+)\//.exec(path) ?? []
  const { username, ...rest } = body
  // The server archives existing repositories only, and restricts new accounts.
  const records: Record<string, [string, StoredRecord][]> = {
    users: [
      [`/users/${username}`, { ...rest, login: username, is_admin: false, restricted: true }],
    ],
    repos: [[`/repos/${owner}/${body.name}`, { ...rest, owner, archived: false }]],
    orgs: [[`/orgs/${body.name}`, { ...rest, owner }]],
    contents: (body.files ?? []).map((file) => [`${path}/${file.path}`, {}]),
  }
  return records[path.split('/').at(-1) ?? ''] ?? []
}

/** Starts a server with the endpoints of the Gitea family that provision uses. */
export async function startGitea(instead: Instead = () => undefined) {
  /** Records by their paths. */
  const records = new Map<string, StoredRecord>([
    [
      `/users/${ADMIN.username}`,
      { login: ADMIN.username, password: ADMIN.password, is_admin: true },
    ],
    ['/settings/api', SETTINGS],
  ])
  const requests: string[] = []
  const ownedBy = (owner: string | undefined) =>
    [...records].filter(([, record]) => record.owner === owner)

  function isAdministrator(request: Request): boolean {
    const [, credentials = ''] = (request.headers.get('Authorization') ?? '').split(' ')
    const [name, password] = Buffer.from(credentials, 'base64').toString().split(':')
    const account = records.get(`/users/${name}`)
    return account?.password === password && account?.is_admin === true
  }

  async function respond(request: Request): Promise<Response> {
    const { method, url } = request
    const { pathname, searchParams } = new URL(url)
    const text = `${method} ${pathname.replace('/git', '')}`
    requests.push(text)
    const replaced = instead(text)
    if (replaced) return replaced
    if (!isAdministrator(request)) return problem(403)
    const path = pathname.replace('/git/api/v1', '')
    if (path === '/admin/users' && method === 'GET') return Response.json([])
    const [, owner] = /^\/users\/([^/]+)\/repos$/.exec(path) ?? []
    if (owner !== undefined) {
      const start = (Number(searchParams.get('page')) - 1) * 2
      const repositories = ownedBy(owner).filter(([other]) => other.startsWith('/repos/'))
      return reply(repositories.slice(start, start + 2).map(([, record]) => record))
    }
    if (method === 'GET') return reply(records.get(path))
    const key = path.replace(/^\/admin(?=\/users\/[^/]+$)/, '')
    const record = records.get(key)
    if (method === 'DELETE') {
      if (ownedBy(key.replace('/users/', '')).length > 0) return problem(422)
      return records.delete(key) ? new Response(null, { status: 204 }) : problem(404)
    }
    const body = (await request.json()) as StoredRecord
    if (method === 'PATCH') return reply(record && Object.assign(record, body))
    const added = created(path, body)
    if (added.some(([other]) => records.has(other))) return problem(422)
    for (const [other, fields] of added) records.set(other, fields)
    return reply(added[0]?.[1], 201)
  }

  const server = await startServer(getRequestListener(respond, { overrideGlobalObjects: false }))
  return {
    baseUrl: `${server.url.origin}/git`,
    records,
    /** Method and path of each request, below the base URL. */
    requests,
    changes: () => requests.filter(isChange),
    /** Returns the paths of accounts, repositories and organizations, without the administrator. */
    paths: () =>
      [...records.keys()].filter((path) =>
        /^\/(users|repos|orgs)\/(?!root$|.*contents)/.test(path),
      ),
  }
}

export type FakeGitea = Awaited<ReturnType<typeof startGitea>>

export const MARK = 'Made by plumbline provision (prefix plumbline-)'

/** Returns each repository with its private and archived states. */
export const stateOf = ({ records }: FakeGitea) =>
  Object.fromEntries(
    [...records]
      .filter(([path]) => /^\/repos\/[^/]+\/[^/]+$/.test(path))
      .map(([, record]) => [record.name, [record.private, record.archived]]),
  )

/** Two pages of three repositories, and another repository. */
export const REPOSITORIES = {
  'plumbline-public': [false, false],
  'plumbline-private': [true, false],
  'plumbline-archived': [true, true],
  ...Object.fromEntries([1, 2, 3, 4].map((index) => [`plumbline-00${index}`, [true, false]])),
}

interface ProvisioningParts extends Partial<ProvisionOptions> {
  environment?: Record<string, string>
  confirm?: CliContext['confirm']
  interruption?: AbortSignal
}

/**
 * Runs the command in this process, with `--yes` unless `confirm` is set.
 *
 * @returns standard output, and standard error on one line
 */
export async function provisioned(
  gitea: Pick<FakeGitea, 'baseUrl'>,
  { environment = {}, confirm, interruption, ...options }: ProvisioningParts = {},
) {
  const context = createNestedContext(temporaryDirectory())
  const status = await provision(
    { family: 'gitea', prefix: 'plumbline-', yes: confirm === undefined, ...options },
    {
      ...context,
      environment: {
        CODE_HOSTING_BASE_URL: gitea.baseUrl,
        CODE_HOSTING_ADMIN_USERNAME: ADMIN.username,
        CODE_HOSTING_ADMIN_PASSWORD: ADMIN.password,
        ...environment,
      },
      confirm,
      interruption: () =>
        new Promise<void>((resolve) =>
          interruption?.addEventListener('abort', () => resolve(), { once: true }),
        ),
    },
  )
  const { output, errors } = context.reported
  const reported = errors.replaceAll(gitea.baseUrl, '<base URL>')
  return { status, output, reported }
}

/** Starts such a server, and runs the command. */
export async function provisionedWith(instead?: Instead, parts?: ProvisioningParts) {
  const gitea = await startGitea(instead)
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
