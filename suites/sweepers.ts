import type { Sweeper } from '../lib/conformance/sweeper.ts'
import { sweeper as codeHosting } from './code-hosting/support/sweeper.ts'

/** Of the services on which runs make something that can be deleted, by the name of the service. */
export const sweepers: Readonly<Record<string, Sweeper>> = { 'code-hosting': codeHosting }
