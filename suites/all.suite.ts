/// <reference types="vite/client" />
import { cleanUp, closeRun } from '../lib/conformance/closing.ts'
import { judgeInvariants } from '../lib/conformance/invariants.ts'

// One test file imports all suites, so that they share fixtures and run at the same time.
import.meta.glob('./*/*.suite.ts', { eager: true })

cleanUp()
judgeInvariants()
closeRun()
