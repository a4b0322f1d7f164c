import { describe, it } from 'vitest'
import type { Credentials } from '../probe/credentials.ts'
import { headerKey } from '../probe/credentials.ts'
import { keyedRequest, wrongKey } from './api-key.ts'
import { assureService } from './assure-service.ts'
import { errorOf, exchangeWith } from './exchange.fixture.ts'
import { expect } from './matchers.ts'
import { Inconclusive, skip } from './outcome.ts'

const gatewayAnswer = (status: number) =>
  new Inconclusive('a gateway', { exchange: exchangeWith({ status }, '/keyed') })

function requestAnswering(answer: (credentials: Credentials) => Promise<never>) {
  return keyedRequest('publish', async () => exchangeWith({ status: 202 }), answer, {
    wrongKey: () => headerKey('X-Key', wrongKey),
    elsewhere: [() => headerKey('X-Other', 'key'), () => skip('API_KEY is not set')],
  })
}

describe('a request that needs a key', () => {
  it('takes the server error of a refusal for its answer, from a gateway too', async () => {
    const request = requestAnswering(() => Promise.reject(gatewayAnswer(503)))

    expect((await request.withoutKey()).status).toBe(503)
    expect((await request.withWrongKey()).status).toBe(503)
    expect((await request.withKeyElsewhere[0]?.())?.status).toBe(503)
  })

  it('has no answer where it was asked for patience, or could not be sent', async () => {
    const limited = requestAnswering(() => Promise.reject(gatewayAnswer(429)))
    const broken = requestAnswering(() => Promise.reject(new Inconclusive('the connection broke')))

    expect(await errorOf(limited.withoutKey)).toBeInstanceOf(Inconclusive)
    expect(await errorOf(broken.withoutKey)).toHaveProperty('message', 'the connection broke')
    expect(await errorOf(async () => limited.withKeyElsewhere[1]?.())).toHaveProperty(
      'message',
      'API_KEY is not set',
    )
  })
})

describe('assureService', () => {
  const assure = (request: () => Promise<ReturnType<typeof exchangeWith>>) =>
    errorOf(() => assureService('https://host.test', 'X_BASE_URL', request))

  it('lets a service pass that a gateway answers for once', async () => {
    expect(await assure(() => Promise.reject(gatewayAnswer(502)))).toBeUndefined()
  })

  it('stops for a web page, and not for an error page', async () => {
    const page = { text: '<html>', headers: { 'content-type': 'text/html' } }

    expect(await assure(async () => exchangeWith({ ...page, status: 200 }))).toHaveProperty(
      'message',
      expect.stringContaining('X_BASE_URL'),
    )
    expect(await assure(async () => exchangeWith({ ...page, status: 401 }))).toBeUndefined()
  })
})
