import { answeredWith, contrast } from '../../lib/conformance/contrast.ts'
import { each, eachPossible, together } from '../../lib/conformance/each.ts'
import { orNote, skip } from '../../lib/conformance/outcome.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { parseScopeMessage, scopesNamed } from './support/scopes.ts'
import { expect, observe, verify } from './words.ts'

verify('code-hosting/scopes/missing-scope-status', async ({ scopeRefusals }) => {
  for (const { response } of await scopeRefusals()) expect(response).toHaveStatus(403)
})

verify('code-hosting/scopes/missing-scope-message', async ({ scopeMessages }) => {
  for (const { response, message, told } of await scopeMessages()) {
    expect(response).toShow(
      parseScopeMessage(message) !== undefined,
      'message "token does not have at least one of required scope(s), required=[<scopes>], token scope=<scopes>"',
      told,
      { pointer: '/message' },
    )
  }
})

verify('code-hosting/scopes/message-names-required', async ({ scopeMessages }) => {
  for (const { endpoint, response, message, told } of await scopeMessages()) {
    const { required } = scopesNamed(message)
    expect(response).toShow(
      endpoint.scopes.some((scope) => required.includes(scope)),
      `a message that names ${endpoint.scopes.join(' or ')} as required`,
      told,
      { pointer: '/message' },
    )
  }
})

verify('code-hosting/scopes/message-names-granted', async ({ scopeMessages }) => {
  for (const { response, message, granted, told } of await scopeMessages()) {
    const has = new Set<string>(granted)
    const named = new Set(scopesNamed(message).granted)
    const isForm = parseScopeMessage(message) !== undefined
    // A read scope that the token's write scope includes need not be named.
    const isIncluded = (scope: string) =>
      scope.startsWith('read:') && has.has(scope.replace('read:', 'write:'))
    expect(response).toShow(
      granted.every((scope) => named.has(scope) || isIncluded(scope)) &&
        (!isForm || [...named].every((scope) => has.has(scope))),
      `a message that names ${granted.join(', ')} as what the token has`,
      told,
      { pointer: '/message' },
    )
  }
})

observe('code-hosting/scopes/repositories/required', async ({ scopeMessages }) => {
  const messages = await scopeMessages()
  const named = messages.find(({ endpoint }) => endpoint.name === 'GET /user/repos')
  return named && parseScopeMessage(named.message)?.required
})

verify('code-hosting/scopes/read-suffices', async ({ readingWith }) => {
  for (const response of await readingWith('read:user', 'read:repository')) {
    expect(response).toHaveStatus(200)
  }
})

verify('code-hosting/scopes/write-includes-read', async ({ readingWith }) => {
  for (const response of await readingWith('write:user', 'write:repository')) {
    expect(response).toHaveStatus(200)
  }
})

verify('code-hosting/scopes/all', async ({ endpoints, tokens }) => {
  const credentials = bearer(await tokens.working())
  const requests = endpoints().map(({ request }) => request({ credentials }))
  for (const response of await together(requests)) expect(response).toBeAllowed()
  await answeredWith(200, requests)
})

verify('code-hosting/scopes/categories-separate', async ({ endpoints, tokens }) => {
  await each(endpoints(), async ({ category, request }) => {
    if (category === undefined) return
    const others = await tokens.withEveryCategoryBut(category)
    await contrast({
      control: async () => request({ credentials: bearer(await tokens.working()) }),
      refused: () => request({ credentials: bearer(others) }),
    })
  })
})

verify(
  'code-hosting/scopes/public-only-hides-private',
  async ({ codeHosting, repositories, tokens }) => {
    const [publicOnly, hidden] = await together([
      tokens.with('public-only', 'read:user', 'read:repository'),
      repositories.readablePrivateName(),
    ])
    const read = (token: string) => codeHosting.repository(hidden, { credentials: bearer(token) })
    await contrast({
      control: async () => read(await tokens.with('read:user', 'read:repository')),
      refused: () => read(publicOnly),
      as: (refusal) => expect(refusal).toHaveStatus(403, 404),
    })
  },
)

observe(
  'code-hosting/scopes/public-only-hides-private/status',
  async ({ codeHosting, repositories, tokens }) => {
    const [publicOnly, hidden] = await together([
      tokens.with('public-only', 'read:user', 'read:repository'),
      repositories.readablePrivateName(),
    ])
    const { status } = await codeHosting.repository(hidden, { credentials: bearer(publicOnly) })
    return status
  },
)

function hasName(names: readonly string[], name: string): boolean {
  return names.some((listed) => listed.toLowerCase() === name.toLowerCase())
}

verify('code-hosting/scopes/public-only-listing', async ({ repositories, tokens }) => {
  const list = repositories.listOf(async () =>
    bearer(await tokens.with('public-only', 'read:user', 'read:repository')),
  )
  const [hidden, listed, seen] = await together([
    repositories.readablePrivateName(),
    repositories.observed((all) => all.known()),
    list.known(),
  ])
  for (const page of seen.shownBy) expect(page).toLackItem(hidden)
  if (!hasName(listed.names, hidden)) {
    await repositories.observed((all) => all.names())
    skip(`no control: without public-only the list does not show ${hidden} either`)
  }
  await list.names()
})

verify(
  'code-hosting/scopes/public-only-shows-public',
  async ({ codeHosting, repositories, tokens }) => {
    const [publicOnly, unrestricted, name] = await together([
      tokens.with('public-only', 'read:user', 'read:repository'),
      tokens.with('read:user', 'read:repository'),
      repositories.readablePublicName(),
    ])
    const read = (token: string) => codeHosting.repository(name, { credentials: bearer(token) })
    await answeredWith(200, [read(unrestricted)])
    expect(await read(publicOnly)).toHaveStatus(200)

    await orNote('GET /user/repos', async () => {
      const listed = await repositories.observed((all) => all.known())
      if (!hasName(listed.names, name)) {
        await repositories.observed((all) => all.names())
        skip(`no control: without public-only the list does not show ${name} either`)
      }
      await repositories.settled(async (list) => {
        const known = await list.known()
        if (hasName(known.names, name)) return
        const names = await list.names()
        for (const page of known.shownBy.slice(0, 1)) {
          expect(page).toShow(false, `${name} on a page of the list`, `${names.length} others`)
        }
      }, bearer(publicOnly))
    })
  },
)

verify('code-hosting/scopes/public-only-grants-nothing', async ({ endpoints, tokens }) => {
  const publicOnly = await tokens.with('public-only')
  await eachPossible(endpoints(), ({ category, request }) =>
    contrast({
      control: async () => request({ credentials: bearer(await tokens.working()) }),
      refused: () => request({ credentials: bearer(publicOnly) }),
      // Elsewhere the status is the business of code-hosting/scopes/missing-scope-status.
      ...(category === 'user'
        ? { as: (refusal: Exchange) => expect(refusal).toHaveStatus(403) }
        : {}),
    }),
  )
})
