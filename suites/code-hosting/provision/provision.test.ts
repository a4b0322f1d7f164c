import { afterEach, describe, expect, it } from 'vitest'
import { UsageError } from '../../../lib/cli/context.ts'
import { closeAll } from '../../../lib/probe/server.fixture.ts'
import {
  ADMIN,
  MARK,
  provisioned,
  provisionedWith,
  REPOSITORIES,
  startGitea,
  stateOf,
  targetIn,
} from './gitea.fixture.ts'

afterEach(closeAll)

const MAIN = '/users/plumbline-main'
describe('provision', () => {
  it('creates the resources for full coverage, and an environment file', async () => {
    const { gitea, status, output, reported } = await provisionedWith()
    expect(status).toBe(0)
    expect(stateOf(gitea)).toEqual(REPOSITORIES)
    const [main, other] = ['plumbline-main', 'plumbline-other'].map((username) => {
      const { password, ...account } = gitea.records.get(`/users/${username}`) ?? {}
      // The fake server restricts new accounts.
      expect(account).toMatchObject({ restricted: false, max_repo_creation: 1000 })
      expect(reported).not.toContain(password)
      return { username, password }
    })
    const target = targetIn(output)
    expect(target).toMatchObject({
      ...main,
      other,
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
    // A page of a tree and another entry.
    const files = [...gitea.records.keys()].filter((path) => path.includes('/contents/'))
    expect(files).toHaveLength(1001)
  })

  it('can be repeated: it adds missing resources, corrects others, and sets new passwords', async () => {
    const { gitea, output } = await provisionedWith()
    gitea.records.delete('/repos/plumbline-main/plumbline-002')
    const change = (name: string, fields: object) =>
      Object.assign(gitea.records.get(`/repos/plumbline-main/plumbline-${name}`) ?? {}, fields)
    change('public', { archived: true })
    change('private', { private: false })
    const before = gitea.requests.length
    const repeated = await provisioned(gitea)
    expect(repeated.status).toBe(0)
    expect(stateOf(gitea)).toEqual(REPOSITORIES)
    const [first, second] = [targetIn(output), targetIn(repeated.output)]
    const password = gitea.records.get(MAIN)?.password
    expect(password).not.toBe(first.password)
    const { readOrganization, largeTree } = first
    expect(second).toMatchObject({ password, readOrganization, largeTree })
    const needless = /^DELETE .*-main$|^POST .*(orgs|contents)$/
    expect(gitea.requests.slice(before).filter((request) => needless.test(request))).toEqual([])
    // From then on, the earlier environment file is invalid.
    expect(gitea.requests.at(-1)).toBe('PATCH /api/v1/admin/users/plumbline-main')
  })

  it('creates repositories for two pages of the server, and configures its settings', async () => {
    const settings = { max_response_items: 5, default_paging_num: 3, default_max_blob_size: -1 }
    const { gitea, output } = await provisionedWith(
      (request) => request.includes('settings') && Response.json(settings),
      { includeAdmin: true },
    )
    expect(Object.keys(stateOf(gitea))).toHaveLength(11)
    const sizes = { maxResponseItems: 5, defaultPagingNum: 3, defaultMaxBlobSize: 10485760 }
    expect(targetIn(output)).toMatchObject({ settings: sizes, admin: ADMIN })
  })

  it.each([
    ['--output in a job', { CI: 'true' }],
    ['its own cookies', { PROBE_HEADERS: '{"cookie":"session=abcd1234"}' }],
  ])('sends nothing without %s', async (_, environment) => {
    const gitea = await startGitea()
    await expect(provisioned(gitea, { environment })).rejects.toThrow(UsageError)
    expect(gitea.requests).toEqual([])
  })
})

describe('before the first change', () => {
  it('the operator is shown the plan and has to confirm', async () => {
    const questions: string[] = []
    const confirm = async (question: string) => questions.push(question) > 1
    const { gitea, status, output, reported } = await provisionedWith(undefined, { confirm })
    expect([status, output]).toEqual([3, ''])
    await expect(reported).toMatchFileSnapshot('snapshots/plan.txt')
    expect(gitea.changes()).toEqual([])

    const agreed = await provisioned(gitea, { confirm })
    expect([agreed.status, questions.length]).toEqual([0, 2])
  })

  it('all conflicts are named, and nothing is created', async () => {
    const gitea = await startGitea()
    const address = (login: string) => ({ login, email: `${login}@plumbline.invalid` })
    const marked = (login: string) => ({ ...address(login), full_name: MARK, is_admin: false })
    gitea.records.set('/users/plumbline-other', { ...marked('plumbline-other'), is_admin: true })
    gitea.records.set(MAIN, marked('plumbline-main'))
    gitea.records.set('/orgs/plumbline-org', { name: 'plumbline-org', description: 'My own' })
    const repository = { owner: 'plumbline-main', name: 'Plumbline-Private', description: '' }
    gitea.records.set('/repos/plumbline-main/plumbline-private', repository)
    const { status, reported } = await provisioned(gitea)
    expect(status).toBe(1)
    await expect(reported).toMatchFileSnapshot('snapshots/conflicts.txt')
    expect(gitea.changes()).toEqual([])
  })
})

describe('provision --remove', () => {
  it('deletes the resources of the prefix, and none of another prefix', async () => {
    const { gitea } = await provisionedWith()
    const paths = gitea.paths()
    await provisioned(gitea, { prefix: 'plumbline-b-' })
    const removed = await provisioned(gitea, { remove: true, environment: { CI: 'true' } })
    expect(removed.status).toBe(0)
    expect(removed.reported).toContain('plumbline-main')
    expect(gitea.paths()).toEqual(
      paths.map((path) => path.replaceAll('plumbline-', 'plumbline-b-')),
    )

    const again = await provisioned(gitea, { remove: true })
    expect(again.status).toBe(0)
    expect(again.reported).toContain('prefix plumbline-')
  })

  it('keeps other resources, and the account that owns them', async () => {
    const { gitea } = await provisionedWith()
    const change = (path: string, fields: object) =>
      Object.assign(gitea.records.get(path) ?? {}, fields)
    const mine = { owner: 'plumbline-main', name: 'plumbline-mine', description: 'My own' }
    gitea.records.set('/repos/plumbline-main/plumbline-mine', mine)
    // A name that would lead to another path.
    const name = 'plumbline-/../../../jenkins'
    gitea.records.set('/repos/hostile', { ...mine, name, description: MARK })
    // Renamed by its owner.
    change('/repos/plumbline-main/plumbline-001', { name: 'renamed' })
    change('/users/plumbline-other', { email: 'olga@example.com' })
    change('/orgs/plumbline-org', { description: 'Ours' })
    const { status, reported } = await provisioned(gitea, { remove: true })
    expect(status).toBe(1)
    expect(gitea.paths().sort()).toEqual([
      '/orgs/plumbline-org',
      '/repos/hostile',
      '/repos/plumbline-main/plumbline-001',
      '/repos/plumbline-main/plumbline-mine',
      MAIN,
      '/users/plumbline-other',
    ])
    await expect(reported).toMatchFileSnapshot('snapshots/removal.txt')
  })
})
