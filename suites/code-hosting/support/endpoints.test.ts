import { describe, expect, it } from 'vitest'
import { type Answer, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { Skip } from '../../../lib/conformance/outcome.ts'
import { absence, fixedEndpoints, messagesOf, readSettingsRecord } from './endpoints.ts'
import { fakeService, server } from './service.fixture.ts'

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

it('endpoints without a variable are asked with credentials where anybody is shown nothing', async () => {
  const usual = server()
  const hiding = fakeService((request) =>
    request.credentials?.kind === 'none' && request.url.pathname.endsWith('/user')
      ? { status: 404 }
      : usual(request),
  )
  const endpoints = await Promise.all(fixedEndpoints(hiding.client))
  expect(endpoints.map(({ path, response }) => [path, response.status])).toEqual([
    ['/settings/api', 200],
    ['/user', 200],
    ['/user/repos', 401],
  ])
})

it('the settings record is read without credentials, or else with them', async () => {
  const open = fakeService(server())
  expect((await readSettingsRecord(open.client)).status).toBe(200)
  expect(open.sent).toHaveLength(1)
  const closed = fakeService(({ credentials }) => ({
    status: credentials?.kind === 'none' ? 401 : 200,
  }))
  expect((await readSettingsRecord(closed.client)).status).toBe(200)
})

describe('refusals for a missing scope', () => {
  const endpoint = { name: 'GET /user', scopes: [], request: async () => exchangeWith() }
  const refusalsOf = (...answers: Answer[]) =>
    answers.map((answer) => ({ endpoint, response: exchangeWith(answer) }))

  it('count with status 403, with a message or without', () => {
    const refusals = refusalsOf(
      { status: 401, json: { message: 'no' } },
      { status: 403, json: { message: 'no' } },
      { status: 403, text: 'no' },
    )
    expect(messagesOf(refusals)).toMatchObject([
      { message: 'no', told: 'message "no"' },
      { message: '', told: 'no message' },
    ])
    expect(() => messagesOf(refusals.slice(0, 1))).toThrow(Skip)
  })

  it('get no verdict by a message that is longer than any scopes make it', () => {
    const long = refusalsOf({ status: 403, json: { message: 'all,'.repeat(2000) } })
    expect(() => messagesOf(long)).toThrow(
      'was refused with a message of 8000 characters, and no more than 4096 are read',
    )
  })
})
