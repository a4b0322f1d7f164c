/// <reference types="vite/client" />
import { cleanUp, closeRun } from '../lib/conformance/closing.ts'
import { judgeInvariants } from '../lib/conformance/invariants.ts'
import { watchUncaught } from '../lib/conformance/uncaught.ts'

watchUncaught()

// One test file imports all suites, so that they share fixtures and run at the same time. Loading
// them side by side takes less time than one after the other.
await Promise.all(Object.values(import.meta.glob('./*/*.suite.ts')).map((load) => load()))

cleanUp()
judgeInvariants()
closeRun()
