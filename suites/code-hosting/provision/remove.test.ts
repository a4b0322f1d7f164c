import { afterEach, describe, expect, it } from 'vitest'
import { closeAll } from '../../../lib/probe/server.fixture.ts'
import { startGitea } from './gitea.fixture.ts'
import { provisioned } from './provision.fixture.ts'

afterEach(closeAll)

describe('provision --remove', () => {
  it('deletes the resources of the prefix, and none of another prefix', async () => {
    const gitea = await startGitea()
    await provisioned(gitea)
    await provisioned(gitea, { prefix: 'plumbline-b-' })

    const removed = await provisioned(gitea, { remove: true })
    expect(removed.status).toBe(0)
    expect(removed.reported).toContain('plumbline-main')
    expect(gitea.names()).toEqual(['plumbline-b-main', 'plumbline-b-other', 'plumbline-b-otp'])
    expect(new Set(gitea.repositories.map(({ owner }) => owner))).toEqual(
      new Set(['plumbline-b-main']),
    )
    expect(gitea.repositories).toHaveLength(7)
    expect([...gitea.organizations.keys()]).toEqual(['plumbline-b-org'])

    const again = await provisioned(gitea, { remove: true })
    expect(again.status).toBe(0)
    expect(again.reported).toContain('prefix plumbline-')
  })

  it('keeps other resources, and the account that owns them', async () => {
    const gitea = await startGitea()
    await provisioned(gitea)
    gitea.repositories.push({
      owner: 'plumbline-main',
      name: 'plumbline-mine',
      description: 'My own',
      private: false,
      archived: false,
    })
    const otp = gitea.accounts.get('plumbline-otp')
    Object.assign(otp ?? {}, { is_admin: true })
    const other = gitea.accounts.get('plumbline-other')
    Object.assign(other ?? {}, { email: 'olga@example.com' })
    Object.assign(gitea.organizations.get('plumbline-org') ?? {}, { description: 'Ours' })

    const { status, reported } = await provisioned(gitea, { remove: true })
    expect(status).toBe(1)
    expect(gitea.repositories.map(({ name }) => name)).toEqual(['plumbline-mine'])
    expect(gitea.names()).toEqual(['plumbline-main', 'plumbline-other', 'plumbline-otp'])
    expect([...gitea.organizations.keys()]).toEqual(['plumbline-org'])
    const text = reported.replaceAll(gitea.baseUrl, '<base URL>')
    await expect(text).toMatchFileSnapshot('snapshots/removal.txt')
  })

  it('continues after a server error', async () => {
    let broken = true
    const gitea = await startGitea({
      intervene: ({ method, path }) =>
        broken && method === 'DELETE' && path.endsWith('/plumbline-002')
          ? Response.json({ message: 'disk full' }, { status: 500 })
          : undefined,
    })
    await provisioned(gitea)
    const failed = await provisioned(gitea, { remove: true })
    expect(failed.status).toBe(1)
    expect(failed.reported).toContain(
      'DELETE /api/v1/repos/plumbline-main/plumbline-002 returned 500, "disk full".',
    )
    broken = false
    expect((await provisioned(gitea, { remove: true })).status).toBe(0)
    expect(gitea.names()).toEqual([])
  })
})
