import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answer, errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { UNNAMED } from '../../../lib/conformance/ledger.ts'
import { basic } from '../../../lib/probe/credentials.ts'
import type { ProbeRequest } from '../../../lib/probe/exchange.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { fakeService, type Handler, server, targetWith } from './service.fixture.ts'
import { createTokenCreation, mintedValues, sendingProblem } from './token-creation.ts'

vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }))

const DELETE_PATH = '/api/v1/users/{username}/tokens/{name}'
const maria = { username: 'maria', credentials: basic('maria', 'main-password') }
const tina = { username: 'tina', credentials: basic('tina', 'otp-password') }

let directory = ''
let ledgerFile = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tokens-'))
  ledgerFile = join(directory, 'ledger.ndjson')
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

function creationOf(
  parts: Partial<CodeHostingTarget> = {},
  handler: Handler = server(),
  isLost: (request: ProbeRequest) => boolean = () => false,
) {
  const service = fakeService(handler, { ledgerFile, isLost, retries: 2 })
  const creation = createTokenCreation(service.run, targetWith(parts), service.client)
  async function close() {
    for (const work of service.run.closings) await work()
    service.run.ledger.close()
  }
  return { ...service, creation, close }
}

const ledger = () => (existsSync(ledgerFile) ? readFileSync(ledgerFile, 'utf8') : '')

const token = {
  kind: 'access token',
  account: 'maria',
  deletedBy: 'CODE_HOSTING_TOKEN_DELETE_PATH',
}

describe('request', () => {
  it('records the token in the ledger first, redacts it, and reports a leaked token', async () => {
    const handler = server()
    let before = ''
    const { creation, run, sent, close } = creationOf({}, (request) => {
      before = ledger()
      return handler(request)
    })
    const { id, record } = await creation.request(maria, { label: 'all', scopes: ['all'] })
    const name = 'plumbline-run7-all'
    const entry = JSON.parse(before.trim().split('\n')[1] ?? '')
    expect(entry).toMatchObject({ event: 'intended', name })
    expect(creation.issuedTokens).toEqual([{ value: 'issued-value-01-of-maria', exchange: id }])
    expect(record.response?.body).toContain('$ALL_TOKEN')
    await close()
    expect(sent).toHaveLength(1)
    expect(run.leakedResources).toEqual([{ ...token, name }])
    expect(ledger()).not.toMatch(/main-password|issued-value|Basic|bWFyaWE6/)
  })

  it('records the name of a malformed body', async () => {
    const { creation, run, close } = creationOf({}, () => ({ status: 201 }))
    const body = () => '{"name": "plumbline-run7-malf'
    await creation.request(maria, { label: 'malformed', body })
    await creation.request(maria, { label: 'nameless', body: () => ({ scopes: [] }) })
    await close()
    expect(run.leakedResources.map(({ name }) => name)).toEqual([
      'plumbline-run7-malformed',
      UNNAMED,
    ])
  })
})

describe('request, without a conclusive response', () => {
  const page = '<!doctype html><title>Not now</title>'
  const leaked = { ...token, name: 'plumbline-run7-all' }

  /** The service carries out every request, but its responses to POST are replaced. */
  function respondingWith(replacement: Answer, tokenDeletePath?: string, deletion?: Answer) {
    const handler = server()
    return creationOf({ tokenDeletePath }, async (request) => {
      const response = await handler(request)
      if (request.method === 'POST') return request.body?.includes('-all') ? replacement : response
      return request.url.pathname.endsWith('-all') ? (deletion ?? response) : response
    })
  }

  const responses: [string, Answer][] = [
    ['408', { status: 408, json: { message: 'Request Timeout' } }],
    ["a gateway's page of 503", { status: 503, text: page }],
    ["a gateway's page of 403", { status: 403, text: page }],
    ['404 and no body', { status: 404 }],
    ['a page of 200', { status: 200, text: page }],
    ['a redirect', { status: 302 }],
    ['500', { status: 500, json: { message: '' } }],
    ['a rejection with a token value', { status: 400, json: { message: 'no', sha1: 'value' } }],
  ]

  it.each(responses)(
    'deletes the token if possible, or reports it as unconfirmed: %s',
    async (_, response) => {
      for (const path of [undefined, DELETE_PATH]) {
        const { creation, run, close } = respondingWith(response, path)
        await errorOf(() => creation.request(maria, { label: 'all', scopes: ['all'] }))
        expect(ledger()).toContain('"intended"')
        expect(ledger()).not.toMatch(/"(made|gone)"/)
        await close()
        expect(run.leakedResources).toEqual(
          path === undefined ? [{ ...leaked, unconfirmed: true }] : [],
        )
        if (path !== undefined) expect(ledger()).toBe('')
        rmSync(ledgerFile, { force: true })
      }
    },
  )

  it('clears the token after a 404 only if the path is confirmed', async () => {
    const { creation, run, close } = respondingWith({ status: 499 }, DELETE_PATH, { status: 404 })
    await creation.request(maria, { label: 'all', scopes: ['all'] })
    await close()
    expect(run.leakedResources).toEqual([{ ...leaked, unconfirmed: true }])
    run.leakedResources.length = 0
    await creation.request(maria, { label: 'read-user', scopes: ['read:user'] })
    await close()
    expect(run.leakedResources).toEqual([])
    expect(ledger()).toBe('')
  })
})

describe('request, if the service rejects it', () => {
  /** Requests one valid token, and several that a conforming service rejects. */
  async function requestRejected(handler: Handler, tokenDeletePath?: string) {
    const { creation, run, sent, close } = creationOf({ tokenDeletePath }, handler)
    const wrong = { credentials: basic('maria', 'wrong') }
    await creation.request(maria, { label: 'read-issue', scopes: ['read:issue'] })
    for (const label of ['unknown-level', 'unknown-scope']) {
      await creation.request(maria, { label, scopes: ['read:plumbline'] })
    }
    await creation.request(maria, { label: 'wrong-password', ...wrong })
    await creation.request(maria, { label: 'nameless', body: () => ({ scopes: [] }) })
    await creation.request(tina, { label: 'no-code', scopes: ['all'] })
    const name = 'plumbline-run7-read-issue'
    await creation.request(maria, { label: 'duplicate', body: () => ({ name, scopes: [] }) })
    const before = sent.length
    await close()
    const deletions = sent.slice(before).map(({ url }) => url.pathname.split('/plumbline-run7-')[1])
    return { run, deletions }
  }

  /** Deletes existing tokens, and returns 404 for others. */
  function withDeletions(createsRejected: boolean): Handler {
    const handler = server()
    const existing = new Set<string>()
    return async (request) => {
      if (request.method === 'DELETE') {
        return { status: existing.delete(request.url.pathname) ? 204 : 404 }
      }
      const response = await handler(request)
      const name = request.body?.startsWith('{"name') ? JSON.parse(request.body).name : undefined
      if (createsRejected || response.status === 201)
        existing.add(`${request.url.pathname}/${name}`)
      return response
    }
  }

  it('tries one deletion per status code, and reports nothing if none of the tokens exists', async () => {
    const { run, deletions } = await requestRejected(withDeletions(false), DELETE_PATH)
    expect(deletions).toEqual(['unknown-scope', 'wrong-password', 'read-issue'])
    expect(run.leakedResources).toEqual([])
    expect(ledger()).toBe('')
  })

  it('deletes all rejected tokens if a sample exists', async () => {
    const { run, deletions } = await requestRejected(withDeletions(true), DELETE_PATH)
    expect(deletions.slice(0, 3)).toEqual(['unknown-scope', 'wrong-password', 'read-issue'])
    expect(deletions.slice(3).sort()).toEqual(['no-code', 'read-issue', 'unknown-level'])
    expect(run.leakedResources).toEqual([{ ...token, name: UNNAMED, unconfirmed: true }])
    expect(ledger()).toContain(UNNAMED)
  })

  it('reports a rejected token that exists and cannot be deleted', async () => {
    const handler = withDeletions(true)
    const { run } = await requestRejected(
      (request) =>
        request.method === 'DELETE' && request.url.pathname.endsWith('-wrong-password')
          ? { status: 500 }
          : handler(request),
      DELETE_PATH,
    )
    const names = run.leakedResources.map(({ name }) => name)
    expect(names).toContain('plumbline-run7-wrong-password')
    expect(ledger()).toContain('plumbline-run7-wrong-password')
  })

  it('deletes a token after 401 only if the password was accepted before', async () => {
    const handler = withDeletions(false)
    const { creation, sent, close } = creationOf({ tokenDeletePath: DELETE_PATH }, handler)
    await creation.request(maria, { label: 'all', scopes: ['all'], unused: true })
    const credentials = basic('maria', 'wrong')
    await creation.request(maria, { label: 'wrong-password', credentials })
    await creation.request({ ...tina, credentials }, { label: 'other' })
    await close()
    const deleted = sent.filter(({ method }) => method === 'DELETE')
    expect(deleted.map(({ url }) => url.pathname.split('run7-')[1])).toEqual([
      'all',
      'wrong-password',
    ])
  })
})

describe('request, if the response is lost', () => {
  /** The service carries out every request; the responses to POST with these numbers are lost. */
  function losing(...numbers: number[]) {
    const handler = server()
    let posts = 0
    return creationOf({ tokenDeletePath: DELETE_PATH }, handler, ({ method }) => {
      if (method === 'POST') posts += 1
      return method === 'POST' && numbers.includes(posts)
    })
  }

  it('retries with another name, and deletes both tokens at the end', async () => {
    const { creation, run, sent, close } = losing(1)
    const exchange = await creation.request(maria, { label: 'all', scopes: ['all'] })
    expect(exchange.status).toBe(201)
    await close()
    expect(sent.map(({ method, url, body }) => [method, body ?? url.pathname])).toEqual([
      ['POST', '{"name":"plumbline-run7-all","scopes":["all"]}'],
      ['POST', '{"name":"plumbline-run7-all-2","scopes":["all"]}'],
      ['DELETE', '/api/v1/users/maria/tokens/plumbline-run7-all-2'],
      ['DELETE', '/api/v1/users/maria/tokens/plumbline-run7-all'],
    ])
    for (const { credentials } of sent) expect(credentials).toEqual(maria.credentials)
    expect(run.leakedResources).toEqual([])
    expect(ledger()).toBe('')
  })

  it('creates the body again, and clears an unnamed token after a rejection', async () => {
    const { creation, run, close } = losing(1)
    const bodies: [string, number][] = []
    await creation.request(maria, {
      label: 'nameless',
      body: (name, attempt) => {
        bodies.push([name, attempt])
        return { scopes: [] }
      },
    })
    await close()
    expect(bodies).toEqual([
      ['plumbline-run7-nameless', 1],
      ['plumbline-run7-nameless-2', 2],
    ])
    expect(run.leakedResources).toEqual([])
  })
})

describe('mintedValues', () => {
  const VALUE = 'a0b1c2d3e4f5a6b7c8d9e0f1'

  function issuedValues(body: unknown, holdsSecret = (_: string) => false): string[] {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const json = typeof body === 'string' ? undefined : body
    return mintedValues(json, text, { runId: 'run7', redactor: { holdsSecret } })
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
    [
      'other fields',
      {
        id: 1234567890,
        name: 'plumbline-run7-a-name-of-4-parts',
        created_at: '2026-02-03T02:59:10.123Z',
        url: 'https://git.example.com/api/v1/tokens/1',
        message: 'a sentence of more than 20 characters',
        default_max_response_size: 'words-without-any-digit',
      },
      [],
    ],
  ])('returns %s', (_, body, expected) => {
    expect(issuedValues(body)).toEqual(expected)
  })

  it('ignores texts that contain another secret', () => {
    expect(issuedValues([`${VALUE}-secret`], (text) => text.includes('secret'))).toEqual([])
  })

  it('truncates values to the size that reports show', () => {
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
    if (problem === undefined) expect(sendingProblem(value)).toBeUndefined()
    else expect(sendingProblem(value)).toMatch(problem)
  })

  it('returns the documented value and at most 16 distinct texts', () => {
    const holdsSecret = vi.fn(() => false)
    const many = tokens(50_000)
    expect(issuedValues({ many: [...many, ...many], sha1: many[0] }, holdsSecret)).toEqual(
      tokens(17),
    )
    expect(issuedValues([...many.slice(0, 3), ...many.slice(0, 3)], holdsSecret)).toEqual(tokens(3))
    expect(issuedValues(many.join('\n'), holdsSecret)).toEqual(tokens(16))
    expect(holdsSecret).toHaveBeenCalledTimes(16 + 3 + 16)
  })
})
