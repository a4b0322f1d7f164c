import { describe, expect, it } from 'vitest'
import { errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { Skip } from '../../../lib/conformance/outcome.ts'
import { authorization, bearer, queryToken } from '../../../lib/probe/credentials.ts'
import { fakeService, targetWith } from './service.fixture.ts'
import { sameLastEight, unknownToken } from './unknown-tokens.ts'
import {
  deprecatedWays,
  firstAuthenticated,
  needsTokenOtherwise,
  sentAs,
  type WayToSend,
} from './ways-to-send.ts'

const target = targetWith()
const withoutDeprecated = targetWith({
  settings: { ...target.settings, allowLegacyTokenScheme: false, disableQueryAuthToken: true },
})

describe('the ways to send a token', () => {
  it('are those that the server is configured to take', () => {
    const ways: WayToSend[] = ['bearer', ...deprecatedWays(target)]
    expect(ways.map((way) => sentAs[way]('value'))).toEqual([
      bearer('value'),
      authorization('token', 'value'),
      queryToken('token', 'value'),
    ])
    expect(deprecatedWays(withoutDeprecated)).toEqual([])
  })

  const serverTaking = (kind: string) =>
    fakeService(({ credentials }) => ({ status: credentials?.kind === kind ? 200 : 401 }))

  it('are tried one after the other until one authenticates', async () => {
    const asked: number[] = []
    const { client } = serverTaking('query')
    const request = (way: WayToSend, index: number) => () => {
      asked.push(index)
      return client.user({ credentials: sentAs[way]('value') })
    }
    const ways = ['legacy-prefix', 'query', 'bearer'] as const
    expect((await firstAuthenticated(request('bearer', 0), ways.map(request))).status).toBe(200)
    expect(asked).toEqual([0, 0, 1])
    const refused = await firstAuthenticated(request('bearer', 3), [request('legacy-prefix', 4)])
    expect(refused.request.credentials).toEqual(bearer('value'))
  })

  it('tell a token that Bearer alone refuses from one that is none', async () => {
    await needsTokenOtherwise(serverTaking('query').client.user, target, 'value')
    const none = serverTaking('none').client.user
    expect(await errorOf(() => needsTokenOtherwise(none, target, 'value'))).toBeInstanceOf(Skip)
  })
})

describe('unknown tokens', () => {
  it('are new each time', () => {
    expect(unknownToken()).toMatch(/^[0-9a-f]{40}$/)
    expect(unknownToken()).not.toBe(unknownToken())
  })

  it('may end like a known one, and are as long', () => {
    const known = unknownToken()
    const other = sameLastEight(known)
    expect(other).toHaveLength(known.length)
    expect(other.slice(-8)).toBe(known.slice(-8))
    expect(other).not.toBe(known)
    expect(sameLastEight('short')).not.toBe('short')
  })
})
