import { describe, expect, it } from 'vitest'
import { Inconclusive, Skip } from '../../lib/conformance/check-errors.ts'
import {
  BASE_URL,
  errorOf,
  exchangeWith,
  type StubResponse,
} from '../../lib/conformance/exchange.fixture.ts'
import type { ProbeRequest } from '../../lib/probe/exchange.ts'
import { codeHostingPreflight } from './context.ts'
import { caseOf } from './levels.ts'
import { requireDocumentation } from './matchers.ts'
import { absence } from './resources.suite.ts'
import { contextWith, server } from './service.fixture.ts'

const posts = (sent: ProbeRequest[]) =>
  sent.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body ?? 'null'))

it('the preflight sends only GET requests, with the configured credentials', async () => {
  const { sent, ...context } = contextWith({ username: undefined, password: undefined })
  await codeHostingPreflight(context)
  expect(sent.map(({ method, credentials }) => [method, credentials?.kind])).toEqual(
    Array(4).fill(['GET', 'none']),
  )
})

it.each([
  ['is rejected', { status: 403 }],
  ['is the user already', { json: { login: 'MARIA' } }],
])('sudo is skipped if the admin without it %s', async (_, response) => {
  const error = await errorOf(contextWith({}, () => response).accounts.sudo)
  expect(error).toBeInstanceOf(Skip)
  expect(error).toHaveProperty('reason.kind', 'no control')
})

describe('tokens', () => {
  it('creates one token per set of scopes, with the scopes in its name', async () => {
    const { tokens, sent } = contextWith()
    const request = () => tokens.with('read:user', 'public-only')
    const [one, other, all] = await Promise.all([request(), request(), tokens.all()])
    expect(one).toBe(other)
    expect(all).not.toBe(one)
    await tokens.creation('read:user', 'public-only')
    expect(posts(sent)).toEqual([
      { name: 'plumbline-run7-Read-user-public-only', scopes: ['read:user', 'public-only'] },
      { name: 'plumbline-run7-all', scopes: ['all'] },
    ])
  })

  it('skips after a rejection with a value, and is inconclusive after a server error', async () => {
    const handler = server()
    const { tokens } = contextWith({}, (request) => {
      if (request.body?.includes('read:user')) {
        return { status: 400, json: { sha1: 'value', message: 'no' } }
      }
      return request.body?.includes('read:issue') ? { status: 500 } : handler(request)
    })
    const rejected = await errorOf(() => tokens.with('read:user'))
    expect(rejected).toBeInstanceOf(Skip)
    expect(String(rejected)).toContain('400 (no)')
    expect(await errorOf(() => tokens.with('read:issue'))).toBeInstanceOf(Inconclusive)
  })
})

it.each([
  ['7-chars', true],
  ['8--chars', false],
])(
  'a near miss of the password %s, which reveals most of it, is skipped: %s',
  async (password, isSkipped) => {
    const { sender } = contextWith({ password }, () => ({ json: { login: 'maria' } }))
    const work = () => sender.send(caseOf({ sentAs: 'Basic', problem: 'shorter' }))
    expect((await errorOf(work)) instanceof Skip).toBe(isSkipped)
  },
)

it.each<[string, number, string]>([
  ['redirects to its own path', 308, 'https://other.example/api/v1/settings/api?from=1'],
  ['redirects to a sign-in page', 308, '/user/login'],
  ['redirects to an invalid URL', 308, 'https://'],
])('absence returns undefined for an endpoint that %s', (_, status, location) => {
  const response = exchangeWith({ status, headers: { location } }, '/api/v1/settings/api')
  expect(absence(response)).toBeUndefined()
})

const elsewhere = exchangeWith({ status: 404, text: 'not found' }, '/api/nothing')

const moved = { status: 302, headers: { location: 'https://docs.example.com/api' } }
const signInPages = ['/user/login', '/sign-in', '/users/sign_in/', '/auth/login.html']

it.each<[path: string, StubResponse]>([
  ['/api/swagger', moved],
  ...signInPages.map((path): [string, StubResponse] => [path, { text: '<form>' }]),
])('requireDocumentation is inconclusive for %s: %j', (path, response) => {
  const documentation = exchangeWith(response, path)
  expect(() => requireDocumentation(documentation, elsewhere, BASE_URL)).toThrow(Inconclusive)
})
