import { Skip, skipWithoutControl } from '../../lib/conformance/check-errors.ts'
import { requireControl, requireStatus } from '../../lib/conformance/contrast.ts'
import { allOrWorst, each } from '../../lib/conformance/each.ts'
import { judgeCases, judgeOptionalCase } from '../../lib/conformance/judge-cases.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import { expect, observe, verify } from './dsl.ts'
import { type ScopeMessage, type ScopeRejection, scopeMessageOf } from './model/endpoints.ts'
import {
  adminScopes,
  parseScopeMessage,
  publicOnlyReader,
  scopesNamed,
  type TokenScope,
} from './tokens/scopes.ts'
import { tokenValue } from './tokens/tokens.ts'

/** The rules about the messages of rejections because of a missing scope. */
const messageRules = {
  'code-hosting/scopes/missing-scope-message': (_, { response, message, quoted }) =>
    expect(response).toShow(
      parseScopeMessage(message) !== undefined,
      'message "token does not have at least one of required scope(s), required=[<scopes>], token scope=<scopes>"',
      quoted,
      { pointer: '/message' },
    ),
  'code-hosting/scopes/message-names-required': ({ scopes }, { response, message, quoted }) => {
    const { required } = scopesNamed(message)
    expect(response).toShow(
      scopes.some((scope) => required.includes(scope)),
      `a message that names ${scopes.join(' or ')} as required`,
      quoted,
      { pointer: '/message' },
    )
  },
  'code-hosting/scopes/message-names-granted': ({ granted }, { response, message, quoted }) => {
    const has = new Set<string>(granted)
    const named = new Set(scopesNamed(message).granted)
    const isForm = parseScopeMessage(message) !== undefined
    // A read scope that the token's write scope includes may be named or not.
    const isIncluded = (scope: string) =>
      scope.startsWith('read:') && has.has(scope.replace('read:', 'write:'))
    expect(response).toShow(
      granted.every((scope) => named.has(scope) || isIncluded(scope)) &&
        (!isForm || [...named].every((scope) => has.has(scope) || isIncluded(scope))),
      `a message that names ${granted.join(', ')} as what the token has`,
      quoted,
      { pointer: '/message' },
    )
  },
} as const satisfies Record<string, (rejection: ScopeRejection, message: ScopeMessage) => void>

for (const [id, rule] of Object.entries(messageRules)) {
  verify(id as keyof typeof messageRules, async ({ scopeRejections }) =>
    judgeCases(await scopeRejections(), async (one) => rule(one, await scopeMessageOf(one))),
  )
}

observe('code-hosting/scopes/repositories/required', async ({ scopeRejections }) => {
  for (const rejection of await scopeRejections()) {
    if (rejection.resource !== 'repositories') continue
    const found = await scopeMessageOf(rejection).catch((error) => {
      if (!(error instanceof Skip)) throw error
    })
    if (found) return parseScopeMessage(found.message)?.required
  }
})

verify('code-hosting/scopes/all', async ({ codeHosting, endpoints, suppliedReads, tokens }) => {
  const credentials = bearer(await tokens.working())
  const requests = endpoints().map(({ name, request }) => ({
    name: `the token with all scopes, ${name}`,
    send: () => request({ credentials }),
  }))
  const everyScope = {
    name: 'a token with every scope, GET /user',
    send: async () =>
      codeHosting.user({ credentials: bearer(tokenValue(await tokens.creationWithEveryScope())) }),
  }
  const readAdmin = (...scopes: TokenScope[]) =>
    suppliedReads.readAdmin(async () => ({ credentials: bearer(await tokens.ofAdmin(...scopes)) }))
  const ofAdmin = {
    name: 'CODE_HOSTING_READ_ADMIN with the scope all',
    async send() {
      await requireControl(() => readAdmin(...adminScopes))
      return readAdmin('all')
    },
  }
  await judgeCases([...requests, everyScope, ofAdmin], async ({ send }) => {
    const response = await send()
    expect(response).toBeAllowed()
    await requireStatus(200, response)
  })
})

observe(
  'code-hosting/scopes/public-only-hides-private/status',
  async ({ codeHosting, repositories, tokens }) => {
    const [publicOnly, hidden] = await allOrWorst([
      tokens.with(...publicOnlyReader),
      repositories.readablePrivateName(),
    ])
    const { status } = await codeHosting.repository(hidden, { credentials: bearer(publicOnly) })
    return status
  },
)

function hasName(names: readonly string[], name: string): boolean {
  return names.some((listed) => listed.toLowerCase() === name.toLowerCase())
}

verify('code-hosting/scopes/public-only-listing', async ({ codeHosting, repositories, tokens }) => {
  const [publicOnly, unrestricted] = await allOrWorst([
    tokens.with(...publicOnlyReader),
    tokens.with('read:user', 'read:repository'),
  ])
  const list = repositories.listOf(async () => bearer(publicOnly))
  const [hidden, listed, seen] = await allOrWorst([
    repositories.readablePrivateName(),
    repositories.observe((all) => all.readAll()),
    list.readAll(),
  ])
  for (const page of seen.shownBy) expect(page).toLackItem(hidden)
  if (!hasName(listed.names, hidden)) {
    await repositories.observe((all) => all.names())
    skipWithoutControl(`without public-only the list does not show ${hidden} either`)
  }
  const read = (name: string, token: string) =>
    codeHosting.repository(name, { credentials: bearer(token) })
  await judgeOptionalCase('each listed repository with the public-only token', async () => {
    await requireStatus(200, read(await repositories.readablePublicName(), publicOnly))
    // The list must not show a repository that its token cannot read.
    await each(repositories.sampleOf(seen.shownBy), async ({ name, page }) => {
      const { status } = await read(name, publicOnly)
      if (status === 200 || (await read(name, unrestricted)).status !== 200) return
      const actual = `${name} in it, but GET /repos/{owner}/{repo} returns ${status}`
      expect(page).toShow(false, 'a list of repositories that the token may read', actual)
    })
  })
  await list.names()
})

verify('code-hosting/scopes/public-only-shows-public', async (context) => {
  const { access, codeHosting, repositories, settings, tokens } = context
  await access.judge('code-hosting/scopes/public-only-shows-public')
  await judgeOptionalCase('the whole list of the public-only token', async () => {
    const [publicOnly, unrestricted, name] = await allOrWorst([
      tokens.with(...publicOnlyReader),
      tokens.with('read:user', 'read:repository'),
      repositories.readablePublicName(),
    ])
    await requireStatus(200, codeHosting.repositories({}, { credentials: bearer(unrestricted) }))
    const first = { page: 1, limit: settings.maxResponseItems }
    const page = await codeHosting.repositories(first, { credentials: bearer(publicOnly) })
    expect(page).toHaveStatus(200)
    const listed = await repositories.observe((all) => all.readAll())
    if (!hasName(listed.names, name)) {
      await repositories.observe((all) => all.names())
      skipWithoutControl(`without public-only the list does not show ${name} either`)
    }
    await repositories.retryWhileChanging(async (list) => {
      const partial = await list.readAll()
      if (hasName(partial.names, name)) return
      const names = await list.names()
      for (const page of partial.shownBy.slice(0, 1)) {
        expect(page).toShow(false, `${name} on a page of the list`, `${names.length} others`)
      }
    }, bearer(publicOnly))
  })
})
