import type { PlannedCase } from '../../../lib/conformance/planned-case.ts'
import type { RequirementId } from '../requirements.ts'
import type { CodeHostingSettings, CodeHostingTarget } from '../variables.ts'
import { type Access, expectedAccess } from './access.ts'
import { accessCases } from './access-table.ts'
import { type Case, isLacking } from './case.ts'
import { accounts, describeCase } from './describe-case.ts'
import { describeListCase } from './judged-list.ts'
import { documentedCases, isJudgedBy } from './list-checks.ts'
import { listRules } from './list-rules.ts'
import {
  isOpen,
  type LimitKind,
  type ListCase,
  limitKind,
  type PageKind,
  pageKind,
} from './list-table.ts'
import { responseRuleIds, responseRules } from './response-rules.ts'

function expectedOf(
  { resource }: Case,
  { as, status = 200, rejected, messages = [] }: Access,
): string {
  const shown = { user: 'record', repositories: 'list' }[resource as string]
  const success = `status ${status}${as && shown ? `, the ${shown} of ${accounts[as]}` : ''}`
  if (rejected === undefined) return success
  const rejection = rejected === 'any' ? 'a rejection' : `status ${rejected.join(' or ')}`
  const texts = messages.map((message) => `"${message}"`).join(' or ')
  return `${rejection}${texts && `, message ${texts}`}${as ? `; or ${success}` : ''}`
}

/** The requirements about the message of a rejection because of a missing scope. */
const messageRequirements: readonly RequirementId[] = [
  'code-hosting/scopes/missing-scope-message',
  'code-hosting/scopes/message-names-required',
  'code-hosting/scopes/message-names-granted',
]

function plannedAccess(target: CodeHostingTarget): PlannedCase[] {
  return accessCases(target).flatMap((one) => {
    const access = expectedAccess(one, target.settings)
    if (access === undefined) return []
    const { requirement, messages, control } = access
    return {
      case: describeCase(one),
      requirements: [
        requirement,
        ...(messages ? [`${requirement}-message`] : []),
        ...(isLacking(one) ? messageRequirements : []),
        ...responseRequirements(one, access),
      ],
      expected: expectedOf(one, access),
      ...(control && { control: describeCase(control) }),
    }
  })
}

const pageTexts: Readonly<Record<PageKind, string>> = {
  absent: 'page 1',
  'below one': 'page 1',
  regular: 'the requested page',
  'past the end': 'no items, or the last page',
}

function expectedPageOf(one: ListCase, settings: CodeHostingSettings): string {
  if (isOpen(one)) return 'no server error'
  const { defaultPagingNum, maxResponseItems } = settings
  const sizes: Readonly<Record<LimitKind, string>> = {
    absent: `the default size, ${defaultPagingNum}`,
    'not positive': `the default size, ${defaultPagingNum}`,
    honoured: 'the requested size',
    lowered: `the maximum size, ${maxResponseItems}`,
  }
  return `${pageTexts[pageKind(one)]}, with pages of ${sizes[limitKind(one)]}`
}

/** Returns the requirements about all responses of a kind that judge a case. */
function responseRequirements(one: Case, access: Access): string[] {
  return responseRuleIds.filter((id) => responseRules[id].plans(one, access))
}

function plannedLists({ settings }: CodeHostingTarget): PlannedCase[] {
  return documentedCases(settings).map((one) => ({
    case: describeListCase(one),
    requirements: [
      ...new Set([
        ...Object.entries(listRules).flatMap(([id, rule]) => (isJudgedBy(rule, one) ? [id] : [])),
        ...(isOpen(one) ? [] : ['code-hosting/pagination/exposed-headers']),
        ...responseRequirements(one, expectedAccess(one, settings) as Access),
      ]),
    ],
    expected: expectedPageOf(one, settings),
  }))
}

/** Returns the access table and the list table. */
export const plannedCases = (target: CodeHostingTarget): PlannedCase[] => [
  ...plannedAccess(target),
  ...plannedLists(target),
]
