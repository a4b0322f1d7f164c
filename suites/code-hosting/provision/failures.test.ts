import { afterEach, describe, expect, it } from 'vitest'
import { closeAll } from '../../../lib/probe/server.fixture.ts'
import {
  MARK,
  problem,
  provisioned,
  provisionedWith,
  REPOSITORIES,
  startGitea,
  stateOf,
} from './gitea.fixture.ts'

afterEach(closeAll)

describe('a rejection by the server', () => {
  it('is quoted with method, path and status, and a repeated command continues', async () => {
    let rejected = /^POST .*main\/repos$/
    let accepted = 3
    const { gitea, status, reported, output } = await provisionedWith((request) => {
      if (!rejected.test(request)) return undefined
      accepted -= 1
      return accepted < 0 ? problem(500, 'aaa bbb') : undefined
    })
    expect([status, output]).toEqual([1, ''])
    const url = '<base URL>/api/v1/admin/users/plumbline-main/repos'
    expect(reported).toContain(`plumbline: POST ${url} returned 500, "aaa bbb".`)
    expect(reported).toContain('--remove')
    expect(Object.keys(stateOf(gitea))).toHaveLength(3)
    accepted = Infinity
    const repeated = await provisioned(gitea)
    expect(repeated.status).toBe(0)
    expect(stateOf(gitea)).toEqual(REPOSITORIES)

    rejected = /^DELETE .*-002$/
    accepted = 0
    const removal = await provisioned(gitea, { remove: true })
    expect(removal.status).toBe(1)
    expect(removal.reported).toContain('/plumbline-002 returned 500, "aaa bbb".')
    accepted = 1
    expect((await provisioned(gitea, { remove: true })).status).toBe(0)
    expect(gitea.paths()).toEqual([])
  })

  it.each([
    [401, 'CODE_HOSTING_ADMIN_PASSWORD'],
    [403, 'CODE_HOSTING_ADMIN_USERNAME'],
    [422, '"\\u001b[2J$CODE_HOSTING_ADMIN_PASSWORD is ::error::wrong"'],
    [429, 'PROBE_REQUESTS_PER_SECOND'],
  ])('with %i gets advice, and shows no password or control characters', async (status, advice) => {
    const message = '\u001b[2JAdmin-pass-1 is\n::error::wrong'
    const { gitea, reported, ...failed } = await provisionedWith(
      (request) => request.startsWith('POST') && problem(status, message),
    )
    expect(failed.status).toBe(1)
    expect(gitea.changes()).toEqual(['POST /api/v1/admin/users'])
    expect(reported).toContain(`POST <base URL>/api/v1/admin/users returned ${status}, "`)
    expect(reported).toContain(advice)
    for (const raw of ['\u001b', 'Admin-pass-1']) expect(reported).not.toContain(raw)
  })
})

it('an interruption ends provision after a request, and a repeated command continues', async () => {
  const controller = new AbortController()
  const gitea = await startGitea((request) => {
    if (/^POST.*repos$/.test(request)) controller.abort()
    return undefined
  })
  const { status, reported } = await provisioned(gitea, { interruption: controller.signal })
  expect(status).toBe(3)
  expect(reported).toContain('--remove')
  expect(Object.keys(stateOf(gitea))).toHaveLength(1)
  expect((await provisioned(gitea)).status).toBe(0)
  expect(stateOf(gitea)).toEqual(REPOSITORIES)
})

describe('a hostile server', () => {
  it.each(['../../jenkins', 'Plumbline-main'])(
    'that calls an account %j gets no further change',
    async (login) => {
      const record = {
        login,
        full_name: MARK,
        email: `${login}@plumbline.invalid`,
        is_admin: false,
      }
      const renamed = await provisionedWith(
        (request) => /^POST .*users$/.test(request) && Response.json(record, { status: 201 }),
      )
      expect(renamed.status).toBe(1)
      expect(renamed.gitea.changes()).toEqual(['POST /api/v1/admin/users'])
      const isMain = (request: string) => /^GET .*-main$/.test(request)
      for (const remove of [false, true]) {
        const { gitea } = await provisionedWith(
          (request) => isMain(request) && Response.json(record),
          { remove },
        )
        expect(gitea.changes()).toEqual([])
      }
    },
  )
})
