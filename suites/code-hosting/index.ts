import { defineService, serviceIn } from '../service.ts'
import { codeHosting } from './requirements.ts'
import { codeHostingVariables } from './variables.ts'

export const service = defineService({
  about: 'Gitea-like: tokens, scopes, pagination, legacy authentication',
  catalogue: codeHosting,
  variables: codeHostingVariables,
  firstPath: '/api/v1/settings/api',
  doctor: async () => (await import('./doctor.ts')).codeHostingDoctor,
  cases: async (target) =>
    (await import('./model/planned-cases.ts')).plannedCases(serviceIn(target, 'codeHosting')),
  creations: {
    kinds: ['access token'],
    sweeper: async () => (await import('./tokens/token-deletion.ts')).sweeper,
  },
  provisioners: { gitea: async () => (await import('./provision/provision.ts')).provisioner },
})
