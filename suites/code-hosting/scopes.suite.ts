import { parseScopeMessage, scopesNamed } from '../../lib/conformance/code-hosting/scope-message.ts'
import { UNRELATED_SCOPE } from '../../lib/conformance/code-hosting/scope-refusals.ts'
import { contrast } from '../../lib/conformance/contrast.ts'
import { each } from '../../lib/conformance/each.ts'
import { skip } from '../../lib/conformance/outcome.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import { expect, observe, verify } from './index.ts'

verify('code-hosting/scopes/missing-scope-status', async ({ scopeRefusals }) => {
  for (const { response } of await scopeRefusals()) expect(response).toHaveStatus(403)
})

verify('code-hosting/scopes/missing-scope-message', async ({ scopeMessages }) => {
  for (const { response, message } of await scopeMessages()) {
    expect(response).toShow(
      parseScopeMessage(message) !== undefined,
      'message "token does not have at least one of required scope(s), required=[<scopes>], token scope=<scopes>"',
      `message "${message}"`,
    )
  }
})

verify('code-hosting/scopes/message-names-required', async ({ scopeMessages }) => {
  for (const { endpoint, response, message } of await scopeMessages()) {
    const { required } = scopesNamed(message)
    expect(response).toShow(
      endpoint.scopes.some((scope) => required.includes(scope)),
      `a message that names ${endpoint.scopes.join(' or ')} as required`,
      `message "${message}"`,
    )
  }
})

verify('code-hosting/scopes/message-names-granted', async ({ scopeMessages }) => {
  for (const { response, message } of await scopeMessages()) {
    const { granted } = scopesNamed(message)
    const form = parseScopeMessage(message) !== undefined
    expect(response).toShow(
      granted.includes(UNRELATED_SCOPE) && (!form || granted.length === 1),
      `a message that names ${UNRELATED_SCOPE} as what the token has`,
      `message "${message}"`,
    )
  }
})

observe('code-hosting/scopes/repositories/required', async ({ scopeMessages }) => {
  const messages = await scopeMessages()
  const named = messages.find(({ endpoint }) => endpoint.name === 'GET /user/repos')
  return named && parseScopeMessage(named.message)?.required
})

verify('code-hosting/scopes/read-suffices', async ({ readableEndpoints, tokens }) => {
  const [token, endpoints] = await Promise.all([
    tokens.with('read:user', 'read:repository'),
    readableEndpoints(),
  ])
  await each(endpoints, async (endpoint) => {
    const credentials = bearer(token)
    expect(await endpoint.request({ credentials })).toHaveStatus(200)
  })
})

verify('code-hosting/scopes/write-includes-read', async ({ readableEndpoints, tokens }) => {
  const [token, endpoints] = await Promise.all([
    tokens.with('write:user', 'write:repository'),
    readableEndpoints(),
  ])
  await each(endpoints, async (endpoint) => {
    const credentials = bearer(token)
    expect(await endpoint.request({ credentials })).toHaveStatus(200)
  })
})

verify('code-hosting/scopes/all', async ({ endpoints, tokens }) => {
  const credentials = bearer(await tokens.working())
  await each(endpoints(), async (endpoint) => {
    expect(await endpoint.request({ credentials })).toBeAllowed()
  })
})

verify('code-hosting/scopes/categories-separate', async ({ endpoints, tokens }) => {
  await each(endpoints(), async ({ category, request }) => {
    if (category === undefined) return
    const [others, all] = await Promise.all([
      tokens.withEveryCategoryBut(category),
      tokens.working(),
    ])
    await contrast({
      control: () => request({ credentials: bearer(all) }),
      refused: () => request({ credentials: bearer(others) }),
    })
  })
})

verify(
  'code-hosting/scopes/public-only-hides-private',
  async ({ codeHosting, repositories, tokens }) => {
    const [everything, publicOnly, hidden] = await Promise.all([
      tokens.with('read:user', 'read:repository'),
      tokens.with('public-only', 'read:user', 'read:repository'),
      repositories.readablePrivateName(),
    ])
    await contrast({
      control: () => codeHosting.repository(hidden, { credentials: bearer(everything) }),
      refused: () => codeHosting.repository(hidden, { credentials: bearer(publicOnly) }),
      as: (refusal) => expect(refusal).toHaveStatus(403, 404),
    })
  },
)

observe(
  'code-hosting/scopes/public-only-hides-private/status',
  async ({ codeHosting, repositories, tokens }) => {
    const [publicOnly, hidden] = await Promise.all([
      tokens.with('public-only', 'read:user', 'read:repository'),
      repositories.readablePrivateName(),
    ])
    const { status } = await codeHosting.repository(hidden, { credentials: bearer(publicOnly) })
    return status
  },
)

verify('code-hosting/scopes/public-only-listing', async ({ repositories, tokens }) => {
  const [publicOnly, hidden] = await Promise.all([
    tokens.with('public-only', 'read:user', 'read:repository'),
    repositories.readablePrivateName(),
  ])
  const list = repositories.listOf(bearer(publicOnly))
  const [listed] = await Promise.all([repositories.observed((all) => all.names()), list.names()])
  if (!listed.some((name) => name.toLowerCase() === hidden.toLowerCase())) {
    skip(`no control: without public-only the list does not show ${hidden} either`)
  }
  for (const page of list.read) expect(page).toLackItem(hidden)
})

verify(
  'code-hosting/scopes/public-only-shows-public',
  async ({ codeHosting, repositories, tokens }) => {
    const [publicOnly, name] = await Promise.all([
      tokens.with('public-only', 'read:user', 'read:repository'),
      repositories.readablePublicName(),
      tokens.working(),
    ])
    const repository = await codeHosting.repository(name, { credentials: bearer(publicOnly) })
    expect(repository).toHaveStatus(200)
  },
)

verify('code-hosting/scopes/public-only-grants-nothing', async ({ codeHosting, tokens }) => {
  const [publicOnly, all] = await Promise.all([tokens.with('public-only'), tokens.working()])
  await contrast({
    control: () => codeHosting.user({ credentials: bearer(all) }),
    refused: () => codeHosting.user({ credentials: bearer(publicOnly) }),
    as: (refusal) => expect(refusal).toHaveStatus(403),
  })
})
