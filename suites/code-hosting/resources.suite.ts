import { bodyShape } from '../../lib/conformance/body-shape.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { together } from '../../lib/conformance/each.ts'
import { orNote, skip } from '../../lib/conformance/outcome.ts'
import * as schemas from './schemas/validators.ts'
import { isApiResponse, isListPage } from './support/exchanges.ts'
import { expect, invariant, observe, verify } from './words.ts'

verify('code-hosting/resources/user', async ({ accounts, codeHosting }) => {
  const user = await codeHosting.user()
  expect(user).toHaveStatus(200)
  expect(user).toMatchSchema(schemas.user)
  await orNote('Whose record it is', async () => {
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
  await repositories.requirePublicIsThere(repository)
  expect(repository).toHaveStatus(200)
  expect(repository).toShowRepository(name)
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
  const list = repositories.listOf(async () => (await accounts.other()).credentials)
  const [hidden, listed] = await together([
    repositories.readablePrivateName(),
    repositories.observed((all) => all.known()),
    list.known(),
  ])
  for (const page of list.read) expect(page).toLackItem(hidden)
  if (!listed.names.some((name) => name.toLowerCase() === hidden.toLowerCase())) {
    await repositories.observed((all) => all.names())
    skip(`no control: the list of the main account does not show ${hidden} either`)
  }
  await list.names()
})

invariant('code-hosting/resources/repositories', {
  about: isListPage,
  unlessSeen: 'no list of repositories',
  holds: (page) => expect(page).toMatchSchema(schemas.repositories),
})

invariant('code-hosting/resources/json', {
  about: (exchange) =>
    isApiResponse(exchange) &&
    exchange.text !== '' &&
    (exchange.status < 300 || exchange.status >= 400),
  unlessSeen: 'no response with a body',
  holds: (exchange) => expect(exchange).toBeJson(),
})
