import { bind } from '../../lib/conformance/define-checks.ts'
import { currentRun } from '../../lib/conformance/run.ts'
import { codeHosting } from './requirements.ts'
import { codeHostingPreflight, createCodeHostingContext } from './support/context.ts'

export { expect } from './support/matchers.ts'

/** The words of the suites, bound to the catalogue of the code hosting service. */
export const { verify, invariant, observe } = bind(codeHosting, {
  probed: () => currentRun().settings.target.codeHosting !== undefined,
  context: createCodeHostingContext,
  preflight: codeHostingPreflight,
})
