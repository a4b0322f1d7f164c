import { describe, expect, it } from 'vitest'
import { Inconclusive, Skip } from '../../../lib/conformance/check-errors.ts'
import { type Answer, errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import type { ProbeRequest } from '../../../lib/probe/exchange.ts'
import { codeHostingPreflight } from './context.ts'
import { absence, messagesOf } from './endpoints.ts'
import { contextWith, server } from './service.fixture.ts'

const posts = (sent: ProbeRequest[]) =>
  sent.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body ?? 'null'))

it('the look before the run sends nothing but GETs, and credentials only where it has them', async () => {
  const { sent, ...context } = contextWith({ username: undefined, password: undefined })
  await codeHostingPreflight(context)
  expect(sent.map(({ method, credentials }) => [method, credentials?.kind])).toEqual(
    Array(4).fill(['GET', 'none']),
  )
})

it.each([
  ['is refused', { status: 403 }],
  ['is the user already', { json: { login: 'MARIA' } }],
])('an admin cannot show sudo who %s without', async (_, answer) => {
  const error = await errorOf(contextWith({}, () => answer).sudo)
  expect(error).toBeInstanceOf(Skip)
  expect(error).toHaveProperty('reason.kind', 'no control')
})

describe('the main account', () => {
  it('has a token for each set of scopes, under a name that tells them', async () => {
    const { tokens, sent } = contextWith()
    const asked = () => tokens.with('read:user', 'public-only')
    const [one, other, all] = await Promise.all([asked(), asked(), tokens.all()])
    expect(one).toBe(other)
    expect(all).not.toBe(one)
    await tokens.creation('read:user', 'public-only')
    expect(posts(sent)).toEqual([
      { name: 'plumbline-run7-read-user-public-only', scopes: ['read:user', 'public-only'] },
      { name: 'plumbline-run7-all', scopes: ['all'] },
    ])
  })

  it('has no token by a refusal with a value, and no verdict where the server fails', async () => {
    const handler = server()
    const { tokens } = contextWith({}, (request) => {
      if (request.body?.includes('read:user')) {
        return { status: 400, json: { sha1: 'value', message: 'no' } }
      }
      return request.body?.includes('read:issue') ? { status: 500 } : handler(request)
    })
    const refused = await errorOf(() => tokens.with('read:user'))
    expect(refused).toBeInstanceOf(Skip)
    expect(String(refused)).toContain('asking for one was answered with 400 (no) and no value')
    expect(await errorOf(() => tokens.with('read:issue'))).toBeInstanceOf(Inconclusive)
  })
})

describe('an endpoint below the prefix', () => {
  const redirect = (location: string): Answer => ({ status: 308, headers: { location } })

  it.each<[string, Answer]>([
    ['refuses', { status: 401 }],
    ['fails', { status: 500 }],
    ['redirects to its own path', redirect('https://other.example/api/v1/settings/api?from=1')],
    ['redirects to a sign-in page', redirect('/user/login')],
    ['redirects to what is no address', redirect('https://')],
    ['redirects nowhere', { status: 302 }],
  ])('is there where it %s', (_, answer) => {
    const path = '/settings/api'
    expect(absence({ path, response: exchangeWith(answer, `/api/v1${path}`) })).toBeUndefined()
  })
})

it('a message of a missing scope that is longer than any scopes make it gets no verdict', () => {
  const refusal = (message: string) => ({
    scopes: [],
    granted: [],
    response: exchangeWith({ status: 403, json: { message } }),
  })
  expect(messagesOf([refusal('no')])).toMatchObject([{ message: 'no', told: 'message "no"' }])
  const long = refusal('all,'.repeat(2000))
  expect(() => messagesOf([long])).toThrow(
    expect.objectContaining({
      reason: expect.objectContaining({ kind: 'response', exchange: long.response.id }),
    }),
  )
})
