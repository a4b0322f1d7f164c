import { contrast } from '../../lib/conformance/contrast.ts'
import { eachPossible } from '../../lib/conformance/each.ts'
import { orNote } from '../../lib/conformance/outcome.ts'
import type { CallOptions } from './client.ts'
import { needed } from './needs.ts'
import { expect, verify } from './words.ts'

for (const place of ['header', 'query'] as const) {
  verify(
    `code-hosting/authentication/sudo-${place}`,
    async ({ accounts, codeHosting, repositories, sudo, target, tokens }) => {
      const { credentials, as } = await sudo()
      const options = { credentials, sudo: { as, in: place } }
      const user = await codeHosting.user(options)
      // Nobody can act as an account that is not there, or is another one than the operator means.
      const other = as === target.username ? undefined : await accounts.other()
      if (other === undefined) await tokens.mainCredentials()
      expect(user).toShowUser(as)

      await orNote('GET /user/repos', async () => {
        await repositories.settled(async (list) => {
          const own = await list.known()
          const page = await codeHosting.repositories({ page: 1 }, { ...options, fresh: true })
          const known = new Set(own.names)
          const isKnown = page.names?.every((name) => known.has(name))
          expect(page).toHoldItemsOf(isKnown ? own.names : await list.names())
        }, other?.credentials)
      })
    },
  )
}

verify('code-hosting/authentication/sudo-admin-only', async ({ codeHosting, target }) => {
  const as = target.other?.username ?? target.admin?.username ?? needed('user to name')
  const endpoints = [
    { name: 'GET /user', request: codeHosting.user },
    {
      name: 'GET /user/repos',
      request: (options?: CallOptions) => codeHosting.repositories({}, options),
    },
  ]
  const cases = endpoints.flatMap(({ name, request }) =>
    (['header', 'query'] as const).map((place) => ({
      name: `sudo in the ${place} at ${name}`,
      place,
      request,
    })),
  )
  await eachPossible(cases, ({ place, request }) =>
    contrast({
      control: () => request(),
      refused: () => request({ sudo: { as, in: place } }),
      as: (refusal) => expect(refusal).toHaveStatus(403),
    }),
  )
})
