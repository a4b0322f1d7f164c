import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { plumbline, temporaryDirectory } from '../../../lib/cli/command.fixture.ts'
import { UsageError, version } from '../../../lib/cli/context.ts'
import { closeAll, closedPort, startServer } from '../../../lib/probe/server.fixture.ts'
import { ADMIN, ENROLMENT_SECRET, type FakeGitea, startGitea } from './gitea.fixture.ts'
import { operatorOf, provisioned, targetIn } from './provision.fixture.ts'

afterEach(closeAll)

const MARK = 'Made by plumbline provision (prefix plumbline-)'
const NAMES = ['plumbline-main', 'plumbline-other', 'plumbline-otp']
/** Two pages of three repositories, and another repository. */
const REPOSITORIES = ['public', 'private', 'archived', '001', '002', '003', '004']

const changes = ({ requests }: FakeGitea) =>
  requests.filter((request) => !request.startsWith('GET'))
const stateOf = ({ repositories }: FakeGitea) =>
  Object.fromEntries(
    repositories.map(({ name, private: hidden, archived }) => [name, { hidden, archived }]),
  )

describe('provision', () => {
  it('creates the resources for full coverage, and an environment file', async () => {
    const gitea = await startGitea()
    const { status, output, reported } = await provisioned(gitea)

    expect(status).toBe(0)
    expect(gitea.names()).toEqual(NAMES)
    expect(Object.keys(stateOf(gitea))).toEqual(REPOSITORIES.map((name) => `plumbline-${name}`))
    expect(stateOf(gitea)).toMatchObject({
      'plumbline-public': { hidden: false, archived: false },
      'plumbline-private': { hidden: true, archived: false },
      'plumbline-archived': { hidden: true, archived: true },
    })

    const password = (name: string) => gitea.accounts.get(name)?.password
    expect(targetIn(output)).toMatchObject({
      baseUrl: gitea.baseUrl,
      username: 'plumbline-main',
      password: password('plumbline-main'),
      other: { username: 'plumbline-other', password: password('plumbline-other') },
      otp: {
        username: 'plumbline-otp',
        password: password('plumbline-otp'),
        secret: ENROLMENT_SECRET,
      },
      publicRepository: 'plumbline-main/plumbline-public',
      privateRepository: 'plumbline-main/plumbline-private',
      archivedChange: { method: 'POST' },
      conflict: { method: 'POST', body: '{"name":"plumbline-public"}' },
      noContent: { method: 'PUT', body: null },
      readOrganization: { method: 'GET', path: '/api/v1/orgs/plumbline-org' },
      readAdmin: { method: 'GET' },
      tokenList: { path: '/api/v1/users/plumbline-main/tokens' },
      largeTree: { method: 'GET' },
      release: { method: 'GET' },
      tokenDeletePath: '/api/v1/users/{username}/tokens/{name}',
    })
    expect(targetIn(output).admin).toBeUndefined()
    // A page of a tree and another entry, with a file for it in the public repository.
    expect(gitea.files.size).toBe(1001)
    expect(targetIn(output).largeBlob).toBeUndefined()
    for (const name of NAMES) expect(reported).not.toContain(password(name))
    expect(reported).not.toContain(ENROLMENT_SECRET)
  })

  it('can be repeated: it adds missing resources, corrects others, and sets new passwords', async () => {
    const gitea = await startGitea()
    const first = targetIn((await provisioned(gitea)).output)
    const created = stateOf(gitea)
    gitea.repositories.splice(4, 1)
    const [publicOne, privateOne] = gitea.repositories
    Object.assign(publicOne ?? {}, { archived: true })
    Object.assign(privateOne ?? {}, { private: false })
    const before = gitea.requests.length

    const { status, output } = await provisioned(gitea)

    expect(status).toBe(0)
    expect(stateOf(gitea)).toEqual(created)
    const second = targetIn(output)
    expect(second.password).toBe(gitea.accounts.get('plumbline-main')?.password)
    expect(second.password).not.toBe(first.password)
    const repeated = gitea.requests.slice(before)
    expect(repeated).not.toContain('DELETE /api/v1/admin/users/plumbline-main')
    expect(repeated).not.toContain('POST /api/v1/admin/users/plumbline-main/orgs')
    expect(repeated.filter((request) => /^POST .*contents$/.test(request))).toEqual([])
    expect(second.readOrganization).toEqual(first.readOrganization)
    expect(second.largeTree).toEqual(first.largeTree)
  })

  it('omits requests for resources that the server does not allow', async () => {
    const gitea = await startGitea({
      intervene: ({ method, path }) =>
        method === 'POST' && /orgs$|contents$/.test(path)
          ? Response.json({ message: 'no' }, { status: 404 })
          : undefined,
    })
    const { status, output } = await provisioned(gitea)
    expect(status).toBe(0)
    expect(targetIn(output).readOrganization).toBeUndefined()
    expect(targetIn(output).largeTree).toBeUndefined()
  })

  it('lifts the restrictions of new accounts', async () => {
    const gitea = await startGitea({ newAccounts: { restricted: true, limit: 0 } })
    await provisioned(gitea)
    for (const name of NAMES) {
      expect(gitea.accounts.get(name)).toMatchObject({ restricted: false, max_repo_creation: 1000 })
    }
  })

  it('creates repositories for two pages of the server, and does not configure other settings', async () => {
    const settings = {
      max_response_items: 5,
      default_paging_num: 20,
      default_git_trees_per_page: 1000,
      default_max_blob_size: 10485760,
    }
    const gitea = await startGitea({ settings })
    const { output } = await provisioned(gitea, { includeAdmin: true })

    expect(gitea.repositories).toHaveLength(11)
    expect(targetIn(output).settings.maxResponseItems).toBe(25)
    expect(targetIn(output).admin).toEqual({ username: 'root', password: 'Admin-pass-1' })
  })
})

it('standard output has only the environment file', async () => {
  const argv = ['provision', '--family', 'gitea', '--yes']
  const { status, output, errors } = await plumbline(argv, operatorOf(await startGitea()))
  expect(errors).toContain('7 repositories')
  expect(status).toBe(0)
  expect(targetIn(output).username).toBe('plumbline-main')
})

describe('in a job', () => {
  it('of GitHub Actions, secrets are masked before they are printed', async () => {
    const gitea = await startGitea()
    const environment = { CI: 'true', GITHUB_ACTIONS: 'true' }
    const { output } = await provisioned(gitea, { environment, includeAdmin: true })
    const { accounts } = gitea
    const secrets = [...NAMES, ADMIN.username].map((name) => accounts.get(name)?.password ?? '')
    for (const secret of [...secrets, ENROLMENT_SECRET]) {
      const mask = `::add-mask::${secret}\n`
      expect(output.indexOf(secret)).toBe(output.indexOf(mask) + '::add-mask::'.length)
    }
  })

  it('of another CI server, --output is required, and nothing is sent without it', async () => {
    const gitea = await startGitea()
    const environment = { CI: 'true' }
    await expect(provisioned(gitea, { environment })).rejects.toThrow(UsageError)
    expect(gitea.requests).toEqual([])
    const { status, output } = await provisioned(gitea, { environment, output: 'staging.env' })
    expect([status, output]).toEqual([0, ''])
    expect((await provisioned(gitea, { environment, remove: true })).status).toBe(0)
  })
})

describe('before the first change', () => {
  it('the operator is shown the plan and has to confirm', async () => {
    const gitea = await startGitea()
    const questions: string[] = []
    const confirm = async (question: string) => questions.push(question) > 1
    const { status, output, reported } = await provisioned(gitea, { confirm })

    expect([status, output]).toEqual([3, ''])
    const text = reported.replaceAll(gitea.baseUrl, '<base URL>')
    await expect(text).toMatchFileSnapshot('snapshots/plan.txt')
    expect(changes(gitea)).toEqual([])

    const agreed = await provisioned(gitea, { confirm })
    expect(agreed.status).toBe(0)
    expect(questions).toHaveLength(2)
    expect(gitea.names()).toEqual(NAMES)
  })

  it('an account that is not an administrator is rejected', async () => {
    const gitea = await startGitea()
    gitea.addAccount({ login: ADMIN.username, password: ADMIN.password })
    const { status, reported } = await provisioned(gitea)
    expect(status).toBe(1)
    expect(reported).toMatch(/^\S+ .*\broot\b/)
    expect(changes(gitea)).toEqual([])
  })

  it('all conflicts are named, and nothing is created', async () => {
    const gitea = await startGitea()
    gitea.addAccount({ login: 'plumbline-other', full_name: 'Olga Other' })
    const own = (login: string) => ({ login, full_name: MARK, email: `${login}@plumbline.invalid` })
    gitea.addAccount({ ...own('plumbline-otp'), is_admin: true })
    gitea.addAccount(own('plumbline-main'))
    const organization = { name: 'plumbline-org', owner: 'olga', description: 'My own' }
    gitea.organizations.set('plumbline-org', organization)
    gitea.repositories.push({
      owner: 'plumbline-main',
      name: 'plumbline-private',
      description: 'My own',
      private: true,
      archived: false,
    })
    const { status, reported } = await provisioned(gitea)
    expect(status).toBe(1)
    const text = reported.replaceAll(gitea.baseUrl, '<base URL>')
    await expect(text).toMatchFileSnapshot('snapshots/conflicts.txt')
    expect(changes(gitea)).toEqual([])
  })

  it('a server of another family is rejected', async () => {
    const page = () => new Response('<h1>Hello</h1>', { headers: { 'Content-Type': 'text/html' } })
    const { status, reported } = await provisioned(await startGitea({ intervene: page }))
    expect(status).toBe(1)
    expect(reported).toMatch(/GET \S+\/git\/api\/v1\/user .* 200,/)

    const unreachable = await provisioned({ baseUrl: `http://127.0.0.1:${await closedPort()}` })
    expect(unreachable.status).toBe(3)
    expect(unreachable.reported).toMatch(/\(ECONNREFUSED\).*\.\s*$/s)
  })
})

describe('provision behind a gateway', () => {
  it('sends the header fields of PROBE_HEADERS', async () => {
    const received: unknown[] = []
    const { url } = await startServer(({ headers }, response) => {
      received.push([headers['x-gateway-key'], headers['user-agent']])
      response.end('{}')
    })
    const environment = { PROBE_HEADERS: '{"X-Gateway-Key":"abcd1234"}' }
    const { status } = await provisioned({ baseUrl: url.origin }, { environment })
    expect(status).toBe(1)
    expect(received[0]).toEqual(['abcd1234', `plumbline/${version}`])
  })

  it('refuses a cookie, since it signs in', async () => {
    const gitea = await startGitea()
    const environment = { PROBE_HEADERS: '{"cookie":"session=abcd1234"}' }
    await expect(provisioned(gitea, { environment })).rejects.toThrow(UsageError)
    expect(gitea.requests).toEqual([])
  })
})

describe('provision --output', () => {
  it('writes a file for its owner only, and replaces a file only with --overwrite', async () => {
    const gitea = await startGitea()
    const directory = temporaryDirectory()
    const file = join(directory, 'staging.env')
    const { status, output, reported } = await provisioned(gitea, {
      directory,
      output: 'staging.env',
    })
    expect(status).toBe(0)
    expect(output).toBe('')
    expect(reported).toContain(` ${file}.`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const first = readFileSync(file, 'utf8')

    const sent = gitea.requests.length
    const rejected = provisioned(gitea, { directory, output: 'staging.env' })
    await expect(rejected).rejects.toThrow('--overwrite')
    expect(gitea.requests).toHaveLength(sent)

    chmodSync(file, 0o644)
    await provisioned(gitea, { directory, output: 'staging.env', overwrite: true })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toBe(first)
  })

  it('rejects a symbolic link, even a dangling one, and --overwrite replaces it', async () => {
    const gitea = await startGitea()
    const directory = temporaryDirectory()
    symlinkSync('own', join(directory, 'staging.env'))
    const rejected = provisioned(gitea, { directory, output: 'staging.env' })
    await expect(rejected).rejects.toThrow('--overwrite')
    expect(gitea.requests).toEqual([])

    await provisioned(gitea, { directory, output: 'staging.env', overwrite: true })
    expect(lstatSync(join(directory, 'staging.env')).isFile()).toBe(true)
    expect(readdirSync(directory)).toEqual(['staging.env'])
  })
})
