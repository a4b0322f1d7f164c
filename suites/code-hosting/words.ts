import { bind } from '../../lib/conformance/bind.ts'
import { codeHosting } from './requirements.ts'
import {
  codeHostingPreflight,
  createCodeHostingContext,
  isCodeHostingProbed,
} from './support/context.ts'

export { expect } from './support/matchers.ts'

/** The words of the suites, bound to the catalogue of the code hosting service. */
export const { verify, invariant, observe } = bind(codeHosting, {
  probed: isCodeHostingProbed,
  context: createCodeHostingContext,
  preflight: codeHostingPreflight,
})
