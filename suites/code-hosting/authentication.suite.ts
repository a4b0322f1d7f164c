import { skip } from '../../lib/conformance/check-errors.ts'
import { contrast, isSuccess } from '../../lib/conformance/contrast.ts'
import { allOrWorst, each, forEachTestable } from '../../lib/conformance/each.ts'
import { note } from '../../lib/conformance/evidence-scope.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import { accessRequirements } from './access-model.ts'
import { expect, observe, verify } from './dsl.ts'
import { requireWorkingScheme } from './support/token-schemes.ts'

const SUNSET = 'Wed, 01 Apr 2026 00:00:00 GMT'

for (const requirement of accessRequirements) {
  verify(requirement, ({ access }) => access.judge(requirement))
}

for (const requirement of [
  'code-hosting/authentication/missing-credentials',
  'code-hosting/authentication/unknown-token',
  'code-hosting/authentication/wrong-password',
  'code-hosting/authentication/legacy-disabled',
] as const) {
  verify(`${requirement}-message`, ({ access }) => access.judgeMessages(requirement))
}

observe('code-hosting/authentication/sudo-admin-only/status', async ({ access, accounts }) => {
  await accounts.requireRegular('main')
  const { status } = await access.send({
    resource: 'user',
    actor: 'main',
    sentAs: 'any valid',
    scopes: ['all'],
    sudo: { as: 'other', in: 'header' },
  })
  return status
})

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
      expect(response).toLackHeaderValue('Sunset', SUNSET)
      expect(response).toWarnOfNoScheme()
    })
  },
)

for (const [id, name, value] of [
  ['code-hosting/authentication/legacy-deprecation-header', 'Deprecation', 'true'],
  ['code-hosting/authentication/legacy-sunset-header', 'Sunset', SUNSET],
] as const) {
  verify(id, async ({ legacyResponses }) => {
    for (const response of await legacyResponses()) expect(response).toHaveHeader(name, value)
  })
}

verify('code-hosting/authentication/legacy-warning-header', async ({ legacyResponses }) => {
  for (const response of await legacyResponses()) expect(response).toWarnOfTheScheme()
})

verify('code-hosting/authentication/one-time-code-accepted', async ({ creations }) => {
  const creation = await creations.withOneTimeCode()
  if (!isSuccess(creation)) {
    note(
      'Check CODE_HOSTING_OTP_PASSWORD and CODE_HOSTING_OTP_SECRET first, and that no other program ' +
        'uses the codes of the account: the response would be the same.',
    )
  }
  expect(creation).toHaveStatus(201)
})

verify('code-hosting/authentication/one-time-code-required', ({ creations }) =>
  contrast({ control: creations.withOneTimeCode, negative: creations.withoutOneTimeCode }),
)

verify('code-hosting/authentication/one-time-code-insufficient', ({ creations }) =>
  contrast({
    control: creations.withOneTimeCode,
    negative: creations.withOneTimeCodeAndWrongPassword,
  }),
)

verify('code-hosting/authentication/one-time-code-checked', ({ creations }) =>
  each([creations.withWrongOneTimeCode, creations.withStaleOneTimeCode], (negative) =>
    contrast({ control: creations.withOneTimeCode, negative }),
  ),
)
