import { describe, expect, it } from 'vitest'
import { type Answer, errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { Inconclusive, Skip } from '../../../lib/conformance/outcome.ts'
import { basic, bearer } from '../../../lib/probe/credentials.ts'
import type { CodeHostingTarget } from '../../../lib/target/target.ts'
import { createAccounts } from './accounts.ts'
import { fakeService, type Handler, server, targetWith } from './service.fixture.ts'
import { createTokenCreation } from './token-creation.ts'
import { createTokens } from './tokens.ts'

function tokensOf(
  parts: Partial<CodeHostingTarget> = {},
  handler: Handler = server(),
  readOnly = false,
) {
  const { run, client, sent } = fakeService(handler, { readOnly })
  const target = targetWith(parts)
  const creation = createTokenCreation(run, target, client)
  const tokens = createTokens(target, client, createAccounts(run, target, client), creation)
  return { tokens, sent, run }
}

/** The server, with what it answers to some requests replaced. */
function serverBut(change: (request: Parameters<Handler>[0]) => Answer | undefined): Handler {
  const handler = server()
  return (request) => change(request) ?? handler(request)
}

const isBearer = (request: Parameters<Handler>[0]) =>
  request.credentials?.kind === 'authorization' && request.credentials.value.startsWith('Bearer')

const posts = (sent: { method: string; body?: string }[]) =>
  sent.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body ?? 'null'))

describe('tokens', () => {
  it('are made once for each set of scopes, under a name that tells them', async () => {
    const { tokens, sent } = tokensOf()
    const [one, other, all] = await Promise.all([
      tokens.with('read:user', 'public-only'),
      tokens.with('read:user', 'public-only'),
      tokens.all(),
    ])
    expect(one).toBe(other)
    expect(all).not.toBe(one)
    await tokens.creation('read:user', 'public-only')
    expect(posts(sent)).toEqual([
      { name: 'plumbline-run7-read-user-public-only', scopes: ['read:user', 'public-only'] },
      { name: 'plumbline-run7-all', scopes: ['all'] },
    ])
  })

  it('have every category but one, or every scope without a site admin', async () => {
    const { tokens, sent } = tokensOf()
    await tokens.withEveryCategoryBut('user')
    await tokens.creationWithEveryScope()
    const [others, every] = posts(sent)
    expect(others.scopes).toHaveLength(12)
    expect(others.scopes).not.toContain('read:user')
    expect(others.scopes).not.toContain('write:user')
    expect(others.scopes).not.toContain('write:admin')
    expect(every.scopes).toHaveLength(16)
    expect(every.scopes).not.toContain('read:admin')
  })

  it.each([
    ['refused', { status: 403, json: { message: 'not allowed' } }, '403 (not allowed)'],
    ['without a value', { status: 201, json: { sha1: '' } }, '201'],
    ['not JSON', { status: 201, text: 'created' }, '201'],
    ['an error with a value', { status: 400, json: { sha1: 'value' } }, '400'],
  ])('are skipped when the response is %s', async (_, answer, told) => {
    const { tokens } = tokensOf(
      {},
      serverBut(({ method }) => (method === 'POST' ? answer : undefined)),
    )
    const error = await errorOf(() => tokens.with('read:user'))
    expect(error).toBeInstanceOf(Skip)
    expect(error).toHaveProperty(
      'message',
      `needs a token, and asking for one was answered with ${told} and no value; ` +
        'see code-hosting/tokens/created',
    )
  })
})

it('tokens of more than 4 kB are made, and nothing is sent with them', async () => {
  const long = { status: 201, json: { sha1: 'f'.repeat(5000) } }
  const { tokens, sent, run } = tokensOf(
    {},
    serverBut(({ method }) => (method === 'POST' ? long : undefined)),
  )
  const error = await errorOf(() => tokens.working())
  expect(error).toBeInstanceOf(Skip)
  expect(error).toHaveProperty(
    'message',
    'needs a token, and the one that was made has a value of more than 4 kB; ' +
      'see code-hosting/tokens/created',
  )
  expect(await tokens.mainCredentials()).toEqual(basic('maria', 'main-password'))
  expect(sent.filter(isBearer)).toEqual([])
  expect(run.redactor.redact('f'.repeat(4096))).toBe('$ALL_TOKEN')
})

it('tokens are inconclusive when the server fails over one of them', async () => {
  const { tokens } = tokensOf(
    {},
    serverBut(({ body }) => (body?.includes('read:issue') ? { status: 500 } : undefined)),
  )
  expect(await tokens.with('read:user')).toMatch(/^minted-value/)
  expect(await errorOf(() => tokens.with('read:issue'))).toBeInstanceOf(Inconclusive)
})

describe('a wrong password', () => {
  it('is inconclusive, asks for one token only, and is in no reason', async () => {
    const { tokens, sent } = tokensOf({ password: 'not-the-password' })
    const errors = await Promise.all([
      errorOf(() => tokens.with('read:user')),
      errorOf(() => tokens.with('read:issue')),
      errorOf(() => tokens.all()),
      errorOf(() => tokens.working()),
      errorOf(() => tokens.mainCredentials()),
      errorOf(() => tokens.passwordAccepted()),
    ])
    for (const error of errors) {
      expect(error).toBeInstanceOf(Inconclusive)
      expect(String(error)).toContain('check CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD')
      expect(String(error)).not.toMatch(/not-the-password|Basic/)
    }
    expect(posts(sent)).toHaveLength(1)
  })

  it('is inconclusive in read-only mode without asking for a token', async () => {
    const { tokens, sent } = tokensOf({ password: 'not-the-password' }, server(), true)
    expect(await errorOf(() => tokens.mainCredentials())).toBeInstanceOf(Inconclusive)
    expect(posts(sent)).toEqual([])
  })

  it('is not assumed where only API calls refuse it', async () => {
    const { tokens } = tokensOf(
      {},
      serverBut((request) =>
        request.method === 'GET' && !isBearer(request) ? { status: 401 } : undefined,
      ),
    )
    await tokens.passwordAccepted()
    expect(await tokens.with('read:user')).toMatch(/^minted-value/)
  })
})

describe('a given token', () => {
  const given = { token: 'default-token', password: undefined }

  it('is the one with all, and nothing is created', async () => {
    const { tokens, sent } = tokensOf(given)
    expect(await tokens.all()).toBe('default-token')
    expect(await tokens.working()).toBe('default-token')
    expect(await tokens.mainCredentials()).toEqual(bearer('default-token'))
    const error = await errorOf(() => tokens.with('read:user'))
    expect(error).toBeInstanceOf(Skip)
    expect(posts(sent)).toEqual([])
  })

  it('beside a password says why nothing is created, without the token', async () => {
    const { tokens } = tokensOf({ token: 'default-token' })
    const error = await errorOf(() => tokens.creation('all'))
    expect(String(error)).toContain('CODE_HOSTING_TOKEN is set')
    expect(String(error)).not.toContain('default-token')
  })

  it.each([
    [401, 'the token was refused with 401: check CODE_HOSTING_TOKEN'],
    [403, 'the token may not read its own user: CODE_HOSTING_TOKEN needs the scope all'],
  ])('is inconclusive when it is answered with %d', async (status, reason) => {
    const { tokens } = tokensOf(given, () => ({ status }))
    for (const ask of [tokens.all, tokens.working, tokens.mainCredentials]) {
      const error = await errorOf(ask)
      expect(error).toBeInstanceOf(Inconclusive)
      expect(error).toHaveProperty('message', reason)
    }
  })
})

describe('the credentials of the main account', () => {
  const password = basic('maria', 'main-password')

  it('are a token, where there is one that works', async () => {
    expect(await tokensOf().tokens.mainCredentials()).toEqual(bearer('minted-value-01-of-maria'))
  })

  it.each<[string, Handler, boolean]>([
    ['nothing may be created', server(), true],
    [
      'none is created',
      serverBut(({ method }) => (method === 'POST' ? { status: 500 } : undefined)),
      false,
    ],
    ['none is taken', serverBut((r) => (isBearer(r) ? { status: 401 } : undefined)), false],
    ['it opens nothing', serverBut((r) => (isBearer(r) ? { status: 403 } : undefined)), false],
  ])('are the password where %s', async (_, handler, readOnly) => {
    expect(await tokensOf({}, handler, readOnly).tokens.mainCredentials()).toEqual(password)
  })

  it('are skipped when neither is set', async () => {
    const { tokens } = tokensOf({ username: undefined, password: undefined })
    expect(await errorOf(() => tokens.mainCredentials())).toHaveProperty(
      'message',
      'CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD (or CODE_HOSTING_TOKEN) are not set',
    )
  })

  it('leave a token that does not authenticate to the requirement of Bearer', async () => {
    const { tokens } = tokensOf(
      {},
      serverBut((request) => (isBearer(request) ? { status: 401 } : undefined)),
    )
    expect(await errorOf(() => tokens.working())).toHaveProperty(
      'message',
      'needs a token that authenticates as Bearer; see code-hosting/authentication/bearer',
    )
  })
})
