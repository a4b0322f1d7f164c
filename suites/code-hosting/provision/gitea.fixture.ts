import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { Secret, TOTP } from 'otpauth'
import { startServer } from '../../../lib/probe/server.fixture.ts'

export interface FakeAccount {
  login: string
  full_name: string
  email: string
  is_admin: boolean
  password: string
  source_id: number
  login_name: string
  restricted?: boolean
  max_repo_creation?: number
  /** In base32; with it, the password requires a code. */
  secret?: string
}

export interface FakeRepository {
  owner: string
  name: string
  description: string
  private: boolean
  archived: boolean
}

export interface FakeOrganization {
  name: string
  owner: string
  description: string
}

/** Returns a response that replaces the normal one. */
export type Intervention = (request: {
  method: string
  path: string
  /** Number of requests with this method and path so far, including this one. */
  number: number
}) => Response | undefined

export interface FakeOptions {
  intervene?: Intervention
  /** The enrolment page shows no secret, as with single sign-on. */
  withoutEnrolment?: boolean
  /** Header field of one-time codes; defaults to the documented one. */
  codeField?: string
  /** Requests without credentials get 403, as with the setting REQUIRE_SIGNIN_VIEW of older servers. */
  requireSignIn?: boolean
  /** Forms require a token, as on older servers. */
  withFormTokens?: boolean
  /** Restrictions of new accounts, and their maximum number of repositories. */
  newAccounts?: { restricted: boolean; limit: number }
  settings?: object
}

export const ADMIN = { username: 'root', password: 'Admin-pass-1' }

/** Base32 of 40 bytes, as on servers of the family. */
export const ENROLMENT_SECRET = 'WZAITLP2RUWSTETUEEBNSXPZPATZ6HZJYFBWOGPMZ24G4HAOIB4EYLKIUHHNXJ72'

const FORM_TOKEN = 'form-token-1'
const settings = {
  max_response_items: 3,
  default_paging_num: 2,
  default_git_trees_per_page: 1000,
  default_max_blob_size: 10485760,
  default_max_response_size: 104857600,
}

const problem = (status: number, message: string) => Response.json({ message, url: '' }, { status })

/** Starts a server with the endpoints and pages of the Gitea family that provision uses. */
export async function startGitea(options: FakeOptions = {}) {
  const accounts = new Map<string, FakeAccount>()
  const repositories: FakeRepository[] = []
  const organizations = new Map<string, FakeOrganization>()
  /** Paths of files, below owner and name of their repository. */
  const files = new Set<string>()
  const sessions = new Map<string, FakeAccount>()
  const requests: string[] = []
  const app = new Hono().basePath('/git')

  function addAccount(parts: Partial<FakeAccount> & { login: string }): FakeAccount {
    const account = {
      full_name: '',
      email: `${parts.login}@example.com`,
      is_admin: false,
      password: 'other-password',
      source_id: 0,
      login_name: '',
      ...parts,
    }
    accounts.set(account.login, account)
    return account
  }
  addAccount({ login: ADMIN.username, password: ADMIN.password, is_admin: true })

  const toRecord = ({ password: _, secret: __, ...account }: FakeAccount) => account
  const repositoryRecord = ({ owner, ...repository }: FakeRepository) => ({
    ...repository,
    full_name: `${owner}/${repository.name}`,
  })
  // The step may change while a code is sent.
  const isCode = (token: unknown, secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).validate({
      token: String(token),
      window: 1,
    }) !== null

  function caller(context: Context): FakeAccount | undefined {
    const [, credentials = ''] = (context.req.header('Authorization') ?? '').split(' ')
    const [name = '', password] = Buffer.from(credentials, 'base64').toString().split(':')
    const account = accounts.get(name)
    if (account === undefined || account.password !== password) return undefined
    const code = context.req.header(options.codeField ?? 'X-Service-OTP')
    return account.secret === undefined || isCode(code, account.secret) ? account : undefined
  }

  app.use(async (context, next) => {
    const { method, path } = context.req
    const request = `${method} ${path.replace(/^\/git/, '')}`
    requests.push(request)
    const number = requests.filter((other) => other === request).length
    const response = options.intervene?.({ method, path: path.replace(/^\/git/, ''), number })
    return response ?? next()
  })
  app.use('/api/v1/*', async (context, next) => {
    const account = caller(context)
    if (account === undefined) {
      return options.requireSignIn
        ? problem(403, 'Only signed in user is allowed to call APIs.')
        : problem(401, 'invalid username, password or token')
    }
    if (context.req.path.includes('/admin/') && !account.is_admin) {
      return problem(403, 'user should be the site admin')
    }
    return next()
  })

  app.get('/api/v1/user', (context) => context.json(toRecord(caller(context) as FakeAccount)))
  app.get('/api/v1/settings/api', (context) => context.json(options.settings ?? settings))
  app.get('/api/v1/users/:name', (context) => {
    const account = accounts.get(context.req.param('name'))
    return account === undefined ? problem(404, 'no such user') : context.json(toRecord(account))
  })
  app.post('/api/v1/admin/users', async (context) => {
    const { username, ...rest } = await context.req.json()
    if (accounts.has(username)) return problem(422, `user already exists [name: ${username}]`)
    const { restricted, limit: max_repo_creation } = options.newAccounts ?? {}
    const account = addAccount({ ...rest, login: username, restricted, max_repo_creation })
    return context.json(toRecord(account), 201)
  })
  app.patch('/api/v1/admin/users/:name', async (context) => {
    const account = accounts.get(context.req.param('name'))
    const { login_name, source_id, ...change } = await context.req.json()
    if (login_name === undefined || source_id === undefined) return problem(422, '[LoginName]')
    if (account === undefined) return problem(404, 'no such user')
    return context.json(toRecord(Object.assign(account, change)))
  })
  app.delete('/api/v1/admin/users/:name', (context) => {
    const name = context.req.param('name')
    if (repositories.some(({ owner }) => owner === name)) {
      return problem(422, 'user still has ownership of repositories')
    }
    if ([...organizations.values()].some(({ owner }) => owner === name)) {
      return problem(422, 'user still has ownership of organizations')
    }
    return accounts.delete(name) ? context.body(null, 204) : problem(404, 'no such user')
  })
  app.get('/api/v1/users/:name/repos', (context) => {
    const { page = '1', limit = '2' } = context.req.query()
    const size = Math.min(Number(limit), 2)
    const owned = repositories.filter(({ owner }) => owner === context.req.param('name'))
    const start = (Number(page) - 1) * size
    return context.json(owned.slice(start, start + size).map(repositoryRecord))
  })
  app.post('/api/v1/admin/users/:name/repos', async (context) => {
    const owner = context.req.param('name')
    const { name, description, private: hidden } = await context.req.json()
    if (repositories.some((other) => other.owner === owner && other.name === name)) {
      return problem(409, 'The repository with the same name already exists.')
    }
    const repository = { owner, name, description, private: hidden, archived: false }
    repositories.push(repository)
    return context.json(repositoryRecord(repository), 201)
  })
  const find = ({ req }: Context) =>
    repositories.find(
      ({ owner, name }) => owner === req.param('owner') && name === req.param('name'),
    )
  app.patch('/api/v1/repos/:owner/:name', async (context) => {
    const repository = find(context)
    if (repository === undefined) return problem(404, 'no such repository')
    Object.assign(repository, await context.req.json())
    return context.json(repositoryRecord(repository))
  })
  app.delete('/api/v1/repos/:owner/:name', (context) => {
    const repository = find(context)
    if (repository === undefined) return problem(404, 'no such repository')
    repositories.splice(repositories.indexOf(repository), 1)
    return context.body(null, 204)
  })

  app.post('/api/v1/repos/:owner/:name/contents', async (context) => {
    if (find(context) === undefined) return problem(404, 'no such repository')
    const body: { files: { path: string }[] } = await context.req.json()
    const { owner, name } = context.req.param()
    for (const { path } of body.files) files.add(`${owner}/${name}/${path}`)
    return context.json({ files: [] }, 201)
  })
  app.get('/api/v1/repos/:owner/:name/contents/:path', (context) => {
    const { owner, name, path } = context.req.param()
    return files.has(`${owner}/${name}/${path}`)
      ? context.json({ path })
      : problem(404, 'no such file')
  })
  app.get('/api/v1/orgs/:name', (context) => {
    const organization = organizations.get(context.req.param('name'))
    return organization === undefined
      ? problem(404, 'no such organization')
      : context.json(organization)
  })
  app.post('/api/v1/admin/users/:name/orgs', async (context) => {
    const owner = context.req.param('name')
    const { username: name, description } = await context.req.json()
    const organization = { name, owner, description }
    organizations.set(name, organization)
    return context.json(organization, 201)
  })
  app.delete('/api/v1/orgs/:name', (context) =>
    organizations.delete(context.req.param('name'))
      ? context.body(null, 204)
      : problem(404, 'no such organization'),
  )

  const session = ({ req }: Context) =>
    sessions.get(/session=([^;]*)/.exec(req.header('Cookie') ?? '')?.[1] ?? '')
  const form = options.withFormTokens
    ? `<input type="hidden" name="_csrf" value="${FORM_TOKEN}">`
    : ''
  const rejectsForm = (fields: FormData) =>
    options.withFormTokens && fields.get('_csrf') !== FORM_TOKEN
  app.get('/user/login', (context) => context.html(`<form method="post">${form}</form>`))
  app.post('/user/login', async (context) => {
    const fields = await context.req.formData()
    if (rejectsForm(fields)) return context.text('Bad Request: invalid CSRF token', 400)
    const account = accounts.get(String(fields.get('user_name')))
    if (account === undefined || account.password !== fields.get('password')) {
      return context.html('<p>Username or password is incorrect.</p>')
    }
    const id = `s${sessions.size}`
    sessions.set(id, account)
    return new Response(null, {
      status: 303,
      headers: { Location: '/', 'Set-Cookie': `session=${id}; Path=/; HttpOnly` },
    })
  })
  app.get('/user/settings/security/two_factor/enroll', (context) => {
    if (session(context) === undefined) return context.redirect('/user/login', 303)
    return context.html(
      options.withoutEnrolment
        ? '<p>Ask your identity provider.</p>'
        : `<img alt="QR" src="data:image/png;base64,iVBORw0KGgo"><p>Or: ${ENROLMENT_SECRET}</p>${form}`,
    )
  })
  app.post('/user/settings/security/two_factor/enroll', async (context) => {
    const account = session(context)
    const fields = await context.req.formData()
    if (account === undefined || rejectsForm(fields)) return context.text('refused', 400)
    if (isCode(fields.get('passcode'), ENROLMENT_SECRET)) account.secret = ENROLMENT_SECRET
    return context.redirect('/user/settings/security', 303)
  })

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
    names: () => [...accounts.keys()].filter((name) => name !== ADMIN.username),
  }
}

export type FakeGitea = Awaited<ReturnType<typeof startGitea>>
