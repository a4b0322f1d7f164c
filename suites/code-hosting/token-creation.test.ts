import { describe, expect, it, vi } from 'vitest'
import { Interrupted } from '../../lib/conformance/check-errors.ts'
import { errorOf, type StubResponse } from '../../lib/conformance/exchange.fixture.ts'
import { UNNAMED } from '../../lib/ledger/ledger.ts'
import { basic } from '../../lib/probe/credentials.ts'
import type { ProbeRequest } from '../../lib/probe/exchange.ts'
import { fakeService, type Handler, server, targetWith } from './service.fixture.ts'
import { type CreationOptions, createTokenCreation, issuedTokens } from './tokens.ts'

vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }))

const DELETE_PATH = '/api/v1/users/{username}/tokens/{name}'
const known = (username: string, password: string) => {
  return { username, password, credentials: basic(username, password) }
}
const maria = known('maria', 'main-password')
const tina = known('tina', 'otp-password')
const nameless = { body: () => ({ scopes: [] }) }

function creationOf(
  handler: Handler = server(),
  canDelete = true,
  isLost?: (request: ProbeRequest) => boolean,
) {
  const { run, sent, client } = fakeService(handler, { isLost, retries: 2 })
  const target = targetWith({ tokenDeletePath: canDelete ? DELETE_PATH : undefined })
  const creation = createTokenCreation(run, target, client)
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
    expect(creation.issued).toMatchObject([{ value: 'issued-value-01-of-maria', exchange: id }])
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
    ['a page of 200', { status: 200, text: page }],
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

  it.each([
    [false, [unconfirmed]],
    [true, []],
  ])(
    'clears the token after a 404 only if the path is confirmed: %s',
    async (isConfirmed, left) => {
      const closed = { status: 499, json: { message: 'closed' } }
      const { request, outstanding, close } = respondingWith(closed, true, { status: 404 })
      await request('all')
      if (isConfirmed) await request('read-user')
      expect(await close()).toEqual(left)
      expect(outstanding()).toHaveLength(left.length)
    },
  )
})

describe('request, with a conclusive response', () => {
  it('sends no deletion for a documented rejection, and has nothing to report', async () => {
    const { request, deletions, outstanding, close } = creationOf()
    await request('unknown-scope', { scopes: ['read:plumbline'] })
    await request('wrong-password', { credentials: basic('maria', 'wrong') })
    await request('nameless', nameless)
    await request('no-code', {}, tina)
    expect(outstanding()).toEqual([])
    expect(await close()).toEqual([])
    expect(deletions()).toEqual([])
  })

  it.each([
    ['deletes', 2, []],
    ['reports', 1, [leaked('plumbline-run7-all')]],
  ])('%s the second token of a name', async (_, existing, leakedResources) => {
    let remaining = existing
    const twins = creationOf(({ method }) => {
      if (method === 'POST') return { status: 201, json: { sha1: 'value' } }
      remaining -= 1
      return { status: remaining < 0 ? 404 : 204 }
    })
    await Promise.all([twins.request('all'), twins.request('all')])
    expect(await twins.close()).toEqual(leakedResources)
    expect(twins.deletions()).toEqual(['all', 'all'])
    expect(twins.outstanding()).toHaveLength(leakedResources.length)
  })

  it('deletes an unused token at once, and keeps the result', async () => {
    const { creation, request, deletions, close } = creationOf()
    const { id } = await request('all', { unused: true })
    expect(await creation.deletions.get(id)).toBe('deleted')
    expect(deletions()).toEqual(['all'])
    await close()
    expect(deletions()).toHaveLength(1)
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

  it('reports an unnamed token if an equal request was accepted', async () => {
    let posts = 0
    const accept = () => ({ status: 201, json: { sha1: 'value' } })
    const accepting = creationOf(accept, true, () => ++posts === 1)
    await accepting.request('nameless', nameless)
    expect(await accepting.close()).toMatchObject([{ name: UNNAMED }, { name: UNNAMED }])
  })
})

it('a token whose creation may still be under way is reported, although a deletion finds none', async () => {
  const handler = server()
  const late = creationOf((sent) => {
    if (sent.method === 'POST' && sent.body?.includes('-late'))
      throw new Interrupted({ kind: 'interrupted' }, { sent: true })
    return sent.url.pathname.endsWith('-late') ? { status: 404 } : handler(sent)
  })
  await late.request('all')
  await errorOf(() => late.request('late'))
  expect(await late.close()).toEqual([{ ...leaked('plumbline-run7-late'), unconfirmed: true }])
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
    ['a number', { id: 1234567890 }, []],
    ['a name', { name: 'plumbline-run7-a-name-of-4-parts' }, []],
    ['a time', { created_at: '2026-02-03T02:59:10.123Z' }, []],
    ['a URL', { url: 'https://git.example.com/api/v1/tokens/1' }, []],
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
