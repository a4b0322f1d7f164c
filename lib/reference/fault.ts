import type { ReferenceRules } from './reference-rules.ts'

/** A deviation from the document of one service. */
export interface ServiceFault<Rules> {
  /** In kebab case: what the deployment does wrong. */
  readonly name: string
  /** Ids of the requirements that it breaks. */
  readonly requirements: readonly string[]
  /** Name of the variant that has the fault, where the plain deployment cannot show it. */
  readonly variant?: string
  readonly change: (rules: Rules) => Rules
}

/** A deviation from the documents. */
export type Fault = ServiceFault<ReferenceRules>
