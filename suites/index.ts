/** Services by their key in a target. Reports list them in the order of these keys in the alphabet. */
export { service as codeHosting } from './code-hosting/index.ts'
export { service as eventPublishing } from './event-publishing/index.ts'
export { service as incidentStatus } from './incident-status/index.ts'
