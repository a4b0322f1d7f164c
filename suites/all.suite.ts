/** The Vitest file of all suites, so that they share fixtures and run concurrently. */
import { registerSuite } from '../lib/conformance/register.ts'
import * as services from './index.ts'

for (const { suite } of Object.values(services)) registerSuite(suite)
