// The requests that the model plans for a run. Bundled with mutants: `loadPlans` compares the plans of a mutant with those without it.
import { accessRequirements, expectedAccess } from '../../../suites/code-hosting/model/access.ts'
import { accessCases } from '../../../suites/code-hosting/model/access-table.ts'
import {
  type Case,
  categoriesOf,
  isLacking,
  isPublicOnly,
  userOf,
} from '../../../suites/code-hosting/model/case.ts'
import { describeCase } from '../../../suites/code-hosting/model/describe-case.ts'
import {
  isOpen,
  type ListCase,
  limits,
  listCases,
  pages,
} from '../../../suites/code-hosting/model/list-table.ts'
import type { CodeHostingTarget } from '../../../suites/code-hosting/variables.ts'
import { DEFAULT_SEED } from '../../conformance/seed.ts'

/** A case, and the requirements that judge it. */
export interface PlannedItem {
  /** Id of the case, as reports have it; empty for none. */
  id: string
  requirements: readonly string[]
  /** Returns the requirements of its control and of the cases that explain its deviations. */
  related: () => readonly string[]
}

/** The cases of a run. */
export interface PlannedCases {
  access: readonly Case[]
  lists: readonly ListCase[]
}

/** Items of a plan by a text with everything about the case. */
export type Plan = ReadonlyMap<string, PlannedItem>

/** Requirements of the responses to cases of the table that other checks inspect. */
const MESSAGES = [
  'code-hosting/scopes/missing-scope-message',
  'code-hosting/scopes/message-names-required',
  'code-hosting/scopes/message-names-granted',
]
const SETTINGS = ['code-hosting/settings/record', 'code-hosting/settings/values']

const none = () => []

function accessItems(
  { settings }: CodeHostingTarget,
  cases: PlannedCases,
): [string, PlannedItem][] {
  return cases.access.flatMap((one) => {
    const access = expectedAccess(one, settings)
    if (access === undefined) return []
    const { requirement, messages, control = one, explanations = [] } = access
    const related = () =>
      [control, ...explanations].flatMap(
        (other) => expectedAccess(other, settings)?.requirement ?? [],
      )
    const isSettings = one.resource === 'settings'
    const read = [isPublicOnly(one), userOf(one), categoriesOf(one.resource)]
    return [
      { requirements: [requirement], parts: [access, read] },
      ...(messages
        ? [{ requirements: [`${requirement}-message`], parts: [messages, control] }]
        : []),
      ...(isLacking(one) ? [{ requirements: MESSAGES, parts: [control] }] : []),
      ...(isSettings ? [{ requirements: SETTINGS, parts: [] }] : []),
    ].map(({ requirements, parts }): [string, PlannedItem] => [
      JSON.stringify([one, requirements, parts]),
      { id: describeCase(one), requirements, related },
    ])
  })
}

function listItems(
  { settings }: CodeHostingTarget,
  cases: PlannedCases,
  requirements: readonly string[],
): [string, PlannedItem][] {
  const { maxResponseItems, defaultPagingNum } = settings
  return cases.lists.flatMap((one) => {
    if (expectedAccess(one, settings)?.rejected) return []
    const [limit, page] = [limits[one.limit], pages[one.page]]
    const numbers = [1, 2, 7, 60].flatMap((length) => [
      limit.value({ maxResponseItems, defaultPagingNum, length, seed: DEFAULT_SEED }),
      page.value(length, DEFAULT_SEED),
    ])
    const text = JSON.stringify([
      one,
      limit.kind,
      page.kind,
      isOpen(one),
      numbers.join(),
      userOf(one),
    ])
    const id = `${describeCase(one)}, limit ${one.limit}, page ${one.page}`
    return [[text, { id, requirements, related: none }]]
  })
}

/** Returns the cases for a target. */
export const casesOf = (target: CodeHostingTarget): PlannedCases => ({
  access: accessCases(target, DEFAULT_SEED),
  lists: listCases(DEFAULT_SEED),
})

/** Returns the plan for a target and its cases; `listRequirements` judge each list case. */
export function planOf(
  target: CodeHostingTarget,
  cases: PlannedCases,
  listRequirements: readonly string[],
): Plan {
  const judged = accessRequirements.map((id): [string, PlannedItem] => [
    id,
    { id: '', requirements: [id], related: none },
  ])
  return new Map([
    ...judged,
    ...accessItems(target, cases),
    ...listItems(target, cases, listRequirements),
  ])
}
