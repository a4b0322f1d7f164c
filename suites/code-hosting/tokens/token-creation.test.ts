import { describe, expect, it, vi } from 'vitest'
import { errorOf, type StubResponse } from '../../../lib/conformance/exchange.fixture.ts'
import { UNNAMED } from '../../../lib/ledger/ledger.ts'
import { basic } from '../../../lib/probe/credentials.ts'
import type { ProbeRequest } from '../../../lib/probe/exchange.ts'
import { fakeService, type Handler, server, targetWith } from '../service.fixture.ts'
import {
  type CreationOptions,
  issuedTokens,
  sendingProblem,
  TokenCreation,
} from './token-creation.ts'

vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }))

const DELETE_PATH = '/api/v1/users/{username}/tokens/{name}'
const maria = { username: 'maria', credentials: basic('maria', 'main-password') }
const tina = { username: 'tina', credentials: basic('tina', 'otp-password') }
const wrongPassword = { credentials: basic('maria', 'wrong') }
const nameless = { body: () => ({ scopes: [] }) }

function creationOf(
  handler: Handler = server(),
  canDelete = true,
  isLost?: (request: ProbeRequest) => boolean,
) {
  const { run, sent, client } = fakeService(handler, { isLost, retries: 2 })
  const target = targetWith({ tokenDeletePath: canDelete ? DELETE_PATH : undefined })
  const creation = new TokenCreation(run, target, client)
  return {
    run,
    sent,
    creation,
    request: (label: string, options: Partial<CreationOptions> = {}, owner = maria) =>
      creation.request(owner, { label, scopes: ['all'], ...options }),
    /** Returns the ends of the names of deleted tokens, in order. */
    deletions: () =>
      sent
        .filter(({ method }) => method === 'DELETE')
        .map(({ url }) => url.pathname.split('/plumbline-run7-')[1]),
    /** Returns the names of tokens in the ledger that are not deleted. */
    outstanding: () => run.ledger.outstanding('code-hosting').map(({ name }) => name),
    /** Ends the run, and returns its leaked resources. */
    async close() {
      for (const work of run.closings) await work()
      return run.leakedResources
    },
  }
}

const leaked = (name: string) => ({
  kind: 'access token',
  account: 'maria',
  deletedBy: 'CODE_HOSTING_TOKEN_DELETE_PATH',
  name,
})
const unconfirmed = { ...leaked('plumbline-run7-all'), unconfirmed: true }

describe('request', () => {
  it('records the token in the ledger first, redacts it, and reports a leaked token', async () => {
    const handler = server()
    const before: string[] = []
    const { creation, request, sent, outstanding, close } = creationOf((received) => {
      before.push(...outstanding())
      return handler(received)
    }, false)
    const { id, record } = await request('all')
    const name = 'plumbline-run7-all'
    expect(before).toEqual([name])
    expect(creation.issuedTokens).toMatchObject([
      { value: 'issued-value-01-of-maria', exchange: id },
    ])
    expect(record.response?.body).toContain('$ALL_TOKEN')
    expect(await close()).toEqual([leaked(name)])
    expect(sent).toHaveLength(1)
  })

  it('records the name of a malformed body', async () => {
    const { request, close } = creationOf(() => ({ status: 201 }), false)
    await request('malformed', { body: () => '{"name": "plumbline-run7-malf' })
    await request('nameless', nameless)
    const names = (await close()).map(({ name }) => name)
    expect(names).toEqual(['plumbline-run7-malformed', UNNAMED])
  })
})

describe('request, without a conclusive response', () => {
  const page = '<!doctype html><title>Not now</title>'

  /** The service carries out every request, but its response to the token `all` is replaced. */
  function respondingWith(replacement: StubResponse, canDelete = true, deletion?: StubResponse) {
    const handler = server()
    return creationOf(async (request) => {
      const response = await handler(request)
      if (request.method === 'POST') return request.body?.includes('-all') ? replacement : response
      return request.url.pathname.endsWith('-all') ? (deletion ?? response) : response
    }, canDelete)
  }

  it.each<[string, StubResponse]>([
    ['408', { status: 408, json: { message: 'Request Timeout' } }],
    ["a gateway's page of 503", { status: 503, text: page }],
    ["a gateway's page of 403", { status: 403, text: page }],
    ['404 and no body', { status: 404 }],
    ['a page of 200', { status: 200, text: page }],
    ['a redirect', { status: 302 }],
    ['500', { status: 500, json: { message: '' } }],
    ['a rejection with a token value', { status: 400, json: { message: 'no', sha1: 'value' } }],
  ])('deletes the token if possible, or reports it as unconfirmed: %s', async (_, response) => {
    for (const canDelete of [false, true]) {
      const { run, request, outstanding, close } = respondingWith(response, canDelete)
      const recordCreated = vi.spyOn(run.ledger, 'recordCreated')
      await errorOf(() => request('all'))
      expect(outstanding()).toEqual(['plumbline-run7-all'])
      expect(recordCreated).not.toHaveBeenCalled()
      expect(await close()).toEqual(canDelete ? [] : [unconfirmed])
      expect(outstanding()).toHaveLength(canDelete ? 0 : 1)
    }
  })

  it('clears the token after a 404 only if the path is confirmed', async () => {
    const deletion = { status: 404 }
    const { run, request, outstanding, close } = respondingWith({ status: 499 }, true, deletion)
    await request('all')
    expect(await close()).toEqual([unconfirmed])
    run.leakedResources.length = 0
    await request('read-user')
    expect(await close()).toEqual([])
    expect(outstanding()).toEqual([])
  })
})

describe('request, if the service rejects it', () => {
  /** Requests one valid token, and several that a conforming service rejects. */
  async function requestRejected(handler: Handler, isLost?: (request: ProbeRequest) => boolean) {
    const { request, deletions, outstanding, close } = creationOf(handler, true, isLost)
    await request('read-issue')
    for (const label of ['unknown-level', 'unknown-scope']) {
      await request(label, { scopes: ['read:plumbline'] })
    }
    await request('wrong-password', wrongPassword)
    await request('nameless', nameless)
    await request('no-code', {}, tina)
    await request('duplicate', { body: () => ({ name: 'plumbline-run7-Read-issue', scopes: [] }) })
    return { leakedResources: await close(), deletions: deletions(), outstanding: outstanding() }
  }

  /** Deletes existing tokens, and returns 404 for others. */
  function withDeletions(createsRejected: boolean): Handler {
    const handler = server()
    const existing = new Set<string>()
    return async (request) => {
      const { method, url, body = '' } = request
      if (method === 'DELETE') return { status: existing.delete(url.pathname) ? 204 : 404 }
      const response = await handler(request)
      const name = body.startsWith('{"name') ? JSON.parse(body).name : undefined
      if (createsRejected || response.status === 201) existing.add(`${url.pathname}/${name}`)
      return response
    }
  }
  const samples = ['unknown-scope', 'wrong-password', 'Read-issue']

  it('tries one deletion per status code, and reports nothing if none of the tokens exists', async () => {
    const rejected = await requestRejected(withDeletions(false))
    expect(rejected).toEqual({ deletions: samples, leakedResources: [], outstanding: [] })
  })

  it('deletes all rejected tokens if a sample exists', async () => {
    const { deletions, ...rejected } = await requestRejected(withDeletions(true))
    expect(deletions.slice(0, 3)).toEqual(samples)
    expect(deletions.slice(3).sort()).toEqual(['Read-issue', 'no-code', 'unknown-level'])
    const leakedResources = [{ ...leaked(UNNAMED), unconfirmed: true }]
    expect(rejected).toEqual({ leakedResources, outstanding: [UNNAMED] })
  })

  /** Loses the response to the first deletion of the sample of status 400. */
  function losingSample() {
    let isLost = false
    return ({ method, url }: ProbeRequest) => {
      if (isLost || method !== 'DELETE' || !url.pathname.endsWith('-unknown-scope')) return false
      isLost = true
      return true
    }
  }

  it.each([
    [false, []],
    [true, [UNNAMED]],
  ])('tries another sample if a response is lost: the tokens exist: %s', async (exist, names) => {
    const handler = withDeletions(exist)
    const rejected = await requestRejected(
      // The sample of status 401 does not exist.
      (request) =>
        request.url.pathname.endsWith('-wrong-password') ? { status: 404 } : handler(request),
      losingSample(),
    )
    expect(rejected.deletions.slice(0, 5)).toEqual([...samples, 'unknown-scope', 'unknown-level'])
    expect(rejected.leakedResources.map(({ name }) => name)).toEqual(names)
    expect(rejected.outstanding).toEqual(names)
  })

  it('reports a rejected token that exists and cannot be deleted', async () => {
    const handler = withDeletions(true)
    const { leakedResources, outstanding } = await requestRejected((request) =>
      request.url.pathname.endsWith('-wrong-password') ? { status: 500 } : handler(request),
    )
    const name = 'plumbline-run7-wrong-password'
    expect(leakedResources.map((resource) => resource.name)).toContain(name)
    expect(outstanding).toContain(name)
  })

  it('deletes a token after 401 only if the password was accepted before', async () => {
    const { request, deletions, close } = creationOf(withDeletions(false))
    await request('all', { unused: true })
    await request('wrong-password', wrongPassword)
    await request('other', {}, { ...tina, ...wrongPassword })
    await close()
    expect(deletions()).toEqual(['all', 'wrong-password'])
  })
})

describe('request, if the response is lost', () => {
  /** The service carries out every request; the response to the first POST is lost. */
  function losing() {
    let posts = 0
    return creationOf(server(), true, ({ method }) => {
      if (method === 'POST') posts += 1
      return method === 'POST' && posts === 1
    })
  }

  it('retries with another name, and deletes both tokens at the end', async () => {
    const { request, sent, outstanding, close } = losing()
    expect((await request('all')).status).toBe(201)
    expect(await close()).toEqual([])
    expect(sent.map(({ method, url, body }) => [method, body ?? url.pathname])).toEqual([
      ['POST', '{"name":"plumbline-run7-all","scopes":["all"]}'],
      ['POST', '{"name":"plumbline-run7-all-2","scopes":["all"]}'],
      ['DELETE', '/api/v1/users/maria/tokens/plumbline-run7-all-2'],
      ['DELETE', '/api/v1/users/maria/tokens/plumbline-run7-all'],
    ])
    for (const { credentials } of sent) expect(credentials).toEqual(maria.credentials)
    expect(outstanding()).toEqual([])
  })

  it('creates the body again, and clears an unnamed token after a rejection', async () => {
    const { request, close } = losing()
    const body = vi.fn(nameless.body)
    await request('nameless', { body })
    expect(await close()).toEqual([])
    const names = ['plumbline-run7-nameless', 'plumbline-run7-nameless-2']
    expect(body.mock.calls).toEqual(names.map((name, index) => [name, index + 1]))
  })
})

describe('issuedTokens', () => {
  const VALUE = 'a0b1c2d3e4f5a6b7c8d9e0f1'

  function issuedValues(body: unknown, holdsSecret = (_: string) => false): string[] {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const json = typeof body === 'string' ? undefined : body
    return issuedTokens(json, text, { runId: 'run7', redactor: { holdsSecret } })
  }

  /** Distinct texts that look like tokens. */
  const tokens = (count: number) =>
    Array.from({ length: count }, (_, index) => `token-like-text-of-number-${index}`)

  it.each<[string, unknown, string[]]>([
    ['the documented value first', { list: [{ deep: VALUE }], sha1: 'short' }, ['short', VALUE]],
    ['another name', { token: VALUE }, [VALUE]],
    ['an object', { sha1: { value: VALUE } }, [VALUE]],
    ['a text that is not JSON', `Your token is ${VALUE}.`, [`${VALUE}.`]],
    ['an empty value', { sha1: '' }, []],
    ['null', null, []],
    ['a number', { id: 1234567890 }, []],
    ['a name', { name: 'plumbline-run7-a-name-of-4-parts' }, []],
    ['a time', { created_at: '2026-02-03T02:59:10.123Z' }, []],
    ['a URL', { url: 'https://git.example.com/api/v1/tokens/1' }, []],
    ['a sentence', { message: 'a sentence of more than 20 characters' }, []],
    ['words', { default_max_response_size: 'words-without-any-digit' }, []],
  ])('returns %s', (_, body, expected) => {
    expect(issuedValues(body)).toEqual(expected)
  })

  it('truncates values to the size that reports show, and ignores other secrets', () => {
    expect(issuedValues([`${VALUE}-secret`], (text) => text.includes('secret'))).toEqual([])
    const long = `1${'f'.repeat(5_000_000)}`
    for (const body of [{ sha1: long }, { other: long }, `see ${long}`, [long, `${long}e`]]) {
      expect(issuedValues(body)).toEqual([long.slice(0, 64_000)])
    }
  })

  it.each([
    ['f'.repeat(4096), undefined],
    ['f'.repeat(4097), / 4097 .* 4096/],
    ['ключ-ключ', /header field/],
    ['tökèn', /header field/],
    ['a\nb', /header field/],
  ])('reports why %s cannot be sent', (value, problem) => {
    expect(sendingProblem(value)).toEqual(problem && expect.stringMatching(problem))
  })

  it('returns the documented value and at most 16 distinct texts', () => {
    const holdsSecret = vi.fn(() => false)
    const many = tokens(50_000)
    const twice = [...many, ...many]
    expect(issuedValues({ twice, sha1: many[0] }, holdsSecret)).toEqual(tokens(17))
    expect(issuedValues([...tokens(3), ...tokens(3)], holdsSecret)).toEqual(tokens(3))
    expect(issuedValues(many.join('\n'), holdsSecret)).toEqual(tokens(16))
    expect(holdsSecret).toHaveBeenCalledTimes(16 + 3 + 16)
  })
})
