import { describe, expect, it } from 'vitest'
import { type Answer, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { absence, messagesOf } from './endpoints.ts'

const settings = '/settings/api'
const absent = (answer: Answer) =>
  absence({ path: settings, response: exchangeWith(answer, `/api/v1${settings}`) })
const redirect = (location: string): Answer => ({ status: 308, headers: { location } })

describe('an endpoint below the prefix', () => {
  it.each<[string, Answer]>([
    ['answers', { json: {} }],
    ['refuses', { status: 401 }],
    ['fails', { status: 500 }],
    ['redirects to its own path', redirect('https://other.example/api/v1/settings/api?from=1')],
    ['redirects to a sign-in page', redirect('/user/login')],
    ['redirects to what is no address', redirect('https://')],
    ['redirects nowhere', { status: 302 }],
  ])('is there where it %s', (_, answer) => {
    expect(absent(answer)).toBeUndefined()
  })
})

it('a refusal whose message is longer than any scopes make it gets no verdict', () => {
  const response = exchangeWith({ status: 403, json: { message: 'all,'.repeat(2000) } })
  const endpoint = { name: 'GET /user', scopes: [], request: async () => response }
  expect(() => messagesOf([{ endpoint, response }])).toThrow(
    'was refused with a message of 8000 characters, and no more than 4096 are read',
  )
})
