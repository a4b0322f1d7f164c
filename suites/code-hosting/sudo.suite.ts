import { contrast } from '../../lib/conformance/contrast.ts'
import { eachPossible } from '../../lib/conformance/each.ts'
import { orRemark, skip } from '../../lib/conformance/outcome.ts'
import type { CallOptions } from './client.ts'
import { expect, verify } from './words.ts'

for (const place of ['header', 'query'] as const) {
  verify(
    `code-hosting/authentication/sudo-${place}`,
    async ({ accounts, codeHosting, repositories, sudo, target, tokens }) => {
      const { credentials, as } = await sudo()
      const options = { credentials, sudo: { as, in: place } }
      const user = await codeHosting.user(options)
      // Nobody can act as an account that is not there, or is another one than the operator means.
      await (as === target.username ? tokens.mainCredentials() : accounts.other())
      expect(user).toShowUser(as)

      await orRemark('GET /user/repos', async () => {
        await repositories.settled(async (list) => {
          const own = await list.known()
          const page = await codeHosting.repositories({ page: 1 }, { ...options, fresh: true })
          const known = new Set(own.names)
          const isKnown = page.names?.every((name) => known.has(name))
          expect(page).toHoldItemsOf(isKnown ? own.names : await list.names())
        })
      })
    },
  )
}

verify('code-hosting/authentication/sudo-admin-only', async ({ accounts, codeHosting, target }) => {
  const as =
    target.other?.username ??
    target.admin?.username ??
    skip('CODE_HOSTING_OTHER_USERNAME is not set, and there is nobody else to name')
  accounts.username()
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
