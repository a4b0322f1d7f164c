import { describe, expect, it } from 'vitest'
import { exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import {
  anonymous,
  authorization,
  basic,
  bearer,
  queryToken,
} from '../../../lib/probe/credentials.ts'
import { codeHostingEndpoints } from '../client.ts'
import {
  documentationUrl,
  isApiError,
  isApiResponse,
  isAskedByAdmin,
  isListPage,
  isOfTheService,
  originOf,
  placesOf,
} from './exchanges.ts'
import { targetWith } from './service.fixture.ts'

const withStatus = (status: number, endpoint: string = codeHostingEndpoints.user) =>
  exchangeWith({ status }, '/api/v1/user', { endpoint })

describe('a response', () => {
  it('of a status that a gateway may send is not of the service', () => {
    for (const status of [408, 425, 429, 502, 503, 504, 520, 530, 999]) {
      expect(isOfTheService(withStatus(status))).toBe(false)
      expect(isApiError(withStatus(status))).toBe(false)
    }
    for (const status of [200, 404, 500, 501]) expect(isOfTheService(withStatus(status))).toBe(true)
  })

  it('is an error of the API with 4xx or 500', () => {
    for (const status of [400, 401, 404, 423, 499, 500]) {
      expect(isApiError(withStatus(status))).toBe(true)
    }
    for (const status of [200, 302, 501]) expect(isApiError(withStatus(status))).toBe(false)
  })

  it('of the documentation is not one of the API', () => {
    expect(isApiResponse(withStatus(200))).toBe(true)
    expect(isApiResponse(withStatus(404, codeHostingEndpoints.documentation))).toBe(false)
    expect(isApiError(withStatus(404, codeHostingEndpoints.documentation))).toBe(false)
  })

  it('is a page when a list came from the listing', () => {
    const { repositories, user } = codeHostingEndpoints
    const page = (json: unknown, endpoint: string, status = 200) =>
      isListPage(exchangeWith({ status, json }, '/', { endpoint }))
    expect(page([], repositories)).toBe(true)
    expect(page({}, repositories)).toBe(false)
    expect(page([], user)).toBe(false)
    expect(page([], repositories, 403)).toBe(false)
  })
})

describe('the asker', () => {
  it('is the admin by the credentials of the admin alone', () => {
    const asked = (credentials?: ReturnType<typeof basic>) =>
      exchangeWith({}, '/', credentials === undefined ? {} : { credentials })
    expect(isAskedByAdmin(asked(basic('ada', 'admin-password')), targetWith())).toBe(true)
    for (const credentials of [
      basic('ada', 'other'),
      basic('maria', 'main-password'),
      bearer('token'),
      queryToken('token', 'x'),
      anonymous,
      undefined,
    ]) {
      expect(isAskedByAdmin(asked(credentials), targetWith())).toBe(false)
    }
    const without = targetWith({ admin: undefined })
    expect(isAskedByAdmin(asked(basic('ada', 'admin-password')), without)).toBe(false)
  })
})

describe('links', () => {
  it('of an error body are text', () => {
    expect(documentationUrl(exchangeWith({ json: { url: '/api/swagger' } }))).toBe('/api/swagger')
    for (const json of [null, [], { url: 7 }, 'text']) {
      expect(documentationUrl(exchangeWith({ json }))).toBeUndefined()
    }
    expect(documentationUrl(exchangeWith({ text: '<p>' }))).toBeUndefined()
  })

  it('name an origin, or are relative', () => {
    expect(originOf('http://internal:3000/api/swagger')).toBe('http://internal:3000')
    expect(originOf('/api/swagger')).toBe('relative')
    expect(originOf('?page=2')).toBe('relative')
    expect(originOf('elsewhere')).toBeUndefined()
    expect(originOf(undefined)).toBeUndefined()
  })
})

describe('the places of a value', () => {
  const value = '0123456789abcdef'

  it('are the body and the fields that contain it', () => {
    const exchange = exchangeWith({
      json: { clone_url: `https://${value}@git.example.com` },
      headers: { 'X-Token': `${value};`, 'X-Other': value.slice(1) },
    })
    expect(placesOf(value, exchange)).toEqual(['body', 'x-token'])
    expect(placesOf(value, exchangeWith({ json: { token_last_eight: '89abcdef' } }))).toEqual([])
  })

  it('are not targets that repeat the query in which it was sent', () => {
    const answer = { headers: { Link: `</x?token=${value}>; rel="next"`, 'X-Token': value } }
    const asked = (credentials: ReturnType<typeof basic>) =>
      placesOf(value, exchangeWith(answer, '/', { credentials }))
    expect(asked(queryToken('token', value))).toEqual(['x-token'])
    expect(asked(queryToken('token', 'another'))).toEqual(['link', 'x-token'])
    expect(asked(authorization('Bearer', value))).toEqual(['link', 'x-token'])
  })
})
