import { describe, expect, it } from 'vitest'
import { errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { Skip } from '../../../lib/conformance/outcome.ts'
import { protectedEndpoints } from './protected-endpoints.ts'
import { parseScopeMessage, scopesNamed } from './scope-message.ts'
import { messagesOf, scopeRefusals } from './scope-refusals.ts'
import { fakeService, targetWith } from './service.fixture.ts'
import type { Tokens } from './tokens.ts'

const told = (required: string, granted: string) =>
  `token does not have at least one of required scope(s), required=[${required}], token scope=${granted}`

describe('the message of a missing scope', () => {
  it.each([
    ['commas', 'read:user,write:user', 'read:issue,all'],
    ['spaces', 'read:user write:user', 'read:issue all'],
    ['both', 'read:user, write:user', 'read:issue, all'],
    ['more than needed', ' read:user ,, write:user ', ' read:issue  all '],
  ])('has scopes apart by %s', (_, required, granted) => {
    expect(parseScopeMessage(told(required, granted))).toEqual({
      required: ['read:user', 'write:user'],
      granted: ['read:issue', 'all'],
    })
  })

  it('may say that the token has none, but not that none is required', () => {
    expect(parseScopeMessage(told('read:user', ''))).toEqual({
      required: ['read:user'],
      granted: [],
    })
    expect(parseScopeMessage(told('', 'read:issue'))).toBeUndefined()
  })

  it.each([
    ['another beginning', `the ${told('read:user', 'read:issue')}`],
    ['other brackets', told('read:user', '[read:issue]')],
    ['no brackets', told('read:user', 'all').replace(/[[\]]/g, '')],
    ['something that is no scope', told('user', 'read:issue')],
    ['a full stop', `${told('read:user', 'read:issue')}.`],
    ['other words', 'insufficient scope: read:user needed, read:issue given'],
    ['nothing', ''],
  ])('does not have the form with %s', (_, message) => {
    expect(parseScopeMessage(message)).toBeUndefined()
  })

  it('names scopes in any form: without the documented one they count as both', () => {
    expect(scopesNamed(told('read:user', 'read:issue'))).toEqual({
      required: ['read:user'],
      granted: ['read:issue'],
    })
    const named = ['read:user', 'read:issue', 'public-only']
    expect(scopesNamed('wants [read:user]; has (read:issue), public-only.')).toEqual({
      required: named,
      granted: named,
    })
    expect(scopesNamed('forbidden')).toEqual({ required: [], granted: [] })
  })
})

describe('refusals for a missing scope', () => {
  const endpoint = { name: 'GET /user', scopes: [], request: async () => exchangeWith() }

  it('count with status 403, with a message or without', () => {
    const [other, right, mute] = [
      exchangeWith({ status: 401, json: { message: 'no' } }),
      exchangeWith({ status: 403, json: { message: 'no' } }),
      exchangeWith({ status: 403, text: 'no' }),
    ]
    const refusals = [other, right, mute].map((response) => ({ endpoint, response }))
    expect(messagesOf(refusals)).toEqual([
      { endpoint, response: right, message: 'no', told: 'message "no"' },
      { endpoint, response: mute, message: '', told: 'no message' },
    ])
    expect(() => messagesOf(refusals.slice(0, 1))).toThrow(Skip)
  })

  it('get no verdict by a message that is longer than any scopes make it', () => {
    const message = 'all,'.repeat(2000)
    const response = exchangeWith({ status: 403, json: { message } })
    expect(() => messagesOf([{ endpoint, response }])).toThrow(
      'was refused with a message of 8000 characters, and no more than 4096 are read',
    )
  })

  it('are asked for with a token that has one unrelated scope', async () => {
    const { client, sent } = fakeService(() => ({ status: 403 }))
    const asked: string[][] = []
    const tokens = {
      with: async (...scopes: string[]) => {
        asked.push(scopes)
        return 'issue-token'
      },
    } as Partial<Tokens> as Tokens
    const refusals = await scopeRefusals(
      Promise.resolve(protectedEndpoints(targetWith(), client)),
      tokens,
    )
    expect(asked).toEqual([['read:issue']])
    expect(refusals.map(({ response }) => response.status)).toEqual([403, 403, 403])
    expect(sent.map(({ url, credentials }) => [url.pathname, credentials])).toEqual(
      ['/api/v1/user', '/api/v1/user/repos', '/api/v1/repos/maria/public'].map((path) => [
        path,
        { kind: 'authorization', value: 'Bearer issue-token' },
      ]),
    )
    const failing = { with: async () => Promise.reject(new Skip('no token')) }
    expect(
      await errorOf(() => scopeRefusals(Promise.resolve([]), failing as Partial<Tokens> as Tokens)),
    ).toBeInstanceOf(Skip)
  })
})
