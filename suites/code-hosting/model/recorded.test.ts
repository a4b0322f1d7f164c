import { describe, expect, it } from 'vitest'
import type { EntryParts } from '../../../lib/conformance/recording/har-entry.fixture.ts'
import { codeHosting, type RequirementId } from '../requirements.ts'
import { bearer, creation, error, judged, target, user } from './recorded.fixture.ts'
import { recorded } from './recorded.ts'

describe('recorded responses', () => {
  it('conform to the rules about every response of a kind, also at undocumented paths', async () => {
    const { failing, verdictsOf } = await judged([
      { ...user, sent: bearer('abc') },
      { ...error(403), url: '/orgs/harbor' },
      { method: 'DELETE', url: '/user/starred/maria/one', status: 204 },
    ])
    expect(failing).toEqual([])
    for (const name of ['resources/json', 'errors/body', 'errors/no-content']) {
      expect(verdictsOf(name)).toEqual(['pass'])
    }
    // Nobody followed the link.
    expect(verdictsOf('errors/documentation-link')).toEqual(['skipped'])
    expect(verdictsOf('authentication/bearer-not-deprecated')).toEqual(['pass'])
    expect(verdictsOf('tokens/value-shown-once')).toEqual(['skipped'])
  })

  it.each<[string, EntryParts]>([
    ['errors/body', { status: 422, body: { message: 'no', url: 7 }, url: '/orgs/harbor' }],
    ['errors/no-content', { method: 'PUT', status: 204, body: 'x', url: '/user/starred/a/b' }],
    ['errors/no-rate-limit-headers', { ...user, headers: { 'x-ratelimit-limit': '7' } }],
    ['resources/json', { body: '<html>' }],
    ['resources/user', { body: { name: 'maria' } }],
    ['resources/repository', { url: '/repos/maria/one', body: { full_name: 'maria/two' } }],
    ['settings/readable-by-any-client', { ...error(403), url: '/settings/api' }],
    ['authentication/legacy-sunset-header', { ...user, sent: { authorization: 'token abc' } }],
  ])('deviate from %s', async (name, parts) => {
    expect((await judged([parts])).failing).toContain(name)
  })

  it('are not judged without their body, or at a path that may not exist', async () => {
    const { results } = await judged([{}, { ...error(404), url: '/unknown', body: 'none' }], false)
    const judgedOnes = results.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail')
    expect(judgedOnes.map(({ requirement }) => requirement)).toEqual([
      'code-hosting/errors/no-rate-limit-headers',
    ])
  })

  it('show a token again, unless two recordings have the same creation', async () => {
    const shown = { ...user, body: { login: 'maria', key: 'abcdefgh' } }
    const created = creation(['all'], 'abcdefgh')
    expect((await judged([created, shown])).failing).toContain('tokens/value-shown-once')
    expect((await judged([created, created])).failing).toEqual([])
  })

  it('of a server error are judged only if the sender is no site administrator', async () => {
    const failed = { ...error(500, 'a cause') }
    const id = 'errors/server-error-message'
    expect((await judged([failed, user])).failing).toContain(id)
    expect((await judged([{ ...failed, sent: bearer('abc') }])).verdictsOf(id)).toEqual(['skipped'])
  })
})

describe('recorded access', () => {
  it('of requests without credentials is judged beside a request that succeeds', async () => {
    const refused = error(403, 'no')
    const authenticated = { ...user, sent: bearer('abc') }
    const id = 'authentication/missing-credentials'
    expect((await judged([refused, authenticated])).failing).toContain(id)
    expect((await judged([refused])).verdictsOf(id)).toEqual(['skipped'])
    expect((await judged([user])).failing).toContain(id)
    const conforming = await judged([error(401, 'token is required'), authenticated])
    expect(conforming.verdictsOf(id)).toEqual(['pass'])
    expect(conforming.verdictsOf(`${id}-message`)).toEqual(['pass'])
    expect((await judged([error(401, 'x'), authenticated])).failing).toContain(`${id}-message`)
  })

  it('is not judged if a simpler request has the same status', async () => {
    const missing: EntryParts = { ...error(303), url: '/repos/maria/private' }
    const visible: EntryParts = { ...missing, url: '/repos/maria/public' }
    const known: EntryParts = { ...user, sent: bearer('abc') }
    const other = {
      ...visible,
      status: 200,
      body: { full_name: 'maria/public' },
      sent: bearer('abc'),
    }
    const id = 'errors/hidden-repository'
    const refused = { ...visible, ...error(401) }
    expect((await judged([missing, refused, other, known])).failing).toContain(id)
    expect((await judged([missing, visible, other, known])).failing).not.toContain(id)
    // Nothing is known about a simpler request that was not recorded.
    expect((await judged([missing, other, known])).verdictsOf(id)).toEqual(['skipped'])
  })

  it('is unknown if the recording may lack credentials, or has cookies', async () => {
    expect((await judged([user], false)).failing).toEqual([])
    expect((await judged([{ ...user, sent: { cookie: 'session=1' } }])).failing).toEqual([])
  })

  it('of a token that was created in the recording is judged by its scopes', async () => {
    const unrelated = { ...user, sent: bearer('abc') }
    const control = [creation(['all'], 'def', 'two'), { ...user, sent: bearer('def') }]
    const id = 'scopes/missing-scope-status'
    const created = creation(['read:issue'])
    expect((await judged([...control, created, unrelated])).failing).toEqual([id])
    expect(
      (await judged([...control, created, { ...unrelated, ...error(403) }])).verdictsOf(id),
    ).toEqual(['pass'])
    // Without the control, or its creation, nothing is known about a rejection.
    expect((await judged([created, { ...unrelated, ...error(401) }])).failing).toEqual([])
    expect((await judged([...control, unrelated])).failing).toEqual([])
    expect((await judged([unrelated, ...control, created])).failing).toEqual([])
  })

  it.each(['/users/maria/tokens/one', '/users/maria/tokens/17'])(
    'is unknown after DELETE %s',
    async (url) => {
      const deletion: EntryParts = { method: 'DELETE', url, status: 204 }
      const rejected = { ...error(401), sent: bearer('abc') }
      const read = { url: '/repos/maria/public', body: { full_name: 'maria/public' } }
      const created = [creation(['all']), { ...read, sent: bearer('abc') }]
      expect((await judged([...created, rejected])).failing).toEqual(['authentication/bearer'])
      expect((await judged([...created, deletion, rejected])).failing).toEqual([])
      // Another requirement judges whether a new token authenticates at all.
      expect((await judged([creation(['all']), rejected])).failing).toEqual([])
    },
  )
})

it('recorded rules name only requirements', async () => {
  const ids: readonly string[] = codeHosting.requirements.map(({ id }: { id: RequirementId }) => id)
  const rules = await recorded.rules([], target)
  expect(Object.keys(rules).filter((id) => !ids.includes(id))).toEqual([])
  expect(Object.keys(rules).length).toBeGreaterThan(50)
})
