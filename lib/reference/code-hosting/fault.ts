import type { RuleChange } from './rules.ts'

/** A deviation from the document. */
export interface Fault {
  /** In kebab case: what the deployment does wrong. */
  readonly name: string
  /** Ids of the requirements that it breaks. */
  readonly requirements: readonly string[]
  readonly change: RuleChange
}
