import { answeredWith } from '../../lib/conformance/answered.ts'
import {
  needsQueryTokens,
  needsQueryTokensDisabled,
} from '../../lib/conformance/code-hosting/query-tokens.ts'
import { contrast } from '../../lib/conformance/contrast.ts'
import { each } from '../../lib/conformance/each.ts'
import { remark } from '../../lib/conformance/scope.ts'
import { anonymous, authorization, bearer, queryToken } from '../../lib/probe/credentials.ts'
import { expect, verify } from './index.ts'

const INVALID = 'invalid username, password or token'

verify(
  'code-hosting/authentication/missing-credentials',
  async ({ creations, endpoints, tokenCreation }) => {
    const requests = endpoints().map(({ request }) => ({
      control: () => request(),
      refused: () => request({ credentials: anonymous }),
    }))
    if (tokenCreation.obstacle === undefined) {
      requests.push({ control: creations.accepted, refused: creations.withoutCredentials })
    } else {
      remark(`POST /users/{username}/tokens is left out: ${tokenCreation.obstacle}.`)
    }
    await each(requests, (request) =>
      contrast({ ...request, as: (refusal) => expect(refusal).toHaveStatus(401) }),
    )
  },
)

verify('code-hosting/authentication/missing-credentials-message', async ({ endpoints }) => {
  const requests = endpoints().map(({ request }) => request({ credentials: anonymous }))
  for (const refusal of await answeredWith(401, requests)) {
    expect(refusal).toHaveMessage('token is required')
  }
})

verify('code-hosting/authentication/unknown-token', ({ codeHosting, tokens, unknownToken }) =>
  contrast({
    control: async () => codeHosting.user({ credentials: bearer(await tokens.all()) }),
    refused: () => codeHosting.user({ credentials: bearer(unknownToken) }),
    as: (refusal) => expect(refusal).toHaveStatus(401),
  }),
)

verify(
  'code-hosting/authentication/unknown-token-message',
  async ({ codeHosting, unknownToken }) => {
    const request = codeHosting.user({ credentials: bearer(unknownToken) })
    for (const refusal of await answeredWith(401, [request])) {
      expect(refusal).toHaveMessage(INVALID)
    }
  },
)

verify('code-hosting/authentication/wrong-password', ({ accounts, codeHosting }) =>
  contrast({
    control: async () => codeHosting.user({ credentials: accounts.main().credentials }),
    refused: async () => codeHosting.user({ credentials: accounts.mainWithWrongPassword() }),
    as: (refusal) => expect(refusal).toHaveStatus(401),
  }),
)

verify('code-hosting/authentication/wrong-password-message', async ({ accounts, codeHosting }) => {
  const request = codeHosting.user({ credentials: accounts.mainWithWrongPassword() })
  for (const refusal of await answeredWith(401, [request])) {
    expect(refusal).toHaveMessage(INVALID)
  }
})

verify('code-hosting/authentication/bearer', async ({ codeHosting, tokens }) => {
  const token = await tokens.all()
  expect(await codeHosting.user({ credentials: bearer(token) })).toHaveStatus(200)
})

verify('code-hosting/authentication/bearer-case-insensitive', async ({ codeHosting, tokens }) => {
  const token = await tokens.working()
  await each(['bearer', 'BEARER', 'bEaReR'], async (scheme) => {
    const user = await codeHosting.user({ credentials: authorization(scheme, token) })
    expect(user).toHaveStatus(200)
  })
})

verify(
  'code-hosting/authentication/bearer-not-deprecated',
  async ({ readableEndpoints, tokens }) => {
    const credentials = bearer(await tokens.working())
    await each(await readableEndpoints(), async (endpoint) => {
      const response = await endpoint.request({ credentials })
      expect(response).toHaveNoHeader('Deprecation')
      expect(response).toHaveNoHeader('Sunset')
      expect(response).toWarnOfNoScheme()
    })
  },
)

verify('code-hosting/authentication/basic', async ({ accounts, codeHosting, tokens }) => {
  await tokens.passwordAccepted()
  const { credentials } = accounts.main()
  expect(await codeHosting.user({ credentials })).toHaveStatus(200)
})

verify('code-hosting/authentication/query-token', async ({ codeHosting, target, tokens }) => {
  needsQueryTokens(target)
  const token = await tokens.working()
  expect(await codeHosting.user({ credentials: queryToken('token', token) })).toHaveStatus(200)
})

verify(
  'code-hosting/authentication/query-access-token',
  async ({ codeHosting, target, tokens }) => {
    needsQueryTokens(target)
    const token = await tokens.working()
    const credentials = queryToken('access_token', token)
    expect(await codeHosting.user({ credentials })).toHaveStatus(200)
  },
)

verify('code-hosting/authentication/query-disabled', async ({ codeHosting, target, tokens }) => {
  needsQueryTokensDisabled(target)
  const token = await tokens.all()
  await each(['token', 'access_token'], (parameter) =>
    contrast({
      control: () => codeHosting.user({ credentials: bearer(token) }),
      refused: () => codeHosting.user({ credentials: queryToken(parameter, token) }),
      as: (refusal) => expect(refusal).toHaveStatus(401),
    }),
  )
})
