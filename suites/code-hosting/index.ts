import { defineService } from '../service.ts'
import { suite } from './suite.ts'
import { codeHostingVariables } from './variables.ts'

export const service = defineService({
  about: 'Gitea-like: tokens, scopes, pagination, legacy authentication',
  suite,
  variables: codeHostingVariables,
  firstPath: '/api/v1/settings/api',
  doctor: async () => (await import('./doctor.ts')).codeHostingDoctor,
  creations: {
    kinds: ['access token'],
    sweeper: async () => (await import('./token-creation.ts')).sweeper,
  },
  provisioners: { gitea: async () => (await import('./provision/provision.ts')).provisioner },
})
