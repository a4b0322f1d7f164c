import { observe, verify } from './words.ts'

// Each is judged by the requests of the access table that the access model decides by it.
for (const requirement of [
  'code-hosting/authentication/missing-credentials',
  'code-hosting/authentication/unusable-credentials',
  'code-hosting/authentication/unknown-token',
  'code-hosting/authentication/unknown-username',
  'code-hosting/authentication/wrong-password',
  'code-hosting/authentication/bearer-case-insensitive',
  'code-hosting/authentication/legacy-accepted',
  'code-hosting/authentication/legacy-case-insensitive',
  'code-hosting/authentication/legacy-disabled',
  'code-hosting/authentication/basic',
  'code-hosting/authentication/query-token',
  'code-hosting/authentication/query-access-token',
  'code-hosting/authentication/query-disabled',
  'code-hosting/authentication/sudo-header',
  'code-hosting/authentication/sudo-query',
  'code-hosting/authentication/sudo-admin-only',
  'code-hosting/tokens/basic-only',
  'code-hosting/tokens/own-credentials',
  'code-hosting/scopes/missing-scope-status',
  'code-hosting/scopes/read-suffices',
  'code-hosting/scopes/write-includes-read',
  'code-hosting/scopes/categories-separate',
  'code-hosting/scopes/public-only-hides-private',
  'code-hosting/scopes/public-only-grants-nothing',
  'code-hosting/errors/missing-repository',
  'code-hosting/errors/hidden-repository',
  'code-hosting/settings/readable-by-any-client',
] as const) {
  verify(requirement, ({ access }) => access.judge(requirement))
}

for (const requirement of [
  'code-hosting/authentication/missing-credentials',
  'code-hosting/authentication/unknown-token',
  'code-hosting/authentication/wrong-password',
  'code-hosting/authentication/legacy-disabled',
] as const) {
  verify(`${requirement}-message`, ({ access }) => access.judgeMessages(requirement))
}

observe('code-hosting/authentication/sudo-admin-only/status', async ({ access }) => {
  const { status } = await access.send({
    resource: 'user',
    actor: 'main',
    sentAs: 'as usual',
    scopes: ['all'],
    sudo: { as: 'other', in: 'header' },
  })
  return status
})
