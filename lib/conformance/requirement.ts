import type { Target } from '../environment/target.ts'
import type { UnmetNeed } from '../results/reason.ts'
import type { Level } from '../results/run-report.ts'
import { Skip } from './check-errors.ts'

/** As ids have it, in kebab case. */
export type ServiceName = string

/**
 * `probe`: by requests made for it. `invariant`: by every exchange with a documented endpoint of the
 * service. `supplied`: by a request of the operator. `untestable`: nothing documented can show it.
 */
export type Judged = 'probe' | 'invariant' | 'supplied' | 'untestable'

/** One statement of a document. The id is part of the interface: it is never renamed or reused. */
export interface Requirement<NeedName extends string = string> {
  /** `service/section/name` */
  id: string
  statement: string
  /** Heading of the document where it stands. */
  section: string
  level: Level
  judged: readonly Judged[]
  /** What has to be there for it to be judged, by name: needs of the service. */
  needs?: readonly NeedName[]
  /** What its control needs besides: without it a failure shows, and nothing can pass. */
  controlNeeds?: readonly NeedName[]
  /** What a conforming server may do differently: a sentence each, by a name in kebab case. */
  tolerances?: Readonly<Record<string, string>>
  /** For `untestable`: why. */
  reason?: string
}

/** All that has to be there for a requirement to pass. */
export const needsOf = ({ needs = [], controlNeeds = [] }: Requirement) =>
  needs.concat(controlNeeds)

/** A requirement as its catalogue has it: it leaves out what most of its section have. */
type Row<NeedName extends string> = Partial<Omit<Requirement<NeedName>, 'id'>> &
  Pick<Requirement, 'statement'>

/** Makes the rows of a section, contracts that are judged by requests unless they say otherwise. */
export function defineRequirements<NeedName extends string>() {
  return <Id extends string>(
    { section, ...usual }: Pick<Row<NeedName>, 'needs' | 'tolerances'> & { section: string },
    rows: Readonly<Record<Id, Row<NeedName> | string>>,
  ): (Requirement<NeedName> & { id: Id })[] =>
    (Object.entries(rows) as [Id, Row<NeedName> | string][]).map(([id, given]) => {
      const { statement, ...row }: Row<NeedName> =
        typeof given === 'string' ? { statement: given } : given
      return {
        id,
        statement,
        section,
        level: 'contract',
        ...(row.reason === undefined
          ? { judged: ['probe'], ...usual }
          : { judged: ['untestable'] }),
        ...row,
      }
    })
}

/** Of one service, in the order of its document. */
export interface Catalogue<Id extends string = string, ObservationId extends string = string> {
  service: ServiceName
  document: string
  requirements: readonly (Requirement & { id: Id })[]
  needs: Needs
  /** What the document leaves open: recorded when one of these requirements is judged, never judged. */
  observations?: Readonly<Record<ObservationId, readonly Id[]>>
  /** What each of those records, a sentence. */
  descriptions?: Readonly<Record<ObservationId, string>>
  /** The kinds of what checks create on the target, and take away again where they can. */
  creations?: readonly string[]
  /** Refusals have the statuses of the document: one that a gateway may have sent is no answer then. */
  documentsStatuses?: true
}

/** The names of services, sections and requirements in ids. */
export const wordsIn = (ids: readonly string[]) => new Set(ids.flatMap((id) => id.split('/')))

/** Something that a requirement needs to be judged: a variable, a setting of the server, or data. */
export interface Need<Facts extends object = object> {
  /** Those that meet it, or that say that it is not met; none for data. */
  variables: readonly string[]
  /** What to do about it, a sentence. Absent for what a server is or is not. */
  advice?: string
  /** Why nothing is judged without it. Where it is absent, the variables are not set. */
  reason?: string
  /** @param facts what is seen of the deployment before a run; absent in a run, which sees for itself */
  isMet(target: Target, facts?: Facts): boolean
}

/** By name, as the catalogue of the service has it. */
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
  const needs = unmet.map(({ name, variables, advice, reason }) => {
    return { name, variables, ...(advice && { advice }), ...(reason && { reason }) }
  })
  throw new Skip({ kind: 'needs', needs })
}

/** @throws Skip when one of the needs is not met */
export function requireNeeds(needs: Needs, names: readonly string[], target: Target): void {
  const unmet = unmetNeeds(needs, names, target)
  if (unmet.length > 0) skipWith(unmet)
}

/** For what checks share, where it is asked for what is not there. */
export function skipFor(needs: Needs, name: string): never {
  return skipWith([{ name, variables: [], ...needs[name] }])
}

/** One reason for all of them, so that what waits for it stands together. */
export const writing: Need = {
  variables: ['PROBE_READ_ONLY'],
  advice: 'Unset PROBE_READ_ONLY: then a run sends more than GET requests.',
  reason: 'needs a request other than GET, and PROBE_READ_ONLY is true',
  isMet: ({ probe }) => !probe.readOnly,
}
