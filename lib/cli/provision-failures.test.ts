import { afterEach, describe, expect, it } from 'vitest'
import { closeAll } from '../probe/server.fixture.ts'
import { startGitea } from '../provision/gitea.fixture.ts'
import { provisioned, targetIn } from './provision.fixture.ts'

afterEach(closeAll)

const error = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ message }, { status, headers })

describe('a server that refuses', () => {
  it('is quoted with method, path and status, and a repeat goes on from there', async () => {
    let broken = true
    const gitea = await startGitea({
      intervene: ({ method, path, number }) =>
        broken && method === 'POST' && path.endsWith('/plumbline-main/repos') && number > 3
          ? error(500, 'database is locked')
          : undefined,
    })
    const { status, told, output } = await provisioned(gitea)
    expect(status).toBe(1)
    expect(told).toContain(
      'plumbline: POST /api/v1/admin/users/plumbline-main/repos was answered with 500, "database is locked".',
    )
    expect(told).toContain('a repeat goes on from there')
    expect(output).toBe('')
    expect(gitea.repositories).toHaveLength(3)

    broken = false
    const repeated = await provisioned(gitea)
    expect(repeated.status).toBe(0)
    expect(gitea.repositories).toHaveLength(7)
    expect(targetIn(repeated.output).username).toBe('plumbline-main')
  })

  it.each([
    [401, 'Check CODE_HOSTING_ADMIN_USERNAME and CODE_HOSTING_ADMIN_PASSWORD.'],
    [403, 'Is CODE_HOSTING_ADMIN_USERNAME a site administrator?'],
    [404, 'Is CODE_HOSTING_BASE_URL a server of the Gitea family?'],
    [422, '"PasswordComplexity"'],
  ])('with %i gets a word on what to do', async (status, advice) => {
    const gitea = await startGitea({
      intervene: ({ method }) =>
        method === 'POST' ? error(status, 'PasswordComplexity') : undefined,
    })
    const failed = await provisioned(gitea)
    expect(failed.status).toBe(1)
    expect(failed.told).toContain(`POST /api/v1/admin/users was answered with ${status}`)
    expect(failed.told).toContain(advice)
  })

  it('cannot write on the terminal, nor have a password shown', async () => {
    const gitea = await startGitea({
      intervene: ({ method }) =>
        method === 'POST' ? error(422, '\u001b[2JAdmin-pass-1 is\n::error::wrong') : undefined,
    })
    const { told } = await provisioned(gitea)
    expect(told).toContain('"\\u001b[2J$CODE_HOSTING_ADMIN_PASSWORD is ::error::wrong"')
    expect(told).not.toContain('\u001b')
  })

  it('makes something else than it was asked for', async () => {
    const gitea = await startGitea({ forcePrivate: true })
    const { status, told } = await provisioned(gitea)
    expect(status).toBe(1)
    expect(told).toContain(
      'The server has the repository plumbline-public with private: true, although it was asked for false.',
    )
  })
})

describe('a server that asks to wait', () => {
  it('is asked again', async () => {
    const gitea = await startGitea({
      intervene: ({ method, path, number }) =>
        method === 'POST' && path === '/api/v1/admin/users' && number === 1
          ? error(429, 'slow down', { 'Retry-After': '0' })
          : undefined,
    })
    expect((await provisioned(gitea)).status).toBe(0)
    expect(gitea.names()).toHaveLength(3)
  })

  it('is left alone when it asks for too long', async () => {
    const gitea = await startGitea({
      intervene: ({ method }) =>
        method === 'POST' ? error(429, 'slow down', { 'Retry-After': '3600' }) : undefined,
    })
    const { status, told } = await provisioned(gitea)
    expect(status).toBe(1)
    expect(told).toContain('was answered with 429, "slow down". Try again later')
    expect(gitea.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
  })
})

describe('an interruption', () => {
  it('leaves what was made, and a repeat goes on from there', async () => {
    const controller = new AbortController()
    const gitea = await startGitea({
      intervene: ({ method, path, number }) => {
        if (method === 'POST' && path.endsWith('/repos') && number === 2) controller.abort()
        return undefined
      },
    })
    const { status, told } = await provisioned(gitea, {
      interruption: controller.signal,
    })
    expect(status).toBe(3)
    expect(told).toContain(
      'What was done stays: a repeat goes on from there, --remove takes it away.',
    )
    expect(gitea.repositories).toHaveLength(2)

    expect((await provisioned(gitea)).status).toBe(0)
    expect(gitea.repositories).toHaveLength(7)
  })

  it('ends a wait', async () => {
    const controller = new AbortController()
    const gitea = await startGitea({
      intervene: ({ method }) => {
        if (method !== 'POST') return undefined
        controller.abort()
        return error(429, 'slow down', { 'Retry-After': '25' })
      },
    })
    const { status } = await provisioned(gitea, {
      interruption: controller.signal,
    })
    expect(status).toBe(3)
    // Less than the server asks for, and far more than an ended wait takes.
  }, 20_000)
})
