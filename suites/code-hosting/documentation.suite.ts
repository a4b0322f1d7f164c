import { assureDocumentation } from '../../lib/conformance/code-hosting/documentation.ts'
import { together } from '../../lib/conformance/each.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import { expect, verify } from './index.ts'

verify('code-hosting/documentation/served', async ({ codeHosting, run }) => {
  const [documentation, elsewhere] = await together([
    codeHosting.documentation(),
    codeHosting.undocumented(
      { method: 'GET', path: `/api/plumbline-${run.settings.runId}-missing`, body: null },
      { credentials: anonymous },
    ),
  ])
  assureDocumentation(documentation, elsewhere)
  expect(documentation).toHaveStatus(200)
  expect(documentation).toHaveBody()
})
