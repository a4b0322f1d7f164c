import { note } from '../../lib/conformance/check-scope.ts'
import { contrast, isSuccess, requireStatus } from '../../lib/conformance/contrast.ts'
import { each } from '../../lib/conformance/each.ts'
import { judgeOptionalCase } from '../../lib/conformance/judge-cases.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import { expect, observe, verify } from './dsl.ts'
import { accessRequirements, INVALID_CREDENTIALS } from './model/access.ts'
import { requireWorkingScheme } from './tokens/token-schemes.ts'

/** The requirements of the table whose checks send more than its requests. */
const sendingMore = [
  'code-hosting/authentication/bearer',
  'code-hosting/scopes/public-only-shows-public',
]

for (const requirement of accessRequirements) {
  if (sendingMore.includes(requirement)) continue
  verify(requirement, ({ access }) => access.judge(requirement))
}

for (const requirement of [
  'code-hosting/authentication/missing-credentials',
  'code-hosting/authentication/unknown-token',
  'code-hosting/authentication/legacy-disabled',
] as const) {
  verify(`${requirement}-message`, ({ access }) => access.judgeMessages(requirement))
}

verify('code-hosting/authentication/wrong-password-message', async ({ access, creations }) => {
  await access.judgeMessages('code-hosting/authentication/wrong-password')
  await judgeOptionalCase('a wrong password with a one-time code', async () => {
    const rejection = await requireStatus(401, creations.withOneTimeCodeAndWrongPassword())
    expect(rejection).toHaveMessage(INVALID_CREDENTIALS)
  })
})

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

verify('code-hosting/authentication/bearer', async ({ access, codeHosting, target, tokens }) => {
  const token = await tokens.all()
  const { status } = await codeHosting.user({ credentials: bearer(token) })
  if (status === 401) await requireWorkingScheme(codeHosting.user, target, token)
  await access.judge('code-hosting/authentication/bearer')
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
  each([creations.withoutOneTimeCode, creations.withEmptyOneTimeCode], (negative) =>
    contrast({ control: creations.withOneTimeCode, negative }),
  ),
)

verify('code-hosting/authentication/one-time-code-insufficient', ({ creations }) =>
  contrast({
    control: creations.withOneTimeCode,
    negative: creations.withOneTimeCodeAndWrongPassword,
  }),
)

verify('code-hosting/authentication/one-time-code-checked', ({ creations }) =>
  each(
    [creations.withWrongOneTimeCode, creations.withNearOneTimeCode, creations.withStaleOneTimeCode],
    (negative) => contrast({ control: creations.withOneTimeCode, negative }),
  ),
)
