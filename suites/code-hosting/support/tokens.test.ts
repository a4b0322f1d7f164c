import { describe, expect, it } from 'vitest'
import { type Answer, errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { Inconclusive } from '../../../lib/conformance/outcome.ts'
import type { CodeHostingTarget } from '../variables.ts'
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
})

it('tokens are none where a refusal has a value', async () => {
  const answer = { status: 400, json: { sha1: 'value', message: 'no' } }
  const { tokens } = tokensOf(
    {},
    serverBut(({ method }) => (method === 'POST' ? answer : undefined)),
  )
  expect(await errorOf(() => tokens.with('read:user'))).toHaveProperty(
    'message',
    'needs a token, and asking for one was answered with 400 (no) and no value; ' +
      'see code-hosting/tokens/created',
  )
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
})

describe('a given token', () => {
  it('beside a password says why nothing is created, without the token', async () => {
    const { tokens } = tokensOf({ token: 'default-token' })
    const error = await errorOf(() => tokens.creation('all'))
    expect(String(error)).toContain('CODE_HOSTING_TOKEN is set')
    expect(String(error)).not.toContain('default-token')
  })
})
