import { describe, expect, it } from 'vitest'
import { type Answer, errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { Inconclusive } from '../../../lib/conformance/outcome.ts'
import { requireDocumentation } from './documentation.ts'

const page = (text: string): Answer => ({ text, headers: { 'content-type': 'text/html' } })
const nowhere = exchangeWith({ status: 404, text: 'not found' }, '/api/nothing')

async function reasonFor(answer: Answer, path: string, elsewhere = nowhere) {
  const error = await errorOf(async () =>
    requireDocumentation(exchangeWith(answer, path), elsewhere),
  )
  return error instanceof Inconclusive ? error.message : error
}

describe('requireDocumentation', () => {
  it('has no verdict on a redirect to another origin', async () => {
    const answer = { status: 302, headers: { location: 'https://docs.example.com/api' } }

    expect(await reasonFor(answer, '/api/swagger')).toContain('https://docs.example.com/api')
  })

  it.each(['/user/login', '/sign-in', '/users/sign_in/', '/auth/login.html'])(
    'has no verdict on the sign-in page %s',
    async (path) => {
      expect(await reasonFor(page('<form>'), path)).toContain('sign-in page')
    },
  )
})
