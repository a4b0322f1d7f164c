import { skip } from '../../lib/conformance/check-errors.ts'
import { allOrWorst, each, forEachTestable } from '../../lib/conformance/each.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import { expect, verify } from './dsl.ts'
import { requireWorkingScheme } from './support/token-schemes.ts'

verify('code-hosting/authentication/bearer', async ({ codeHosting, endpoints, target, tokens }) => {
  const token = await tokens.all()
  const responses = await allOrWorst(
    endpoints().map(async ({ request, ...endpoint }) => ({
      ...endpoint,
      response: await request({ credentials: bearer(token) }),
    })),
  )
  if (responses.every(({ response }) => response.status === 401)) {
    await requireWorkingScheme(codeHosting.user, target, token)
  }
  await forEachTestable(responses, async ({ category, response }) => {
    if (response.status === 403) skip('the token authenticates, but lacks a scope')
    // CODE_HOSTING_PUBLIC_REPOSITORY may be wrong.
    if (response.status === 404 && category === 'repository') skip('the repository does not exist')
    expect(response).toHaveStatus(200)
  })
})

verify(
  'code-hosting/authentication/bearer-not-deprecated',
  async ({ readableEndpoints, tokens }) => {
    const credentials = bearer(await tokens.working())
    await each(await readableEndpoints(), async (endpoint) => {
      const response = await endpoint.request({ credentials })
      // Another value may announce the deprecation of the endpoint (RFC 9745).
      expect(response).toLackHeaderValue('Deprecation', 'true')
      expect(response).toLackHeaderValue('Sunset', 'Wed, 01 Apr 2026 00:00:00 GMT')
      expect(response).toWarnOfNoScheme()
    })
  },
)
