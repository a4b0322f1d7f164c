import { allOrWorst } from '../../lib/conformance/each.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import { expect, verify } from './dsl.ts'
import { readDocumentation, requireDocumentation } from './support/documentation.ts'

verify('code-hosting/documentation/served', async ({ codeHosting, run, target, tokens }) => {
  const [documentation, elsewhere] = await allOrWorst([
    readDocumentation(codeHosting, tokens.mainCredentials),
    codeHosting.undocumented(
      { method: 'GET', path: `/api/plumbline-${run.settings.runId}-missing`, body: null },
      { credentials: anonymous },
    ),
  ])
  requireDocumentation(documentation, elsewhere, target.baseUrl)
  expect(documentation).toHaveStatus(200)
  expect(documentation).toShow(documentation.text.trim() !== '', 'a page', 'a blank page')
})
