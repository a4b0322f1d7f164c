import { expect, verify } from './dsl.ts'

verify('code-hosting/authentication/legacy-deprecation-header', async ({ legacyResponses }) => {
  for (const response of await legacyResponses()) {
    expect(response).toHaveHeader('Deprecation', 'true')
  }
})

verify('code-hosting/authentication/legacy-sunset-header', async ({ legacyResponses }) => {
  for (const response of await legacyResponses()) {
    expect(response).toHaveHeader('Sunset', 'Wed, 01 Apr 2026 00:00:00 GMT')
  }
})

verify('code-hosting/authentication/legacy-warning-header', async ({ legacyResponses }) => {
  for (const response of await legacyResponses()) expect(response).toWarnOfTheScheme()
})
