// Activates the mutant of a run before the instrumented modules of the suites are evaluated.
import { inject } from 'vitest'

Object.assign(globalThis, { __stryker__: inject('changes') })
