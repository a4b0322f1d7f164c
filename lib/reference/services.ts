// The services of the reference, one line each. Variants name what they change by these names.
export { codeHosting } from './code-hosting/index.ts'
export { eventPublishing } from './event-publishing/index.ts'
export { incidentStatus } from './incident-status/index.ts'
