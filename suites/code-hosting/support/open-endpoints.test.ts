import { describe, expect, it } from 'vitest'
import { errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { judge } from '../../../lib/conformance/judgement.ts'
import { Skip } from '../../../lib/conformance/outcome.ts'
import { queryToken } from '../../../lib/probe/credentials.ts'
import { unlessOpen } from './open-endpoints.ts'
import { remarkThatQueryTokensMayBeDisabled } from './query-tokens.ts'
import { fakeService } from './service.fixture.ts'

const credentials = queryToken('token', 'default-token')

describe('credentials that are to be overlooked', () => {
  it('are not judged where everybody is answered', async () => {
    const { client } = fakeService(() => ({ status: 200 }))
    const error = await errorOf(() => unlessOpen(client.user, credentials))
    expect(error).toBeInstanceOf(Skip)
    expect(String(error)).toContain('it answers without credentials too')
  })

  it('are accepted where nobody else is answered', async () => {
    const { client, sent } = fakeService(({ credentials: used }) => ({
      status: used?.kind === 'none' ? 401 : 200,
    }))
    expect(await unlessOpen(client.user, credentials)).toHaveProperty('status', 200)
    expect(sent).toHaveLength(2)
  })

  it('need no further request where they are refused', async () => {
    const { client, sent } = fakeService(() => ({ status: 401 }))
    expect(await unlessOpen(client.user, credentials)).toHaveProperty('status', 401)
    expect(sent).toHaveLength(1)
  })
})

describe('a refused token in the query', () => {
  it.each([
    [401, true],
    [403, false],
  ])('with %d has a remark that it may be switched off: %s', async (status, told) => {
    const { client } = fakeService(() => ({ status }))
    const judgement = await judge('any', 'probe', async () =>
      remarkThatQueryTokensMayBeDisabled([await client.user({ credentials })]),
    )
    expect(judgement.reason?.includes('CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN=true') ?? false).toBe(
      told,
    )
  })
})
