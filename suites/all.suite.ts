/** The Vitest file of all suites, so that they share fixtures and run concurrently. */
import { registerSuite } from '../lib/conformance/register.ts'
import { suite } from './code-hosting/suite.ts'
import './event-publishing/endpoints.suite.ts'
import './incident-status/updates.suite.ts'

registerSuite(suite)
