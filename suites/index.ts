/** The services, one line each, by their place in a target. Everywhere they come in this order. */
export { service as codeHosting } from './code-hosting/index.ts'
export { service as eventPublishing } from './event-publishing/index.ts'
export { service as incidentStatus } from './incident-status/index.ts'
