import { contrast, isSuccess } from '../../lib/conformance/contrast.ts'
import { each } from '../../lib/conformance/each.ts'
import { note } from '../../lib/conformance/evidence-scope.ts'
import { expect, verify } from './dsl.ts'

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
