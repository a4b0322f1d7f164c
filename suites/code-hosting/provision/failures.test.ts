import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../lib/cli/command.fixture.ts'
import { closeAll } from '../../../lib/probe/server.fixture.ts'
import { startGitea } from './gitea.fixture.ts'
import { provisioned, targetIn } from './provision.fixture.ts'

afterEach(closeAll)

const error = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ message }, { status, headers })

describe('a rejection by the server', () => {
  it('is quoted with method, path and status, and a repeated command continues', async () => {
    let broken = true
    const gitea = await startGitea({
      intervene: ({ method, path, number }) =>
        broken && method === 'POST' && path.endsWith('/plumbline-main/repos') && number > 3
          ? error(500, 'aaa bbb')
          : undefined,
    })
    const { status, reported, output } = await provisioned(gitea)
    expect(status).toBe(1)
    expect(reported).toContain(
      'plumbline: POST /api/v1/admin/users/plumbline-main/repos returned 500, "aaa bbb".',
    )
    expect(reported).toContain('--remove')
    expect(output).toBe('')
    expect(gitea.repositories).toHaveLength(3)

    broken = false
    const repeated = await provisioned(gitea)
    expect(repeated.status).toBe(0)
    expect(gitea.repositories).toHaveLength(7)
    expect(targetIn(repeated.output).username).toBe('plumbline-main')
  })

  it.each([
    [401, 'CODE_HOSTING_ADMIN_PASSWORD'],
    [403, 'CODE_HOSTING_ADMIN_USERNAME'],
    [404, 'CODE_HOSTING_BASE_URL'],
    [422, '"\\u001b[2J$CODE_HOSTING_ADMIN_PASSWORD is ::error::wrong"'],
  ])('with %i gets advice, and shows no password or control characters', async (status, advice) => {
    const gitea = await startGitea({
      intervene: ({ method }) =>
        method === 'POST' ? error(status, '\u001b[2JAdmin-pass-1 is\n::error::wrong') : undefined,
    })
    const failed = await provisioned(gitea)
    expect(failed.status).toBe(1)
    expect(failed.reported).toContain(`POST /api/v1/admin/users returned ${status}`)
    expect(failed.reported).toContain(advice)
    for (const raw of ['\u001b', 'Admin-pass-1']) expect(failed.reported).not.toContain(raw)
  })
})

it('a long Retry-After ends the command', async () => {
  const gitea = await startGitea({
    intervene: ({ method }) =>
      method === 'POST' ? error(429, 'slow down', { 'Retry-After': '3600' }) : undefined,
  })
  const { status, reported } = await provisioned(gitea)
  expect(status).toBe(1)
  expect(reported).toContain('returned 429, "slow down"')
  expect(gitea.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
})

it('an interruption ends a wait, and a repeated command continues', async () => {
  const controller = new AbortController()
  const gitea = await startGitea({
    intervene: ({ method, path, number }) => {
      if (method !== 'POST' || !path.endsWith('/repos') || number !== 2) return undefined
      controller.abort()
      return error(429, 'slow down', { 'Retry-After': '25' })
    },
  })
  const { status, reported } = await provisioned(gitea, { interruption: controller.signal })
  expect(status).toBe(3)
  expect(reported).toContain('--remove')
  expect(gitea.repositories).toHaveLength(1)

  expect((await provisioned(gitea)).status).toBe(0)
  expect(gitea.repositories).toHaveLength(7)
})

describe('a hostile server', () => {
  it('with an endless list of repositories gets a bounded number of requests', async () => {
    const gitea = await startGitea()
    await provisioned(gitea)
    const before = gitea.requests.length
    const endless = await startGitea({
      intervene: ({ path, number }) => {
        if (!path.endsWith('/plumbline-main/repos')) return undefined
        // Ends the test if the client reads on.
        if (number > 1000) return error(500, 'enough')
        const name = `r-${number}`
        const [repository] = gitea.repositories
        return Response.json([{ ...repository, name, full_name: `plumbline-main/${name}` }])
      },
    })
    for (const [name, account] of gitea.accounts) endless.accounts.set(name, account)
    for (const remove of [false, true]) {
      const sent = endless.requests.length
      const { status, output } = await provisioned(endless, { remove })
      expect([status, output]).toEqual([1, ''])
      expect(endless.requests.length - sent).toBeLessThan(200)
    }
    expect(endless.requests.filter((request) => !request.startsWith('GET'))).toEqual([])
    expect(gitea.requests).toHaveLength(before)
  })

  it.each([
    ['of tags without an end', '<'.repeat(500_000)],
    ['of half tags', '<a '.repeat(200_000)],
    ['of secrets without an end', 'A'.repeat(1_000_000)],
    ['of invalid secrets', `${'A'.repeat(40)}_`.repeat(20_000)],
    ['of fields of forms', 'name="_csrf" value='.repeat(50_000)],
  ])('with a page %s gets no two-factor authentication', async (_name, page) => {
    const gitea = await startGitea({
      intervene: ({ method, path }) =>
        method === 'GET' && path.endsWith('/enroll') ? new Response(page) : undefined,
    })
    const { status, output } = await provisioned(gitea)
    expect(status).toBe(0)
    expect(targetIn(output)).toMatchObject({ username: 'plumbline-main' })
    expect(targetIn(output).otp).toBeUndefined()
  })

  it('has its pages read only after the passwords are written', async () => {
    const directory = temporaryDirectory()
    const written: string[] = []
    const controller = new AbortController()
    const gitea = await startGitea({
      intervene: ({ path }) => {
        if (!path.startsWith('/user/')) return undefined
        written.push(readFileSync(join(directory, 'staging.env'), 'utf8'))
        controller.abort()
        return undefined
      },
    })
    const parts = { directory, output: 'staging.env', interruption: controller.signal }
    const { status, output } = await provisioned(gitea, parts)
    expect([status, output]).toEqual([3, ''])
    expect(targetIn(written[0] ?? '')).toMatchObject({
      password: gitea.accounts.get('plumbline-main')?.password,
      other: { password: gitea.accounts.get('plumbline-other')?.password },
    })
    expect(readFileSync(join(directory, 'staging.env'), 'utf8')).toBe(written[0])
  })
})
