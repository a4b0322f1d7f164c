import { describe, expect, it } from 'vitest'
import { errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { Inconclusive } from '../../../lib/conformance/outcome.ts'
import { preflight } from './preflight.ts'
import { fakeService, type Handler, server, targetWith } from './service.fixture.ts'

const target = targetWith()

describe('the look before the run', () => {
  const look = (handler: Handler) => errorOf(() => preflight(target, fakeService(handler).client))

  it('lets a code hosting service pass, with faults and with a wrong password', async () => {
    expect(await look(server())).toBeUndefined()
    expect(await look(() => ({ status: 401, json: {} }))).toBeUndefined()
    expect(await look(() => ({ status: 500, json: {} }))).toBeUndefined()
  })

  it.each<[string, Handler, string]>([
    [
      'something else',
      () => ({ text: '<html>', headers: { 'Content-Type': 'text/html' } }),
      'status 200 (text/html)',
    ],
    [
      'a redirect',
      () => ({ status: 301, headers: { Location: 'https://elsewhere/' } }),
      'and a redirect to https://elsewhere/',
    ],
    [
      'nothing below the path',
      () => ({ status: 404, json: {} }),
      'CODE_HOSTING_BASE_URL is the address',
    ],
    ['a gateway', () => ({ status: 503 }), 'gives no answer of its own: gateway 503'],
  ])('is inconclusive about %s', async (_, handler, reason) => {
    const error = await look(handler)
    expect(error).toBeInstanceOf(Inconclusive)
    expect(String(error)).toContain(reason)
    expect(String(error)).not.toMatch(/main-password|Basic/)
  })

  it('sends nothing but GETs, and credentials only where it has them', async () => {
    const { client, sent } = fakeService(server())
    await preflight(targetWith({ username: undefined, password: undefined }), client)
    for (const { method, credentials } of sent) {
      expect([method, credentials]).toEqual(['GET', { kind: 'none' }])
    }
  })
})
