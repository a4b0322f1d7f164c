/** A suite: everything that judges a service, and its table. */
import type { Target } from '../environment/probe-variables.ts'
import { getOrCreate } from '../text/group-by.ts'
import type { Catalogue } from './catalogue.ts'
import type { CaseSender } from './judge.ts'
import type { Run } from './probe-run.ts'
import {
  createTable,
  type SuiteObservation,
  type SuiteRequirement,
  type Table,
  valueFor,
} from './requirements.ts'

export interface Suite<Case extends { after?: Case | undefined }, Settings, Context> {
  catalogue: Catalogue
  /** By name: section and short name. */
  requirements: Readonly<Record<string, SuiteRequirement<Case, Settings, Context>>>
  observations: Readonly<Record<string, SuiteObservation<Context>>>
  /** Settings of a probed service; undefined if the target does not have it. */
  settingsOf(target: Target): Settings | undefined
  /** Requests that are sent again, each right after the one before it. */
  sequences?(settings: Settings): readonly (readonly Case[])[]
  /** Returns the id of a case, made of the names of its levels. */
  idOf(one: Case): string
  describe(one: Case): string
  /** Loads what a run needs in addition to the requirements, so that other commands start fast. */
  load(): SuiteRuntime<Case, Context> | Promise<SuiteRuntime<Case, Context>>
}

interface SuiteRuntime<Case, Context> {
  createContext(run: Run): Context & { sender: CaseSender<Case> }
  /** Runs before all checks; an error applies to every requirement. */
  preflight(context: Context): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: each service has its own cases, settings and context
export type AnySuite = Suite<any, any, any>

const tables = new WeakMap<object, Map<string, unknown>>()

/** Returns the table of a service, which is made once for each set of settings. */
export function tableOf<Case extends { after?: Case | undefined }, Settings, Context>(
  suite: Suite<Case, Settings, Context>,
  settings: Settings,
): Table<Case> {
  const known = getOrCreate(tables, suite, () => new Map()) as Map<string, Table<Case>>
  const { requirements, idOf, sequences } = suite
  return getOrCreate(known, JSON.stringify(settings), () =>
    createTable(requirements, settings, idOf, sequences?.(settings)),
  )
}

/** A case of a run for people. */
export interface PlannedCase {
  case: string
  text: string
  /** The sentence of the document for which it is sent. */
  statement?: string | undefined
  /** Ids of the requirements that judge the response. */
  requirements: readonly string[]
  /** The expected rejection; absent if the requirements say what is expected. */
  expected?: string
  /** The request that must succeed for a rejection to count. */
  control?: string
}

const planned = new WeakMap<object, PlannedCase[]>()

/** Returns the table of a run. Sends nothing. */
export function plannedCasesOf<Case extends { after?: Case | undefined }, Settings, Context>(
  suite: Suite<Case, Settings, Context>,
  target: Target,
): PlannedCase[] {
  const settings = suite.settingsOf(target)
  if (settings === undefined) return []
  const table = tableOf(suite, settings)
  return getOrCreate(planned, table, () => planCases(suite, table))
}

function planCases<Case extends { after?: Case | undefined }, Settings, Context>(
  suite: Suite<Case, Settings, Context>,
  { rows, casesOf }: Table<Case>,
): PlannedCase[] {
  const { catalogue, requirements, describe, idOf } = suite
  const statements = new Map<string, string>()
  for (const { cases = [], statement } of Object.values(requirements).toReversed())
    for (const one of cases) statements.set(idOf(one), statement)
  const judges = new Map([...rows.keys()].map((id) => [id, [] as string[]]))
  for (const name of Object.keys(requirements))
    for (const one of casesOf(name)) judges.get(idOf(one))?.push(name)
  return [...rows].map(([id, one]) => {
    const names = judges.get(id) ?? []
    const all = names.flatMap((name) => requirements[name] ?? [])
    const statuses = all.flatMap(({ rejects }): (number | 'any')[] =>
      [valueFor(rejects, one) ?? []].flat(),
    )
    const controls = all.flatMap(({ given }) => valueFor(given, one) ?? [])
    const others = controls.map((parts) => ({ ...one, ...parts, after: undefined }))
    const control = others.find((other) => idOf(other) !== id)
    return {
      case: id,
      text: describe(one),
      statement: statements.get(idOf({ ...one, after: undefined })) ?? statements.get(id),
      requirements: names.map((name) => `${catalogue.service}/${name}`),
      ...(statuses.length > 0 && { expected: rejectionText(statuses) }),
      ...(control && { control: describe(control) }),
    }
  })
}

function rejectionText(statuses: readonly (number | 'any')[]): string {
  const numbers = [...new Set(statuses)].filter((status) => status !== 'any')
  return numbers.length > 0 ? `status ${numbers.join(' or ')}` : 'a rejection'
}
