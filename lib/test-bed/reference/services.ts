// Services of the reference server; variants use these names as keys.
export { codeHosting } from './code-hosting/index.ts'
export { eventPublishing } from './event-publishing/index.ts'
export { incidentStatus } from './incident-status/index.ts'
