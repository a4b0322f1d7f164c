import { bodyShape } from '../../lib/conformance/body-shape.ts'
import { contrast, isSuccess } from '../../lib/conformance/contrast.ts'
import { each } from '../../lib/conformance/each.ts'
import { inconclusive, orNote, skip } from '../../lib/conformance/outcome.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import * as schemas from './schemas/validators.ts'
import { placesOf } from './support/exchanges.ts'
import { sendingProblem, valueIn } from './support/token-creation.ts'
import { deprecatedWays, firstAuthenticated, sentAs } from './support/ways-to-send.ts'
import { expect, invariant, observe, verify } from './words.ts'

verify('code-hosting/tokens/created', async ({ tokens }) => {
  const creation = await tokens.creation('all')
  expect(creation).toHaveStatus(201)
  expect(creation).toMatchSchema(schemas.accessToken)
  const problem = sendingProblem(valueIn(creation.json) ?? '')
  if (problem !== undefined) inconclusive(`the value of the new token ${problem}`)
})

observe('code-hosting/tokens/created/fields', async ({ tokens }) => {
  const creation = await tokens.creation('all')
  return isSuccess(creation) ? bodyShape(creation) : undefined
})

verify('code-hosting/tokens/last-eight', async ({ tokens }) => {
  const value = await tokens.with('all')
  expect(await tokens.creation('all')).toHaveField('token_last_eight', value.slice(-8))
})

verify('code-hosting/tokens/authenticates', async ({ accounts, codeHosting, target, tokens }) => {
  const token = await tokens.with('all')
  const user = await firstAuthenticated(
    () => codeHosting.user({ credentials: bearer(token) }),
    deprecatedWays(target).map(
      (way) => () => codeHosting.user({ credentials: sentAs[way](token) }),
    ),
  )
  if (user.status === 403) skip('the token authenticates, but lacks a scope')
  expect(user).toShowUser(accounts.username())
})

verify('code-hosting/tokens/basic-only', ({ creations, target }) =>
  each(['bearer', ...deprecatedWays(target)] as const, (way) =>
    contrast({ control: creations.accepted, refused: () => creations.withToken(way) }),
  ),
)

verify('code-hosting/tokens/duplicate-name', ({ creations }) =>
  contrast({
    control: creations.accepted,
    refused: creations.withDuplicateName,
    as: (refusal) => expect(refusal).toHaveStatus(400),
  }),
)

verify('code-hosting/tokens/name-unique-per-user', async ({ creations }) => {
  expect(await creations.byOtherWithSameName()).toHaveStatus(201)
})

verify('code-hosting/tokens/documented-scopes', async ({ creations, tokens }) => {
  expect(await tokens.creationWithEveryScope()).toHaveStatus(201)
  await orNote('read:admin and write:admin', async () => {
    expect(await creations.byAdminWithAdminScopes()).toHaveStatus(201)
  })
})

verify('code-hosting/tokens/unknown-scope', ({ creations }) =>
  each([creations.withUnknownScope, creations.withUnknownLevel], (refused) =>
    contrast({
      control: creations.accepted,
      refused,
      as: (refusal) => expect(refusal).toHaveStatus(400, 422),
    }),
  ),
)

observe('code-hosting/tokens/unknown-scope/status', async ({ creations }) => {
  const { status } = await creations.withUnknownScope()
  return status
})

invariant('code-hosting/tokens/value-shown-once', {
  about: (_, { tokenCreation }) => tokenCreation.minted.length > 0,
  unlessSeen: 'no token made in this run',
  holds(exchange, { tokenCreation }) {
    const places = tokenCreation.minted
      .filter((token) => token.exchange !== exchange.id)
      .flatMap((token) => placesOf(token.value, exchange))
    expect(exchange).toShow(
      places.length === 0,
      'a response without the value of a token',
      `a token value in ${[...new Set(places)].join(', ')}`,
    )
  },
})
