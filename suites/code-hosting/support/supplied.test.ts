import { expect, it } from 'vitest'
import { errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { Inconclusive } from '../../../lib/conformance/outcome.ts'
import { bearer } from '../../../lib/probe/credentials.ts'
import { fakeService, targetWith } from './service.fixture.ts'
import { createSupplied } from './supplied.ts'
import type { Tokens } from './tokens.ts'

const tokens = { working: async () => 'default-token' } as Partial<Tokens> as Tokens
const request = { method: 'POST', path: '/api/v1/user/repos', body: '{"name":"taken"}' }

function suppliedWith(status: number) {
  const { run, client, sent } = fakeService(() => ({ status }))
  return { supplied: createSupplied(run, targetWith({ conflict: request }), client, tokens), sent }
}

it('a supplied request is sent once with the token, as it is written', async () => {
  const { supplied, sent } = suppliedWith(409)
  expect((await supplied.conflict()).status).toBe(409)
  await supplied.conflict()
  expect(sent).toMatchObject([
    { method: 'POST', body: request.body, credentials: bearer('default-token') },
  ])
})

it('a supplied request for what is not there is inconclusive', async () => {
  const error = await errorOf(suppliedWith(404).supplied.conflict)
  expect(error).toBeInstanceOf(Inconclusive)
  expect(String(error)).toContain('check CODE_HOSTING_CONFLICT')
})
