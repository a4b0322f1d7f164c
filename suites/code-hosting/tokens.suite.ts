import { inconclusive, skip, skipWithoutControl } from '../../lib/conformance/check-errors.ts'
import { contrast, isSuccess } from '../../lib/conformance/contrast.ts'
import { allOrWorst, each } from '../../lib/conformance/each.ts'
import { judgeOptionalCase } from '../../lib/conformance/judge-cases.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { expect, observe, verify } from './dsl.ts'
import { loginIn } from './model/exchange-filters.ts'
import * as schemas from './schemas/validators.ts'
import { adminScopes, generalScopes, nearScopes, UNRELATED_SCOPE } from './tokens/scopes.ts'
import { sendingProblem, valueIn } from './tokens/token-creation.ts'
import { deprecatedCredentials, firstAuthenticated } from './tokens/token-schemes.ts'
import { tokenValue } from './tokens/tokens.ts'

verify('code-hosting/tokens/created', async ({ creations, tokens }) => {
  const creation = await tokens.creation('all')
  expect(creation).toHaveStatus(201)
  expect(creation).toMatchSchema(schemas.accessToken)
  const problem = sendingProblem(valueIn(creation.json) ?? '')
  if (problem !== undefined) inconclusive(`the value of the new token ${problem}`)
  await judgeOptionalCase('a token name that was rejected before', async () =>
    expect(await creations.afterRejection()).toHaveStatus(201),
  )
})

verify('code-hosting/tokens/last-eight', async ({ tokens }) => {
  const value = await tokens.with('all')
  expect(await tokens.creation('all')).toHaveField('token_last_eight', value.slice(-8))
})

verify(
  'code-hosting/tokens/authenticates',
  async ({ accounts, codeHosting, creations, target, tokens }) => {
    const token = await tokens.with('all')
    const user = await firstAuthenticated(
      () => codeHosting.user({ credentials: bearer(token) }),
      deprecatedCredentials(target, token).map(
        (credentials) => () => codeHosting.user({ credentials }),
      ),
    )
    if (user.status === 403) skip('the token authenticates, but lacks a scope')
    expect(user).toShowUser(accounts.username())
    await judgeOptionalCase('the token of the other account', async () => {
      const { credentials } = await accounts.other()
      const [user, other] = await allOrWorst([
        codeHosting.user({ credentials }),
        codeHosting.user({ credentials: bearer(await creations.tokenOfOther()) }),
      ])
      const login = loginIn(user)
      if (login === undefined || !isSuccess(other)) skip('needs a record of its user')
      expect(other).toShowUser(login)
    })
  },
)

verify('code-hosting/tokens/duplicate-name', async ({ codeHosting, creations, tokens }) => {
  const { withDuplicateName, withDuplicateNameAndOtherScopes } = creations
  await each([withDuplicateName, withDuplicateNameAndOtherScopes], (negative) =>
    contrast({
      control: creations.accepted,
      negative,
      assertRejection: (rejection) => expect(rejection).toHaveStatus(400),
    }),
  )
  await judgeOptionalCase('two tokens of one name at the same time', async () => {
    const [first, second] = (await creations.twins()) as [Exchange, Exchange]
    // After a lost response, one has another name.
    if (tokens.nameOf(first) !== tokens.nameOf(second)) skip('needs two requests of one name')
    const areCreated = isSuccess(first) && isSuccess(second)
    expect(second).toShow(!areCreated, 'one token of the name', 'two tokens', { status: true })
  })
  await judgeOptionalCase('the first token of a repeated name', async () => {
    const credentials = bearer(tokenValue(await creations.accepted()))
    const before = await codeHosting.user({ credentials })
    if (isSuccess(before))
      skipWithoutControl('the server ignored the scopes of the first token before')
    await withDuplicateNameAndOtherScopes()
    const after = await codeHosting.user({ credentials, fresh: true })
    expect(after).toShow(
      !isSuccess(after),
      'the first token keeps its scopes after a rejected request of the same name',
      `status ${after.status}`,
      {
        status: true,
      },
    )
  })
})

verify('code-hosting/tokens/name-unique-per-user', async ({ creations }) => {
  expect(await creations.byOtherWithSameName()).toHaveStatus(201)
})

verify('code-hosting/tokens/documented-scopes', async ({ tokens }) => {
  const combined = await tokens.creationWithEveryScope()
  const isRejected = combined.status >= 400 && combined.status < 500
  if (!isRejected) expect(combined).toHaveStatus(201)
  else {
    // A server may reject some combinations.
    await each(generalScopes, async (scope) => {
      const scopes = scope === 'public-only' ? [scope, UNRELATED_SCOPE] : [scope]
      expect(await tokens.unusedCreation(...scopes)).toHaveStatus(201)
    })
  }
  await judgeOptionalCase('read:admin and write:admin', async () => {
    expect(await tokens.creationByAdmin(...adminScopes)).toHaveStatus(201)
  })
})

verify('code-hosting/tokens/unknown-scope', ({ creations }) =>
  each(
    [
      creations.withUnknownScope,
      creations.withUnknownLevel,
      ...nearScopes.map((scope) => () => creations.withScopeLike(scope)),
    ],
    (negative) =>
      contrast({
        control: creations.accepted,
        negative,
        assertRejection: (rejection) => expect(rejection).toHaveStatus(400, 422),
      }),
  ),
)

observe('code-hosting/tokens/unknown-scope/status', async ({ creations }) => {
  const { status } = await creations.withUnknownScope()
  return status
})
