import { defineChecks } from '../../lib/conformance/define-checks.ts'
import { currentRun } from '../../lib/conformance/run.ts'
import { codeHosting } from './requirements.ts'
import { codeHostingPreflight, createCodeHostingContext } from './support/context.ts'

export { expect } from './support/matchers.ts'

export const { verify, invariant, observe } = defineChecks(codeHosting, {
  probed: () => currentRun().settings.target.codeHosting !== undefined,
  context: createCodeHostingContext,
  preflight: codeHostingPreflight,
})
