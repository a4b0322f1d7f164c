import { expect, verify } from './index.ts'

verify('code-hosting/documentation/served', async ({ codeHosting }) => {
  const documentation = await codeHosting.documentation()
  expect(documentation).toHaveStatus(200)
  expect(documentation).toShow(documentation.text !== '', 'a document', 'an empty body')
})
