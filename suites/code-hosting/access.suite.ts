import { accessRequirements } from './access-model.ts'
import { observe, verify } from './dsl.ts'

for (const requirement of accessRequirements) {
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
    sentAs: 'any valid',
    scopes: ['all'],
    sudo: { as: 'other', in: 'header' },
  })
  return status
})
