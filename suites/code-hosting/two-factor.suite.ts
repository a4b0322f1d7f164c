import { contrast } from '../../lib/conformance/contrast.ts'
import { expect, verify } from './index.ts'

verify('code-hosting/authentication/one-time-code-accepted', async ({ creations }) => {
  expect(await creations.withOneTimeCode()).toHaveStatus(201)
})

verify('code-hosting/authentication/one-time-code-required', ({ creations }) =>
  contrast({ control: creations.withOneTimeCode, refused: creations.withoutOneTimeCode }),
)

verify('code-hosting/authentication/one-time-code-checked', ({ creations }) =>
  contrast({ control: creations.withOneTimeCode, refused: creations.withWrongOneTimeCode }),
)
