import type { Needs } from './need.ts'

/** As ids have it, in kebab case. */
export type ServiceName = string

/** `wording` is for exact texts, which the documents allow to change between releases. */
export type Level = 'contract' | 'wording'

/**
 * How a requirement is judged. `probe`: requests made for it. `invariant`: every exchange with a
 * documented endpoint of the service. `supplied`: a request that the operator supplies.
 * `untestable`: nothing documented can show it.
 */
export type Judged = 'probe' | 'invariant' | 'supplied' | 'untestable'

/** One statement of a document. The id is part of the interface: it is never renamed or reused. */
export interface Requirement<NeedName extends string = string> {
  /** `service/section/name` */
  id: string
  /** The statement in Plumbline's words. */
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
export function needsOf({ needs = [], controlNeeds = [] }: Requirement): string[] {
  return [...needs, ...controlNeeds]
}

/** A requirement as a catalogue has it: a contract that is judged by requests unless it says otherwise. */
export type Row<NeedName extends string = string> = Omit<
  Requirement<NeedName>,
  'level' | 'judged'
> &
  Partial<Pick<Requirement, 'level' | 'judged'>>

/** The rows with what they leave out. */
export function completed<Id extends string>(
  rows: readonly (Row & { id: Id })[],
): (Requirement & { id: Id })[] {
  return rows.map(({ id, statement, section, ...rest }) => ({
    id,
    statement,
    section,
    level: 'contract',
    judged: ['probe'],
    ...rest,
  }))
}

/** Something that the document leaves open and that is recorded, never judged. */
export interface ObservationEntry {
  /** `service/section/name` */
  id: string
  /** What is recorded, in Plumbline's words. */
  description: string
  /** It is recorded when one of these requirements is judged. */
  with: readonly string[]
}

/** The requirements and observations of one service, in the order of its document. */
export interface Catalogue<Id extends string = string, ObservationId extends string = string> {
  service: ServiceName
  /** Title of the document. */
  document: string
  requirements: readonly (Requirement & { id: Id })[]
  /** By name, what its requirements need. */
  needs: Needs
  observations?: readonly (ObservationEntry & { id: ObservationId })[]
  /** The kinds of what checks create on the target, and take away again where they can. */
  creations?: readonly string[]
  /**
   * The document says which statuses refusals have: then one that a gateway may have sent is no answer
   * of the service.
   */
  documentsStatuses?: true
}

/** The names of services, sections and requirements in ids. */
export function wordsIn(ids: readonly string[]): Set<string> {
  return new Set(ids.flatMap((id) => id.split('/')))
}
