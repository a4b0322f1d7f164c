import { defineChecks } from '../../lib/conformance/define-checks.ts'
import { serviceIn } from '../service.ts'
import {
  type CodeHostingContext,
  codeHostingPreflight,
  createCodeHostingContext,
} from './context.ts'
import { plannedCases } from './model/planned-cases.ts'
import type { RepositoryList } from './model/repository-list.ts'
import { codeHosting, type RequirementId } from './requirements.ts'

export { expect } from './matchers.ts'

export const { verify, invariant, observe } = defineChecks(codeHosting, {
  isProbed: ({ codeHosting }) => codeHosting !== undefined,
  context: createCodeHostingContext,
  planned: ({ target }) => plannedCases(serviceIn(target, 'codeHosting')),
  preflight: codeHostingPreflight,
})

/** Judges the list of the main account, which is read again if it changed meanwhile. */
export function verifyList(
  id: RequirementId,
  check: (list: RepositoryList, context: CodeHostingContext) => Promise<void>,
): void {
  verify(id, (context) => context.repositories.retryWhileChanging((list) => check(list, context)))
}
