import { describe, expect, it } from 'vitest'
import { type Answer, errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { Inconclusive } from '../../../lib/conformance/outcome.ts'
import { anonymous, bearer } from '../../../lib/probe/credentials.ts'
import { assureDocumentation, readDocumentation } from './documentation.ts'
import { fakeService } from './service.fixture.ts'

const page = (text: string): Answer => ({ text, headers: { 'content-type': 'text/html' } })
const nowhere = exchangeWith({ status: 404, text: 'not found' }, '/api/nothing')

async function reasonFor(answer: Answer, path: string, elsewhere = nowhere) {
  const error = await errorOf(async () =>
    assureDocumentation(exchangeWith(answer, path), elsewhere),
  )
  return error instanceof Inconclusive ? error.message : error
}

describe('readDocumentation', () => {
  const credentials = async () => bearer('token')
  const kinds = (sent: readonly { credentials?: unknown }[]) => sent.map((one) => one.credentials)

  it.each([200, 404, 500])('takes %d from an anonymous request', async (status) => {
    const { client, sent } = fakeService(() => ({ status }))
    expect(await readDocumentation(client, credentials)).toHaveProperty('status', status)
    expect(kinds(sent)).toEqual([anonymous])
  })

  it.each([401, 403])('asks once more with credentials after %d', async (status) => {
    const { client, sent } = fakeService((request) =>
      request.credentials === anonymous ? { status } : page('<h1>API</h1>'),
    )
    expect(await readDocumentation(client, credentials)).toHaveProperty('status', 200)
    expect(kinds(sent)).toEqual([anonymous, bearer('token')])
  })
})

describe('assureDocumentation', () => {
  it.each([
    ['a page', page('<h1>API</h1>'), '/api/swagger'],
    ['a page behind a redirect', page('<h1>API</h1>'), '/api/swagger/index.html'],
    ['a page about signing', page('<h1>API</h1>'), '/api/swagger/signing-in-full'],
    ['an error, which the check judges', { status: 404 }, '/api/swagger'],
  ] as const)('takes %s', async (_, answer, path) => {
    expect(await reasonFor(answer, path)).toBeUndefined()
  })

  it('has no verdict on a redirect to another origin', async () => {
    const answer = { status: 302, headers: { location: 'https://docs.example.com/api' } }

    expect(await reasonFor(answer, '/api/swagger')).toContain('https://docs.example.com/api')
  })

  it('leaves a redirect that goes in a circle to the check', async () => {
    const answer = { status: 302, headers: { location: '/api/swagger' } }

    expect(await reasonFor(answer, '/api/swagger')).toBeUndefined()
  })

  it.each(['/user/login', '/sign-in', '/users/sign_in/', '/auth/login.html'])(
    'has no verdict on the sign-in page %s',
    async (path) => {
      expect(await reasonFor(page('<form>'), path)).toContain('sign-in page')
    },
  )

  it('has no verdict on a page that is given for any path', async () => {
    const same = exchangeWith(page('<div id="app">'), '/api/nothing')

    expect(await reasonFor(page('<div id="app">'), '/api/swagger', same)).toContain('same page')
    expect(await reasonFor(page('<h1>API</h1>'), '/api/swagger', same)).toBeUndefined()
  })
})
