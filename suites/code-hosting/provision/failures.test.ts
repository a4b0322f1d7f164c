import { afterEach, describe, expect, it } from 'vitest'
import { closeAll } from '../../../lib/probe/server.fixture.ts'
import { problem, provisioned, provisionedWith, startGitea, targetIn } from './gitea.fixture.ts'

afterEach(closeAll)

describe('a rejection by the server', () => {
  it('is quoted with method, path and status, and a repeated command continues', async () => {
    let accepted = 3
    const { gitea, status, reported, output } = await provisionedWith({
      instead: [
        /^POST .*main\/repos$|^DELETE .*-002$/,
        (count) => (count > accepted ? problem(500, 'aaa bbb') : undefined),
      ],
    })
    expect([status, output]).toEqual([1, ''])
    expect(reported).toContain(
      'plumbline: POST /api/v1/admin/users/plumbline-main/repos returned 500, "aaa bbb".',
    )
    expect(reported).toContain('--remove')
    expect(gitea.repositories).toHaveLength(3)
    accepted = Infinity
    const repeated = await provisioned(gitea)
    expect(repeated.status).toBe(0)
    expect(gitea.repositories).toHaveLength(7)
    expect(targetIn(repeated.output).username).toBe('plumbline-main')

    accepted = 0
    const removal = await provisioned(gitea, { remove: true })
    expect(removal.status).toBe(1)
    expect(removal.reported).toContain('/plumbline-002 returned 500, "aaa bbb".')
    accepted = Infinity
    expect((await provisioned(gitea, { remove: true })).status).toBe(0)
    expect(gitea.names()).toEqual([])
  })

  it.each([
    [401, 'CODE_HOSTING_ADMIN_PASSWORD'],
    [403, 'CODE_HOSTING_ADMIN_USERNAME'],
    [404, 'CODE_HOSTING_BASE_URL'],
    [422, '"\\u001b[2J$CODE_HOSTING_ADMIN_PASSWORD is ::error::wrong"'],
    [429, '429'],
  ])('with %i gets advice, and shows no password or control characters', async (status, advice) => {
    const message = '\u001b[2JAdmin-pass-1 is\n::error::wrong'
    // The command does not wait that long.
    const headers = { 'Retry-After': '3600' }
    const { gitea, reported, ...failed } = await provisionedWith({
      instead: [/^POST/, () => problem(status, message, headers)],
    })
    expect(failed.status).toBe(1)
    expect(gitea.changes()).toEqual(['POST /api/v1/admin/users'])
    expect(reported).toContain(`POST /api/v1/admin/users returned ${status}, "`)
    expect(reported).toContain(advice)
    for (const raw of ['\u001b', 'Admin-pass-1']) expect(reported).not.toContain(raw)
  })
})

it('an interruption ends a wait, and a repeated command continues', async () => {
  const controller = new AbortController()
  const gitea = await startGitea({
    instead: [
      /^POST.*repos$/,
      (count) => {
        if (count !== 2) return undefined
        controller.abort()
        return problem(429, 'slow', { 'Retry-After': '25' })
      },
    ],
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
    let isEndless = false
    const { gitea } = await provisionedWith({
      instead: [
        /^GET .*repos$/,
        (count) => {
          // An error ends the test if the client reads on.
          if (count > 1000) return problem(500)
          const record = { ...gitea.repositories[0], name: `r-${count}` }
          return isEndless ? Response.json([record]) : undefined
        },
      ],
    })
    isEndless = true
    const changes = gitea.changes().length
    for (const remove of [false, true]) {
      const sent = gitea.requests.length
      const { status, output } = await provisioned(gitea, { remove })
      expect([status, output]).toEqual([1, ''])
      expect(gitea.requests.length - sent).toBeLessThan(200)
    }
    expect(gitea.changes()).toHaveLength(changes)
  })

  it.each(['../../jenkins', '..', 'plumbline-other', 'Plumbline-main'])(
    'that calls the created account %j gets no further change',
    async (login) => {
      const email = 'plumbline-main@plumbline.invalid'
      const record = { login, full_name: 'x', email, is_admin: false }
      const { gitea, status } = await provisionedWith({
        instead: [/^POST .*users$/, () => Response.json(record, { status: 201 })],
      })
      expect(status).toBe(1)
      expect(gitea.changes()).toEqual(['POST /api/v1/admin/users'])
    },
  )

  it.each([false, true])(
    'that calls the existing account otherwise gets no change, with remove %j',
    async (remove) => {
      const full_name = 'Made by plumbline provision (prefix plumbline-)'
      const login = '../../jenkins'
      const email = `${login}@plumbline.invalid`
      const record = { login, full_name, email, is_admin: false }
      const { gitea, status } = await provisionedWith(
        { instead: [/^GET .*users.*main$/, () => Response.json(record)] },
        { remove },
      )
      expect(status).toBe(1)
      expect(gitea.changes()).toEqual([])
    },
  )

  it('that lists a repository with another path has nothing deleted there', async () => {
    const gitea = await startGitea()
    await provisioned(gitea)
    gitea.addRepository('plumbline-main', 'plumbline-/../../../jenkins', {
      description: 'Made by plumbline provision (prefix plumbline-)',
    })
    const { status } = await provisioned(gitea, { remove: true })
    expect(status).toBe(1)
    expect(gitea.requests.filter((request) => request.includes('jenkins'))).toEqual([])
  })
})
