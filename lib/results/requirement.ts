import type { Impact, Level } from './run-report.ts'

/**
 * Evidence for a requirement. `probe`: requests of its check. `invariant`: every exchange with a documented
 * endpoint. `supplied`: a request of the operator. `untestable`: none, according to the document.
 */
type CheckedBy = 'probe' | 'invariant' | 'supplied' | 'untestable'

/** Versions of Plumbline that added requirements, oldest first; the last is the current one. */
export const versions = ['0.1.0', '0.2.0', '0.3.0'] as const

export type Version = (typeof versions)[number]

export const isLater = ({ since }: Pick<Requirement, 'since'>, version: Version): boolean =>
  versions.indexOf(since) > versions.indexOf(version)

/** Requirements whose failures do not fail a run. */
export interface Leniency {
  /** Requirements with the level `wording` are `advisory`. */
  wording: 'strict' | 'advisory'
  asOf?: Version | undefined
}

export const isAdvisory = (
  requirement: Pick<Requirement, 'since' | 'level'>,
  { wording, asOf }: Leniency,
): boolean =>
  (wording === 'advisory' && requirement.level === 'wording') ||
  (asOf !== undefined && isLater(requirement, asOf))

/** Requirement of a document. Its id is never renamed or reused. */
export interface Requirement {
  /** `service/section/name` */
  id: string
  statement: string
  /** Heading in the document. */
  section: string
  /** Place in the document that decides what can be disputed; `{endpoint}` is the endpoint of a request. */
  because?: string | undefined
  level: Level
  /** Meaning of a failure for an operator. */
  impact: Impact
  since: Version
  checkedBy: readonly CheckedBy[]
  needs?: readonly string[] | undefined
  /** Additional needs of its control, without which it can fail but not pass. */
  controlNeeds?: readonly string[] | undefined
  /** Sentences about permitted differences, by name in kebab case. */
  tolerances?: Readonly<Record<string, string>> | undefined
  reason?: string | undefined
}

export const isTestable = ({ checkedBy }: Requirement): boolean => !checkedBy.includes('untestable')

/** Behavior that the document leaves open; recorded if any of the requirements is checked. */
export interface Observable<Id extends string = string> {
  of: readonly Id[]
  description: string
}
