import { describe, expect, it } from 'vitest'
import { exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { parseScopeMessage } from './scope-message.ts'
import { messagesOf } from './scope-refusals.ts'

const told = (required: string, granted: string) =>
  `token does not have at least one of required scope(s), required=[${required}], token scope=${granted}`

describe('the message of a missing scope', () => {
  it('may say that the token has none, but not that none is required', () => {
    expect(parseScopeMessage(told('read:user', ''))).toEqual({
      required: ['read:user'],
      granted: [],
    })
    expect(parseScopeMessage(told('', 'read:issue'))).toBeUndefined()
  })
})

describe('refusals for a missing scope', () => {
  const endpoint = { name: 'GET /user', scopes: [], request: async () => exchangeWith() }

  it('get no verdict by a message that is longer than any scopes make it', () => {
    const message = 'all,'.repeat(2000)
    const response = exchangeWith({ status: 403, json: { message } })
    expect(() => messagesOf([{ endpoint, response }])).toThrow(
      'was refused with a message of 8000 characters, and no more than 4096 are read',
    )
  })
})
