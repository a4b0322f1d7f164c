import type { Target } from '../environment/target.ts'
import type { UnmetNeed } from '../results/reason.ts'
import type { Observable, Requirement } from '../results/requirement.ts'
import { Skip } from './check-errors.ts'

/** Service name in kebab case, as in requirement ids. */
export type ServiceName = string

export const needsOf = ({ needs = [], controlNeeds = [] }: Requirement) =>
  needs.concat(controlNeeds)

/** Requirement as written in a catalogue, without the defaults of its section. */
type RequirementEntry<NeedName extends string> = Partial<Omit<Requirement<NeedName>, 'id'>> &
  Pick<Requirement, 'statement'>

/** Returns a function that creates requirements; by default contracts with a probe, in the version of their section or the first. */
export function defineRequirements<NeedName extends string>() {
  return <Id extends string>(
    {
      section,
      since = '0.1.0',
      ...defaults
    }: Pick<RequirementEntry<NeedName>, 'since' | 'needs' | 'tolerances' | 'because'> & {
      section: string
    },
    entries: Readonly<Record<Id, RequirementEntry<NeedName> | string>>,
  ): (Requirement<NeedName> & { id: Id })[] =>
    (Object.entries(entries) as [Id, RequirementEntry<NeedName> | string][]).map(([id, entry]) => {
      const { statement, ...parts }: RequirementEntry<NeedName> =
        typeof entry === 'string' ? { statement: entry } : entry
      return {
        id,
        statement,
        section,
        level: 'contract',
        since,
        ...(parts.reason === undefined
          ? { checkedBy: ['probe'], ...defaults }
          : { checkedBy: ['untestable'] }),
        ...parts,
      }
    })
}

/** Requirements of one service, in the order of its document. */
export interface Catalogue<Id extends string = string, ObservationId extends string = string> {
  service: ServiceName
  document: string
  requirements: readonly (Requirement & { id: Id })[]
  needs: Needs
  observations?: Readonly<Record<ObservationId, Observable<Id>>>
  /** True if the document states the statuses of rejections; a gateway status is inconclusive then. */
  documentsStatuses?: true
}

/** Returns the observations of a service, which a table lists with their descriptions by requirement. */
export function defineObservations<Service extends string, Of extends string, Name extends string>(
  service: Service,
  table: Readonly<Record<Of, Partial<Readonly<Record<Name, string>>>>>,
) {
  type Ids = `${Service}/${Of}`
  const toId = <Text extends string>(name: Text) => `${service}/${name}` as const
  const observations: Partial<Record<`${Service}/${Name}`, Observable<Ids>>> = {}
  for (const [of, named] of Object.entries(table) as [Of, Record<Name, string>][]) {
    for (const [name, description] of Object.entries(named) as [Name, string][]) {
      const others = observations[toId(name)]?.of ?? []
      observations[toId(name)] = { of: [...others, toId(of)], description }
    }
  }
  return observations as Required<typeof observations>
}

export const wordsOf = (ids: readonly string[]) => new Set(ids.flatMap((id) => id.split('/')))

/** Variable, setting of the server, or data that a check needs. */
export interface Need<Facts extends object = object> {
  /** Variables that meet it, or that state that it is not met; empty for data. */
  variables: readonly string[]
  /** Sentence with the action of the operator; undefined for a property of the server. */
  advice?: string
  /** Reason for a skip; undefined if the variables are not set. */
  reason?: string
  /** Words that follow a number of cases that need it, such as `with one-time codes`. */
  cases?: string
  /** @param facts observed by the doctor; undefined during a run */
  isMet(target: Target, facts?: Facts): boolean
}

export type Needs = Readonly<Record<string, Need>>

export function unmetNeeds(
  needs: Needs,
  names: readonly string[],
  target: Target,
  facts?: object,
): (UnmetNeed & Need)[] {
  return names.flatMap((name) => {
    const need = needs[name]
    if (need === undefined) throw new Error(`there is no need named ${name}`)
    return need.isMet(target, facts) ? [] : [{ name, ...need }]
  })
}

function skipWith(unmet: readonly UnmetNeed[]): never {
  const needs = unmet.map(({ name, variables, advice, reason, cases }) => {
    const texts = { ...(advice && { advice }), ...(reason && { reason }), ...(cases && { cases }) }
    return { name, variables, ...texts }
  })
  throw new Skip({ kind: 'needs', needs })
}

export function requireNeeds(needs: Needs, names: readonly string[], target: Target): void {
  const unmet = unmetNeeds(needs, names, target)
  if (unmet.length > 0) skipWith(unmet)
}

/** Skips the check because a fixture lacks this need. */
export function skipFor(needs: Needs, name: string): never {
  return skipWith([{ name, variables: [], ...needs[name] }])
}

/** Need of all requests other than GET, so that reports group what waits for it. */
export const writing: Need = {
  variables: ['PROBE_READ_ONLY'],
  advice: 'Unset PROBE_READ_ONLY to allow requests other than GET.',
  reason: 'needs a request other than GET, but PROBE_READ_ONLY is true',
  isMet: ({ probe }) => !probe.readOnly,
}
