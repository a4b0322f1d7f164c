import { answeredWith, contrast } from '../../lib/conformance/contrast.ts'
import { each, eachPossible } from '../../lib/conformance/each.ts'
import { authorization, bearer } from '../../lib/probe/credentials.ts'
import { legacyRequests, OTHER_CASES } from './support/ways-to-send.ts'
import { expect, verify } from './words.ts'

verify('code-hosting/authentication/legacy-accepted', async ({ readableEndpoints, tokens }) => {
  const credentials = authorization('token', await tokens.working())
  await each(await readableEndpoints(), async ({ request }) => {
    expect(await request({ credentials })).toHaveStatus(200)
  })
})

verify('code-hosting/authentication/legacy-case-insensitive', async ({ codeHosting, tokens }) => {
  const token = await tokens.working()
  await answeredWith(200, [codeHosting.user({ credentials: authorization('token', token) })])
  await each(OTHER_CASES, async (scheme) => {
    const user = await codeHosting.user({ credentials: authorization(scheme, token) })
    expect(user).toHaveStatus(200)
  })
})

verify('code-hosting/authentication/legacy-deprecation-header', async ({ legacyResponses }) => {
  for (const response of await legacyResponses()) {
    expect(response).toHaveHeader('Deprecation', 'true')
  }
})

verify('code-hosting/authentication/legacy-sunset-header', async ({ legacyResponses }) => {
  for (const response of await legacyResponses()) {
    expect(response).toHaveHeader('Sunset', 'Wed, 01 Apr 2026 00:00:00 GMT')
  }
})

verify('code-hosting/authentication/legacy-warning-header', async ({ legacyResponses }) => {
  for (const response of await legacyResponses()) expect(response).toWarnOfTheScheme()
})

verify('code-hosting/authentication/legacy-disabled', ({ endpoints, tokens }) => {
  return eachPossible(legacyRequests(endpoints()), ({ request, prefix }) =>
    contrast({
      control: async () => request({ credentials: bearer(await tokens.all()) }),
      refused: async () => request({ credentials: authorization(prefix, await tokens.all()) }),
      as: (refusal) => expect(refusal).toHaveStatus(401),
    }),
  )
})

verify('code-hosting/authentication/legacy-disabled-message', async ({ endpoints, tokens }) => {
  const token = await tokens.all()
  const requests = legacyRequests(endpoints()).map(({ request, prefix }) =>
    request({ credentials: authorization(prefix, token) }),
  )
  for (const refusal of await answeredWith(401, requests)) {
    expect(refusal).toHaveMessage(
      "the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'",
    )
  }
})
