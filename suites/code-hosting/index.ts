import { bind } from '../../lib/conformance/bind.ts'
import {
  codeHostingPreflight,
  createCodeHostingContext,
  isCodeHostingProbed,
} from '../../lib/conformance/code-hosting/context.ts'
import { codeHosting } from './requirements.ts'

export { expect } from '../../lib/conformance/code-hosting/matchers.ts'

/** The words of the suites, bound to the catalogue of the code hosting service. */
export const { verify, invariant, observe } = bind(codeHosting, {
  probed: isCodeHostingProbed,
  context: createCodeHostingContext,
  preflight: codeHostingPreflight,
})
