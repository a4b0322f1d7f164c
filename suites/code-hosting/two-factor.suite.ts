import { contrast, isSuccess } from '../../lib/conformance/contrast.ts'
import { each } from '../../lib/conformance/each.ts'
import { note } from '../../lib/conformance/evidence-scope.ts'
import { expect, verify } from './dsl.ts'

verify('code-hosting/authentication/one-time-code-accepted', async ({ creations }) => {
  const creation = await creations.withOneTimeCode()
  if (!isSuccess(creation)) {
    note(
      'A wrong CODE_HOSTING_OTP_PASSWORD or CODE_HOSTING_OTP_SECRET looks the same, and so does a ' +
        'program that uses up the codes of the account at the same time: check that first.',
    )
  }
  expect(creation).toHaveStatus(201)
})

verify('code-hosting/authentication/one-time-code-required', ({ creations }) =>
  contrast({ control: creations.withOneTimeCode, refused: creations.withoutOneTimeCode }),
)

verify('code-hosting/authentication/one-time-code-insufficient', ({ creations }) =>
  contrast({
    control: creations.withOneTimeCode,
    refused: creations.withOneTimeCodeAndWrongPassword,
  }),
)

verify('code-hosting/authentication/one-time-code-checked', ({ creations }) =>
  each([creations.withWrongOneTimeCode, creations.withStaleOneTimeCode], (refused) =>
    contrast({ control: creations.withOneTimeCode, refused }),
  ),
)
