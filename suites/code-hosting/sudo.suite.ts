import { contrast } from '../../lib/conformance/contrast.ts'
import { each } from '../../lib/conformance/each.ts'
import { skip } from '../../lib/conformance/outcome.ts'
import { expect, verify } from './index.ts'

verify('code-hosting/authentication/sudo-header', async ({ codeHosting, sudo }) => {
  const { credentials, as } = await sudo()
  const user = await codeHosting.user({ credentials, sudo: { as, in: 'header' } })
  expect(user).toHaveStatus(200)
  expect(user).toShowUser(as)
})

verify('code-hosting/authentication/sudo-query', async ({ codeHosting, sudo }) => {
  const { credentials, as } = await sudo()
  const user = await codeHosting.user({ credentials, sudo: { as, in: 'query' } })
  expect(user).toHaveStatus(200)
  expect(user).toShowUser(as)
})

verify('code-hosting/authentication/sudo-admin-only', async ({ accounts, codeHosting, target }) => {
  const as =
    target.other?.username ??
    target.admin?.username ??
    skip('CODE_HOSTING_OTHER_USERNAME is not set, and there is nobody else to name')
  accounts.username()
  await each(['header', 'query'] as const, (place) =>
    contrast({
      control: () => codeHosting.user(),
      refused: () => codeHosting.user({ sudo: { as, in: place } }),
      as: (refusal) => expect(refusal).toHaveStatus(403),
    }),
  )
})
