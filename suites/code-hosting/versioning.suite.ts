import { isSuccess } from '../../lib/conformance/contrast.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import { expect, verify } from './index.ts'

verify('code-hosting/versioning/prefix', async ({ codeHosting }) => {
  const settings = await codeHosting.settings({ credentials: anonymous })
  const found = isSuccess(settings) ? settings : await codeHosting.user()
  expect(found).toShow(found.status !== 404, 'the API below /api/v1', `status ${found.status}`)
})
