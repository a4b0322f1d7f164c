import { answeredWith } from '../../lib/conformance/answered.ts'
import { unlessOpen } from '../../lib/conformance/code-hosting/open-endpoints.ts'
import {
  needsQueryTokens,
  needsQueryTokensDisabled,
  remarkThatQueryTokensMayBeDisabled,
} from '../../lib/conformance/code-hosting/query-tokens.ts'
import { sameLastEight } from '../../lib/conformance/code-hosting/unknown-tokens.ts'
import {
  deprecatedWays,
  needsTokenOtherwise,
  sentAs,
} from '../../lib/conformance/code-hosting/ways-to-send.ts'
import { contrast } from '../../lib/conformance/contrast.ts'
import { each, eachPossible, together } from '../../lib/conformance/each.ts'
import { orRemark, skip } from '../../lib/conformance/outcome.ts'
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

verify(
  'code-hosting/authentication/unknown-token',
  async ({ codeHosting, endpoints, target, tokens, unknownToken }) => {
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
          codeHosting.user({ credentials: bearer(sameLastEight(await tokens.all())) }),
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
  async ({ accounts, codeHosting, creations }) => {
    const credentials = accounts.mainWithWrongPassword()
    const [user, creation] = await together([
      codeHosting.user({ credentials }),
      orRemark('POST /users/{username}/tokens', creations.withWrongPassword),
    ])
    const refusals = [user, ...(creation === undefined ? [] : [creation])]
    for (const refusal of await answeredWith(401, refusals)) {
      expect(refusal).toHaveMessage(INVALID)
    }
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
    if (response.status === 404 && category === 'repository') skip('the repository is not there')
    expect(response).toHaveStatus(200)
  })
})

verify(
  'code-hosting/authentication/bearer-case-insensitive',
  async ({ readableEndpoints, tokens }) => {
    const token = await tokens.working()
    const endpoints = await readableEndpoints()
    const requests = endpoints.flatMap(({ request }, index) =>
      (index === 0 ? ['bearer', 'BEARER', 'bEaReR'] : ['bearer']).map(
        (scheme) => () => request({ credentials: authorization(scheme, token) }),
      ),
    )
    await each(requests, async (request) => {
      expect(await request()).toHaveStatus(200)
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
  await eachPossible(endpoints(), async ({ category, request }) => {
    const response = await request({ credentials })
    if (response.status === 404 && category === 'repository') skip('the repository is not there')
    expect(response).toHaveStatus(200)
  })
})

for (const [name, parameter] of [
  ['query-token', 'token'],
  ['query-access-token', 'access_token'],
] as const) {
  verify(`code-hosting/authentication/${name}`, async ({ readableEndpoints, target, tokens }) => {
    needsQueryTokens(target)
    const credentials = queryToken(parameter, await tokens.working())
    const endpoints = await readableEndpoints()
    const responses = await together(endpoints.map(({ request }) => request({ credentials })))
    remarkThatQueryTokensMayBeDisabled(responses)
    for (const response of responses) expect(response).toHaveStatus(200)
  })
}

verify('code-hosting/authentication/query-disabled', async ({ endpoints, target, tokens }) => {
  needsQueryTokensDisabled(target)
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
