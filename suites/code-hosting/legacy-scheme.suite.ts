import { answeredWith } from '../../lib/conformance/answered.ts'
import {
  needsLegacyScheme,
  needsLegacySchemeDisabled,
  OTHER_CASES,
} from '../../lib/conformance/code-hosting/legacy-scheme.ts'
import { contrast } from '../../lib/conformance/contrast.ts'
import { each } from '../../lib/conformance/each.ts'
import { authorization, bearer } from '../../lib/probe/credentials.ts'
import { expect, verify } from './index.ts'

verify('code-hosting/authentication/legacy-accepted', async ({ codeHosting, target, tokens }) => {
  needsLegacyScheme(target)
  const token = await tokens.working()
  const user = await codeHosting.user({ credentials: authorization('token', token) })
  expect(user).toHaveStatus(200)
})

verify(
  'code-hosting/authentication/legacy-case-insensitive',
  async ({ codeHosting, target, tokens }) => {
    needsLegacyScheme(target)
    const token = await tokens.working()
    await answeredWith(200, [codeHosting.user({ credentials: authorization('token', token) })])
    await each(OTHER_CASES, async (scheme) => {
      const user = await codeHosting.user({ credentials: authorization(scheme, token) })
      expect(user).toHaveStatus(200)
    })
  },
)

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

verify('code-hosting/authentication/legacy-disabled', async ({ codeHosting, target, tokens }) => {
  needsLegacySchemeDisabled(target)
  const token = await tokens.all()
  await contrast({
    control: () => codeHosting.user({ credentials: bearer(token) }),
    refused: () => codeHosting.user({ credentials: authorization('token', token) }),
    as: (refusal) => expect(refusal).toHaveStatus(401),
  })
})

verify(
  'code-hosting/authentication/legacy-disabled-message',
  async ({ codeHosting, target, tokens }) => {
    needsLegacySchemeDisabled(target)
    const credentials = authorization('token', await tokens.all())
    for (const refusal of await answeredWith(401, [codeHosting.user({ credentials })])) {
      expect(refusal).toHaveMessage(
        "the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'",
      )
    }
  },
)
