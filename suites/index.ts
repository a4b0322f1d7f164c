/** Services by their key in a target, in the order of all reports. */
export { service as codeHosting } from './code-hosting/index.ts'
export { service as eventPublishing } from './event-publishing/index.ts'
export { service as incidentStatus } from './incident-status/index.ts'
