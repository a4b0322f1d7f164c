import { describe, expect, it } from 'vitest'
import { type EntryParts, harEntry } from '../../../lib/conformance/recording/har-entry.fixture.ts'
import { judgeRecording } from '../../../lib/conformance/recording/judge-recording.ts'
import { toExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import type { Target } from '../../../lib/environment/target.ts'
import type { CheckResult } from '../../../lib/results/run-evidence.ts'
import { codeHosting, type RequirementId } from '../requirements.ts'
import { targetWith } from '../service.fixture.ts'
import { recorded } from './recorded.ts'

const BASE_URL = 'https://git.example.com'
const { settings, ...others } = targetWith()
const sizes = { maxResponseItems: 25, defaultPagingNum: 20 }
const target = {
  probe: {},
  codeHosting: { ...others, settings: { ...settings, ...sizes } },
} as Target

/** Returns the results of a recording by the id of the requirement without the service. */
async function judged(parts: readonly EntryParts[], showsCredentials = true) {
  const service = {
    service: 'code-hosting',
    baseUrl: BASE_URL,
    endpoints: recorded.endpoints,
    documentsStatuses: true,
    redact: (text: string) => text,
  }
  const exchanges = parts.flatMap(
    ({ url = '/user', ...one }, index) =>
      toExchange(
        {
          entry: harEntry({ at: index, ...one, url: `${BASE_URL}/api/v1${url}` }),
          showsCredentials,
        },
        `e${index + 1}`,
        service,
      ) ?? [],
  )
  const results = await judgeRecording({
    catalogue: codeHosting,
    rules: await recorded.rules(exchanges, target),
    exchanges,
    target,
    selected: codeHosting.requirements.map(({ id }) => id),
    normalize: (text) => text,
  })
  const verdictsOf = (id: string) =>
    results
      .filter(({ requirement }) => requirement === `code-hosting/${id}`)
      .map(({ verdict }) => verdict)
  const failing = results.filter(({ verdict }) => verdict === 'fail')
  return { results, verdictsOf, failing: failing.map(({ requirement }) => requirement.slice(13)) }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Request that creates a token, and its response. */
const creation = (scopes: readonly string[], token = 'abc', name = 'one'): EntryParts => ({
  method: 'POST',
  url: '/users/maria/tokens',
  status: 201,
  sent: { Authorization: 'Basic bWFyaWE6eA==' },
  postData: JSON.stringify({ name, scopes }),
  body: { name, sha1: token, token_last_eight: token },
})

const user: EntryParts = { body: { login: 'maria' } }
const error = (status: number, message = ''): EntryParts => ({
  status,
  body: { message, url: `${BASE_URL}/api/swagger` },
})

const all = Array.from({ length: 30 }, (_, index) => ({ full_name: `maria/r${index}` }))

/** A conforming page of a list with 30 items. */
function listPage(page: number, limit: number, headers: Record<string, string> = {}): EntryParts {
  const last = Math.ceil(30 / limit)
  const link = (number: number, relation: string) =>
    `<${BASE_URL}/api/v1/user/repos?limit=${limit}&page=${number}>; rel="${relation}"`
  const links = [
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first'), link(page - 1, 'prev')] : []),
  ]
  return {
    url: `/user/repos?limit=${limit}&page=${page}`,
    sent: bearer('unknown'),
    headers: {
      'X-Total-Count': '30',
      'X-Page': String(page),
      'X-PerPage': String(limit),
      'X-HasMore': String(page < last),
      Link: links.join(', '),
      ...headers,
    },
    body: all.slice((page - 1) * limit, page * limit),
  }
}

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

const { Link: _, ...withoutLink } = listPage(1, 10).headers ?? {}

describe('recorded pages', () => {
  it('conform', async () => {
    const { failing, verdictsOf } = await judged([
      listPage(1, 25),
      listPage(2, 25),
      listPage(2, 10),
    ])
    expect(failing).toEqual([])
    for (const name of ['page-header', 'link-form', 'link-targets']) {
      expect(verdictsOf(`pagination/${name}`)).toContain('pass')
    }
    // Only the number of items is known.
    expect(verdictsOf('pagination/limit-honoured')).toEqual(['skipped'])
    expect(verdictsOf('pagination/walk')).toEqual(['skipped'])
  })

  /** All pages of the list, the page past its end, and other ones before the list is read again. */
  const whole = (...others: EntryParts[]) => [
    ...[1, 2, 3].map((page) => listPage(page, 25)),
    ...others,
    listPage(1, 25),
  ]

  it.each<[string, EntryParts]>([
    ['limit-honoured', { ...listPage(1, 10), body: all.slice(0, 5) }],
    ['page-below-one', { ...listPage(2, 25), url: '/user/repos?page=0&limit=25' }],
    ['past-the-end', { ...listPage(1, 25), url: '/user/repos?page=9&limit=25' }],
    ['total-count', listPage(1, 10, { 'X-Total-Count': '' })],
  ])('deviate from %s beside the whole list only', async (name, parts) => {
    expect((await judged(whole(parts))).failing).toEqual([`pagination/${name}`])
    expect((await judged([parts])).failing).toEqual([])
    // Another client may have changed the order.
    expect((await judged([...whole().slice(0, -1), parts])).failing).toEqual([])
    const moved = { ...listPage(1, 25), body: all.slice(1, 26) }
    expect((await judged([...whole(parts), moved])).failing).toEqual([])
  })

  it('are judged by the limit if it is rejected, and another one is not', async () => {
    const url = '/user/repos?limit=1000&page=1'
    const rejected = { ...error(422), url, sent: bearer('unknown') }
    const { failing } = await judged([listPage(1, 25), rejected])
    expect(failing).toEqual(['pagination/limit-lowered'])
    expect((await judged([rejected])).failing).toEqual([])
  })

  it('of different totals are not compared', async () => {
    const other = listPage(2, 10, { 'X-Total-Count': '31', 'X-Page': '1' })
    const { failing, verdictsOf } = await judged(whole(other))
    expect(failing).toEqual([])
    expect(verdictsOf('pagination/page-header')).toContain('skipped')
  })

  it.each<[string, EntryParts]>([
    ['page-header', listPage(2, 10, { 'X-Page': '1' })],
    ['per-page-header', listPage(2, 10, { 'X-PerPage': '25' })],
    ['link-when-several-pages', { ...listPage(1, 10), headers: withoutLink }],
    [
      'link-relations',
      listPage(2, 10, { Link: `<${BASE_URL}/api/v1/user/repos?limit=10&page=3>; rel="next"` }),
    ],
    ['limit-lowered', { ...listPage(1, 30), headers: {}, body: all }],
    [
      'limit-not-positive',
      { ...listPage(1, 30), url: '/user/repos?limit=0', headers: {}, body: all },
    ],
    ['default-limit', { ...listPage(1, 30), url: '/user/repos', headers: {}, body: all }],
  ])('deviate from %s', async (name, parts) => {
    expect((await judged([parts])).failing).toContain(`pagination/${name}`)
  })

  it('repeat an item only if nothing changed the list between them', async () => {
    const second = { ...listPage(2, 25), body: all.slice(24, 29) }
    const id = 'pagination/walk'
    const created: EntryParts = { method: 'POST', url: '/user/repos', status: 201 }
    expect((await judged([listPage(1, 25), second])).failing).toEqual([id])
    expect((await judged([listPage(1, 25), created, second])).failing).toEqual([])
    expect((await judged([listPage(1, 25), { ...second, sent: bearer('other') }])).failing).toEqual(
      [],
    )
    expect((await judged([listPage(1, 25), { ...second, at: 60 }])).failing).toEqual([])
    const counted = { ...second.headers, 'X-Total-Count': '31' }
    expect((await judged([listPage(1, 25), { ...second, headers: counted }])).failing).toEqual([])
  })

  it('have no verdict with parameters that are not stated', async () => {
    for (const query of ['limit=abc', 'limit=1e1', 'page=1&page=2', 'limit=5&sort=name']) {
      const { results } = await judged([{ ...listPage(1, 30), url: `/user/repos?${query}` }])
      const isJudged = ({ requirement, verdict }: CheckResult) =>
        requirement.includes('/pagination/limit') && verdict !== 'skipped'
      expect(results.filter(isJudged)).toEqual([])
    }
  })
})

it('recorded rules name only requirements', async () => {
  const ids: readonly string[] = codeHosting.requirements.map(({ id }: { id: RequirementId }) => id)
  const rules = await recorded.rules([], target)
  expect(Object.keys(rules).filter((id) => !ids.includes(id))).toEqual([])
  expect(Object.keys(rules).length).toBeGreaterThan(50)
})
