import { bodyShape } from '../../lib/conformance/body-shape.ts'
import { runOptionalPart, skip, skipWithoutControl } from '../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { randomNumbers } from '../../lib/conformance/covering-array.ts'
import { allOrWorst, each, forEachTestable } from '../../lib/conformance/each.ts'
import { seed } from '../../lib/conformance/run.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { codeHostingEndpoints } from './client.ts'
import { expect, invariant, observe, verify, verifyList } from './dsl.ts'
import { isApiResponse, isListOrNull } from './model/exchange-filters.ts'
import * as schemas from './schemas/validators.ts'

verify('code-hosting/resources/user', async ({ accounts, codeHosting }) => {
  const user = await codeHosting.user()
  expect(user).toHaveStatus(200)
  expect(user).toMatchSchema(schemas.user)
  await runOptionalPart('The login of the record', async () => {
    expect(user).toShowUser(accounts.username())
  })
  for (const { username, credentials } of await accounts.others()) {
    const another = await codeHosting.user({ credentials })
    if (isSuccess(another)) expect(another).toShowUser(username)
  }
})

verify('code-hosting/resources/repository', async ({ codeHosting, repositories }) => {
  const name = repositories.publicName()
  const repository = await codeHosting.repository(name)
  await repositories.requirePublicExists(repository)
  expect(repository).toHaveStatus(200)
  expect(repository).toShowRepository(name)
})

invariant('code-hosting/resources/repository', {
  appliesTo: ({ request, status, json }) =>
    request.endpoint === codeHostingEndpoints.repository &&
    status === 200 &&
    typeof Object(json).full_name === 'string',
  absenceReason: 'no record of a repository',
  assert(exchange) {
    const [name = '', owner = ''] = exchange.request.url.pathname.split('/').reverse()
    expect(exchange).toShowRepository(`${decodeURIComponent(owner)}/${decodeURIComponent(name)}`)
  },
})

observe('code-hosting/resources/user/fields', async ({ codeHosting }) => {
  const user = await codeHosting.user()
  return isSuccess(user) ? bodyShape(user) : undefined
})

observe('code-hosting/resources/repository/fields', async ({ codeHosting, repositories }) => {
  const repository = await codeHosting.repository(repositories.publicName())
  return isSuccess(repository) ? bodyShape(repository) : undefined
})

verify('code-hosting/resources/repositories', async ({ codeHosting }) => {
  const page = await codeHosting.repositories()
  expect(page).toHaveStatus(200)
  expect(page).toMatchSchema(schemas.repositories)
})

verify('code-hosting/resources/hidden-repository-listing', async ({ accounts, repositories }) => {
  const [hidden, listed] = await allOrWorst([
    repositories.readablePrivateName(),
    repositories.observe((all) => all.readAll()),
  ])
  // Sent after the requests of the main account, whose pages a server must not show to others.
  const list = repositories.listOf(async () => (await accounts.other()).credentials, true)
  const seen = await list.readAll()
  for (const page of seen.shownBy) expect(page).toLackItem(hidden)
  if (!listed.names.some((name) => name.toLowerCase() === hidden.toLowerCase())) {
    await repositories.observe((all) => all.names())
    skipWithoutControl(`the list of the main account does not show ${hidden} either`)
  }
  await list.names()
})

invariant('code-hosting/resources/repositories', {
  appliesTo: isListOrNull,
  absenceReason: 'no list of repositories',
  assert: (page) => expect(page).toMatchSchema(schemas.repositories),
})

verifyList(
  'code-hosting/resources/listed-repository',
  async (list, { codeHosting, target, repositories }) => {
    // An unreadable repository is reported by code-hosting/resources/repository.
    if (target.publicRepository !== undefined) await repositories.readablePublicName()
    const { names: all, shownBy } = await list.readAll()
    const isFull = (name: string) => /^[^/]+\/[^/]+$/.test(name)
    const names = all.filter(isFull)
    if (names.length === 0) {
      skip('no owner/repo is listed; see code-hosting/resources/repositories')
    }
    const chosen = names[Math.floor(randomNumbers(seed())() * names.length)]
    const sample = repositories.sampleOf(shownBy).map(({ name }) => name)
    const requested = [...sample.filter(isFull), names.at(-1), chosen]
    await each(new Set(requested), async (name = '') =>
      expect(await codeHosting.repository(name)).toBeAccepted(),
    )
  },
)

const hasBody = ({ status, text }: Exchange) => text !== '' && (status < 300 || status >= 400)

verify('code-hosting/resources/json', async ({ codeHosting }) => {
  // The field of clients that accept any media type.
  const headers = { Accept: '*/*' }
  const requests = [
    {
      name: 'GET /settings/api',
      request: () => codeHosting.settings({ headers, credentials: anonymous }),
    },
    { name: 'GET /user', request: () => codeHosting.user({ headers }) },
  ]
  await forEachTestable(requests, async ({ request }) => {
    const response = await request()
    if (!hasBody(response)) skip('there was no response with a body')
    expect(response).toBeJson()
  })
})

invariant('code-hosting/resources/json', {
  appliesTo: (exchange) => isApiResponse(exchange) && hasBody(exchange),
  absenceReason: 'no response with a body',
  assert: (exchange) => expect(exchange).toBeJson(),
})

observe('code-hosting/resources/json/media-types', async ({ codeHosting, endpoints }) => {
  const responses = await Promise.all([
    codeHosting.settings({ credentials: anonymous }),
    codeHosting.user({ credentials: anonymous }),
    ...endpoints().map(({ request }) => request()),
  ])
  const types = responses.map(({ headers }) => headers.get('content-type') ?? 'none')
  return [...new Set(types)].toSorted()
})
