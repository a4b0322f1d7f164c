import { skip, skipWithoutControl } from '../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { allOrWorst, each } from '../../lib/conformance/each.ts'
import { judgeCases, judgeOptionalCase } from '../../lib/conformance/judge-cases.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import { expect, observe, verify, verifyList } from './dsl.ts'
import { hasBody } from './model/response-rules.ts'
import * as schemas from './schemas/validators.ts'

verify('code-hosting/resources/user', async ({ accounts, codeHosting }) => {
  const user = await codeHosting.user()
  expect(user).toHaveStatus(200)
  expect(user).toMatchSchema(schemas.user)
  await judgeOptionalCase('the login of GET /user', async () => {
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
    const chosen = names[Math.floor(names.length / 2)]
    const sample = repositories.sampleOf(shownBy).map(({ name }) => name)
    const requested = [...sample.filter(isFull), names.at(-1), chosen]
    await each(new Set(requested), async (name = '') => {
      const response = await codeHosting.repository(name)
      expect(response).toBeAccepted()
    })
  },
)

verify('code-hosting/resources/json', async ({ codeHosting }) => {
  // The field of clients that accept any media type.
  const headers = { Accept: '*/*' }
  const requests = [
    {
      name: 'GET /settings/api, Accept: */*',
      request: () => codeHosting.settings({ headers, credentials: anonymous }),
    },
    { name: 'GET /user, Accept: */*', request: () => codeHosting.user({ headers }) },
  ]
  await judgeCases(requests, async ({ request }) => {
    const response = await request()
    if (!hasBody(response)) skip('there was no response with a body')
    expect(response).toBeJson()
  })
})

observe('code-hosting/resources/json/media-types', async ({ codeHosting, endpoints }) => {
  const outcomes = await Promise.allSettled([
    codeHosting.settings({ credentials: anonymous }),
    codeHosting.user({ credentials: anonymous }),
    ...endpoints().map(({ request }) => request()),
  ])
  const types = outcomes.flatMap((outcome) =>
    'value' in outcome ? (outcome.value.headers.get('content-type') ?? 'none') : [],
  )
  return [...new Set(types)].toSorted()
})
