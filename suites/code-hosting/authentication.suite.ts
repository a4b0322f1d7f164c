import { answeredWith, contrast } from '../../lib/conformance/contrast.ts'
import { each, eachPossible, together } from '../../lib/conformance/each.ts'
import { skip } from '../../lib/conformance/outcome.ts'
import { anonymous, authorization, bearer, queryToken } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import type { ProtectedEndpoint } from './support/endpoints.ts'
import {
  deprecatedWays,
  needsTokenOtherwise,
  noteThatQueryTokensMayBeDisabled,
  sentAs,
  unlessOpen,
} from './support/ways-to-send.ts'
import { expect, verify } from './words.ts'

const INVALID = 'invalid username, password or token'

/** @throws Skip for a repository that is not where the operator says: its 404 is no refusal */
function expectServed(category: ProtectedEndpoint['category'], response: Exchange): void {
  if (response.status === 404 && category === 'repository') skip('the repository is not there')
  expect(response).toHaveStatus(200)
}

verify('code-hosting/authentication/missing-credentials', ({ creations, endpoints }) =>
  eachPossible(
    [
      ...endpoints().map(({ name, request }) => ({
        name,
        control: () => request(),
        refused: () => request({ credentials: anonymous }),
      })),
      {
        name: 'POST /users/{username}/tokens',
        control: creations.accepted,
        refused: creations.withoutCredentials,
      },
    ],
    (requests) => contrast({ ...requests, as: (refusal) => expect(refusal).toHaveStatus(401) }),
  ),
)

verify('code-hosting/authentication/missing-credentials-message', async ({ endpoints }) => {
  const requests = endpoints().map(({ request }) => request({ credentials: anonymous }))
  for (const refusal of await answeredWith(401, requests)) {
    expect(refusal).toHaveMessage('token is required')
  }
})

verify(
  'code-hosting/authentication/unknown-token',
  async ({ codeHosting, endpoints, target, tokens, unknownToken, unknownTokenLike }) => {
    const cases = [
      ...endpoints().map(({ name, request }) => ({
        name,
        control: async () => request({ credentials: bearer(await tokens.all()) }),
        refused: () => request({ credentials: bearer(unknownToken) }),
      })),
      {
        name: 'a token that ends like a known one',
        control: async () => codeHosting.user({ credentials: bearer(await tokens.all()) }),
        refused: async () =>
          codeHosting.user({ credentials: bearer(unknownTokenLike(await tokens.all())) }),
      },
      ...deprecatedWays(target).map((way) => ({
        name: `a token sent as ${way}`,
        control: async () => codeHosting.user({ credentials: sentAs[way](await tokens.all()) }),
        refused: () => codeHosting.user({ credentials: sentAs[way](unknownToken) }),
      })),
    ]
    await eachPossible(cases, (requests) =>
      contrast({ ...requests, as: (refusal) => expect(refusal).toHaveStatus(401) }),
    )
  },
)

verify('code-hosting/authentication/unknown-token-message', async ({ endpoints, unknownToken }) => {
  const credentials = bearer(unknownToken)
  const requests = endpoints().map(({ request }) => request({ credentials }))
  for (const refusal of await answeredWith(401, requests)) {
    expect(refusal).toHaveMessage(INVALID)
  }
})

verify('code-hosting/authentication/wrong-password', ({ accounts, codeHosting, creations }) =>
  eachPossible(
    [
      {
        name: 'GET /user',
        control: async () => codeHosting.user({ credentials: accounts.main().credentials }),
        refused: async () => codeHosting.user({ credentials: accounts.mainWithWrongPassword() }),
      },
      {
        name: 'POST /users/{username}/tokens',
        control: creations.accepted,
        refused: creations.withWrongPassword,
      },
    ],
    (requests) => contrast({ ...requests, as: (refusal) => expect(refusal).toHaveStatus(401) }),
  ),
)

verify(
  'code-hosting/authentication/wrong-password-message',
  ({ accounts, codeHosting, creations }) => {
    const credentials = accounts.mainWithWrongPassword()
    return eachPossible(
      [
        { name: 'GET /user', request: () => codeHosting.user({ credentials }) },
        { name: 'POST /users/{username}/tokens', request: creations.withWrongPassword },
      ],
      async ({ request }) => {
        const [refusal] = await answeredWith(401, [request()])
        expect(refusal).toHaveMessage(INVALID)
      },
    )
  },
)

verify('code-hosting/authentication/bearer', async ({ codeHosting, endpoints, target, tokens }) => {
  const token = await tokens.all()
  const responses = await together(
    endpoints().map(async ({ request, ...endpoint }) => ({
      ...endpoint,
      response: await request({ credentials: bearer(token) }),
    })),
  )
  if (responses.every(({ response }) => response.status === 401)) {
    await needsTokenOtherwise(codeHosting.user, target, token)
  }
  await eachPossible(responses, async ({ category, response }) => {
    if (response.status === 403) skip('the token authenticates, but lacks a scope')
    expectServed(category, response)
  })
})

verify(
  'code-hosting/authentication/bearer-case-insensitive',
  async ({ readableEndpoints, tokens }) => {
    const token = await tokens.working()
    const endpoints = await readableEndpoints()
    const cases = [
      ...endpoints.map(({ request }) => ({ request, scheme: 'bearer' })),
      ...endpoints
        .slice(0, 1)
        .flatMap(({ request }) => ['BEARER', 'bEaReR'].map((scheme) => ({ request, scheme }))),
    ]
    await each(cases, async ({ request, scheme }) => {
      expect(await request({ credentials: authorization(scheme, token) })).toHaveStatus(200)
    })
  },
)

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

verify('code-hosting/authentication/basic', async ({ accounts, endpoints, tokens }) => {
  await tokens.passwordAccepted()
  const { credentials } = accounts.main()
  await eachPossible(endpoints(), async ({ category, request }) =>
    expectServed(category, await request({ credentials })),
  )
})

for (const [name, parameter] of [
  ['query-token', 'token'],
  ['query-access-token', 'access_token'],
] as const) {
  verify(`code-hosting/authentication/${name}`, async ({ readableEndpoints, tokens }) => {
    const credentials = queryToken(parameter, await tokens.working())
    const endpoints = await readableEndpoints()
    const responses = await together(endpoints.map(({ request }) => request({ credentials })))
    noteThatQueryTokensMayBeDisabled(responses)
    for (const response of responses) expect(response).toHaveStatus(200)
  })
}

verify('code-hosting/authentication/query-disabled', async ({ endpoints, tokens }) => {
  const token = await tokens.all()
  const cases = endpoints().flatMap(({ name, request }) =>
    ['token', 'access_token'].map((parameter) => ({
      name: `?${parameter}= at ${name}`,
      parameter,
      request,
    })),
  )
  await eachPossible(cases, ({ parameter, request }) =>
    contrast({
      control: () => request({ credentials: bearer(token) }),
      refused: () => unlessOpen(request, queryToken(parameter, token)),
      as: (refusal) => expect(refusal).toHaveStatus(401),
    }),
  )
})
