import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { afterEach, describe, expect, it } from 'vitest'
import { plumbline, temporaryDirectory } from '../../../lib/cli/command.fixture.ts'
import { UsageError, version } from '../../../lib/cli/context.ts'
import { closeAll, closedPort, startServer } from '../../../lib/probe/server.fixture.ts'
import {
  ADMIN,
  type FakeGitea,
  operatorOf,
  problem,
  provisioned,
  provisionedWith,
  startGitea,
  targetIn,
} from './gitea.fixture.ts'

afterEach(closeAll)

const MARK = 'Made by plumbline provision (prefix plumbline-)'
const NAMES = ['plumbline-main', 'plumbline-other']

/** Returns each repository with its private and archived states. */
const stateOf = ({ repositories }: FakeGitea) =>
  Object.fromEntries(
    repositories.map((repository) => [repository.name, [repository.private, repository.archived]]),
  )

/** Two pages of three repositories, and another repository. */
const REPOSITORIES = {
  'plumbline-public': [false, false],
  'plumbline-private': [true, false],
  'plumbline-archived': [true, true],
  ...Object.fromEntries([1, 2, 3, 4].map((index) => [`plumbline-00${index}`, [true, false]])),
}

describe('provision', () => {
  it('creates the resources for full coverage, and an environment file', async () => {
    const { gitea, status, output, reported } = await provisionedWith({})
    expect(status).toBe(0)
    expect(gitea.names()).toEqual(NAMES)
    expect(stateOf(gitea)).toEqual(REPOSITORIES)
    const [main, other] = NAMES.map((username) => {
      const { password = '', ...account } = gitea.accounts.get(username) ?? {}
      // The fake server restricts new accounts.
      expect(account).toMatchObject({ restricted: false, max_repo_creation: 1000 })
      expect(reported).not.toContain(password)
      return { username, password }
    })
    const target = targetIn(output)
    expect(target).toMatchObject({
      ...{ ...main, other },
      baseUrl: gitea.baseUrl,
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
    expect([target.admin, target.largeBlob]).toEqual([undefined, undefined])
    // A page of a tree and another entry, with a file for it in the public repository.
    expect(gitea.files.size).toBe(1001)
  })

  it('can be repeated: it adds missing resources, corrects others, and sets new passwords', async () => {
    const { gitea, output } = await provisionedWith({})
    gitea.repositories.splice(4, 1)
    Object.assign(gitea.repositories[0] ?? {}, { archived: true })
    Object.assign(gitea.repositories[1] ?? {}, { private: false })
    const before = gitea.requests.length
    const repeated = await provisioned(gitea)
    expect(repeated.status).toBe(0)
    expect(stateOf(gitea)).toEqual(REPOSITORIES)
    const [first, second] = [targetIn(output), targetIn(repeated.output)]
    const password = gitea.accounts.get('plumbline-main')?.password
    expect(password).not.toBe(first.password)
    const { readOrganization, largeTree } = first
    expect(second).toMatchObject({ password, readOrganization, largeTree })
    const needless = /^DELETE .*-main$|^POST .*(orgs|contents)$/
    expect(gitea.requests.slice(before).filter((request) => needless.test(request))).toEqual([])
  })

  it('omits requests for resources that the server does not allow', async () => {
    const { status, output } = await provisionedWith({
      instead: [/^POST .*(orgs|contents)$/, () => problem(404)],
    })
    expect(status).toBe(0)
    const { readOrganization, largeTree } = targetIn(output)
    expect([readOrganization, largeTree]).toEqual([undefined, undefined])
  })

  it('creates repositories for two pages of the server, and configures its settings', async () => {
    const settings = {
      ...{ max_response_items: 5, default_paging_num: 3, default_git_trees_per_page: 1000 },
      ...{ default_max_blob_size: 20, default_max_response_size: -1 },
    }
    const { gitea, output } = await provisionedWith(
      { instead: [/settings/, () => Response.json(settings)] },
      { includeAdmin: true },
    )
    expect(gitea.repositories).toHaveLength(11)
    expect(Object.keys(parse(output)).filter((name) => /MAX|DEFAULT/.test(name))).toEqual([
      'CODE_HOSTING_MAX_RESPONSE_ITEMS',
      'CODE_HOSTING_DEFAULT_PAGING_NUM',
      'CODE_HOSTING_DEFAULT_MAX_BLOB_SIZE',
    ])
    const sizes = { maxResponseItems: 5, defaultPagingNum: 3, defaultMaxBlobSize: 20 }
    expect(targetIn(output)).toMatchObject({ settings: sizes, admin: ADMIN })
  })
})

it('standard output has only the environment file', async () => {
  const argv = ['provision', '--family', 'gitea', '--yes']
  const { status, output, errors } = await plumbline(argv, operatorOf(await startGitea()))
  expect(errors).toContain('7 repositories')
  expect(status).toBe(0)
  expect(targetIn(output).username).toBe('plumbline-main')
})

it('in a job of GitHub Actions, secrets are masked before they are printed', async () => {
  const environment = { CI: 'true', GITHUB_ACTIONS: 'true' }
  const { gitea, output } = await provisionedWith({}, { environment, includeAdmin: true })
  const secrets = [...gitea.accounts.values()].map(({ password }) => password)
  expect(secrets).toHaveLength(3)
  for (const secret of secrets) {
    const mask = `::add-mask::${secret}\n`
    expect(output.indexOf(secret)).toBe(output.indexOf(mask) + '::add-mask::'.length)
  }
})

it('shows the name of an administrator whose password begins with it', async () => {
  const gitea = await startGitea()
  const account = { login: 'siteadmin', password: 'siteadmin-42' }
  gitea.addAccount({ ...account, is_admin: true })
  const directory = temporaryDirectory()
  const environment = {
    CODE_HOSTING_ADMIN_USERNAME: '',
    CODE_HOSTING_ADMIN_PASSWORD: '',
    CODE_HOSTING_BASE_URL: '',
  }
  const lines = {
    CODE_HOSTING_BASE_URL: gitea.baseUrl,
    CODE_HOSTING_ADMIN_USERNAME: account.login,
    CODE_HOSTING_ADMIN_PASSWORD: account.password,
  }
  const file = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(directory, '.env'), file.join(''))
  const { status, reported } = await provisioned(gitea, { directory, environment })
  expect(status).toBe(0)
  expect(reported).toContain(` ${account.login}, `)
})

it.each([
  ['--output in a job', { CI: 'true' }],
  ['its own cookies', { PROBE_HEADERS: '{"cookie":"session=abcd1234"}' }],
])('nothing is sent without %s', async (_, environment) => {
  const gitea = await startGitea()
  await expect(provisioned(gitea, { environment })).rejects.toThrow(UsageError)
  expect(gitea.requests).toEqual([])
})

describe('before the first change', () => {
  it('the operator is shown the plan and has to confirm', async () => {
    const questions: string[] = []
    const confirm = async (question: string) => questions.push(question) > 1
    const { gitea, status, output, reported } = await provisionedWith({}, { confirm })
    expect([status, output]).toEqual([3, ''])
    await expect(reported).toMatchFileSnapshot('snapshots/plan.txt')
    expect(gitea.changes()).toEqual([])

    expect((await provisioned(gitea, { confirm })).status).toBe(0)
    expect(questions).toHaveLength(2)
    expect(gitea.names()).toEqual(NAMES)
  })

  it('an account that is not an administrator is rejected', async () => {
    const gitea = await startGitea()
    gitea.addAccount({ login: ADMIN.username, password: ADMIN.password })
    const { status, reported } = await provisioned(gitea)
    expect(status).toBe(1)
    expect(reported).toMatch(/^\S+ .*\broot\b/)
    expect(gitea.changes()).toEqual([])
  })

  it('all conflicts are named, and nothing is created', async () => {
    const gitea = await startGitea()
    gitea.addAccount({ login: 'plumbline-other', full_name: 'Olga Other' })
    const own = (login: string) => ({ login, full_name: MARK, email: `${login}@plumbline.invalid` })
    gitea.addAccount(own('plumbline-main'))
    const organization = { name: 'plumbline-org', owner: 'olga', description: 'My own' }
    gitea.organizations.set('plumbline-org', organization)
    gitea.addRepository('plumbline-main', 'plumbline-private', { private: true })
    const { status, reported } = await provisioned(gitea)
    expect(status).toBe(1)
    await expect(reported).toMatchFileSnapshot('snapshots/conflicts.txt')
    expect(gitea.changes()).toEqual([])
  })

  it('a server of another family is rejected', async () => {
    const page = () => new Response('<h1>Hello</h1>', { headers: { 'Content-Type': 'text/html' } })
    const { status, reported } = await provisionedWith({ instead: [/./, page] })
    expect(status).toBe(1)
    expect(reported).toMatch(/GET <base URL>\/api\/v1\/user .* 200,/)

    const unreachable = await provisioned({ baseUrl: `http://127.0.0.1:${await closedPort()}` })
    expect(unreachable.status).toBe(3)
    expect(unreachable.reported).toMatch(/\(ECONNREFUSED\).*\.\s*$/s)
  })
})

it('sends the header fields of PROBE_HEADERS', async () => {
  const received: unknown[] = []
  const { url } = await startServer(({ headers }, response) => {
    received.push([headers['x-gateway-key'], headers['user-agent']])
    response.end('{}')
  })
  const environment = { PROBE_HEADERS: '{"X-Gateway-Key":"abcd1234"}' }
  expect((await provisioned({ baseUrl: url.origin }, { environment })).status).toBe(1)
  expect(received[0]).toEqual(['abcd1234', `plumbline/${version}`])
})

it('provision --output writes a file for its owner only, and replaces one only with --overwrite', async () => {
  const gitea = await startGitea()
  const directory = temporaryDirectory()
  const file = join(directory, 'staging.env')
  const parts = { directory, output: 'staging.env', environment: { CI: 'true' } }
  // A link whose target does not exist.
  symlinkSync('own', file)
  await expect(provisioned(gitea, parts)).rejects.toThrow('--overwrite')
  expect(gitea.requests).toEqual([])
  const { status, output, reported } = await provisioned(gitea, { ...parts, overwrite: true })
  expect([status, output]).toEqual([0, ''])
  expect(reported).toContain(` ${file}.`)
  expect(lstatSync(file).isFile()).toBe(true)
  expect(readdirSync(directory)).toEqual(['staging.env'])
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const first = readFileSync(file, 'utf8')
  const sent = gitea.requests.length
  await expect(provisioned(gitea, parts)).rejects.toThrow('--overwrite')
  expect(gitea.requests).toHaveLength(sent)
  chmodSync(file, 0o644)
  await provisioned(gitea, { ...parts, overwrite: true })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toBe(first)
})

describe('provision --remove', () => {
  it('deletes the resources of the prefix, and none of another prefix', async () => {
    const { gitea } = await provisionedWith({})
    await provisioned(gitea, { prefix: 'plumbline-b-' })
    const removed = await provisioned(gitea, { remove: true, environment: { CI: 'true' } })
    expect(removed.status).toBe(0)
    expect(removed.reported).toContain('plumbline-main')
    expect(gitea.names()).toEqual(['plumbline-b-main', 'plumbline-b-other'])
    expect(gitea.repositories.map(({ owner }) => owner)).toEqual(Array(7).fill('plumbline-b-main'))
    expect([...gitea.organizations.keys()]).toEqual(['plumbline-b-org'])

    const again = await provisioned(gitea, { remove: true })
    expect(again.status).toBe(0)
    expect(again.reported).toContain('prefix plumbline-')
  })

  it('keeps other resources, and the account that owns them', async () => {
    const { gitea } = await provisionedWith({})
    gitea.addRepository('plumbline-main', 'plumbline-mine')
    Object.assign(gitea.accounts.get('plumbline-other') ?? {}, { email: 'olga@example.com' })
    Object.assign(gitea.organizations.get('plumbline-org') ?? {}, { description: 'Ours' })
    const { status, reported } = await provisioned(gitea, { remove: true })
    expect(status).toBe(1)
    expect(gitea.repositories.map(({ name }) => name)).toEqual(['plumbline-mine'])
    expect(gitea.names()).toEqual(NAMES)
    expect([...gitea.organizations.keys()]).toEqual(['plumbline-org'])
    await expect(reported).toMatchFileSnapshot('snapshots/removal.txt')
  })
})
