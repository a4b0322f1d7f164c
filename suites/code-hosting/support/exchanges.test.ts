import { describe, expect, it } from 'vitest'
import { exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { codeHostingEndpoints } from '../client.ts'
import { isApiError } from './exchanges.ts'

const withStatus = (status: number, endpoint: string = codeHostingEndpoints.user) =>
  exchangeWith({ status }, '/api/v1/user', { endpoint })

describe('a response', () => {
  it('is an error of the API with 4xx or 500', () => {
    for (const status of [400, 401, 404, 423, 499, 500]) {
      expect(isApiError(withStatus(status))).toBe(true)
    }
    for (const status of [200, 302, 501]) expect(isApiError(withStatus(status))).toBe(false)
  })
})
