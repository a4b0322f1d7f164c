/** Variables for a run, by name. */
export type Environment = Record<string, string>

/** How a conforming service differs from the plain one. */
export interface ServiceVariation<Rules, Deployment> {
  readonly change?: (rules: Rules) => Rules
  /** What the operator tells of the service, made of all that there is to tell. */
  readonly environment?: (environment: Environment, deployment: Deployment) => Environment
}

export interface VariantTraits {
  /** In kebab case: what is different. */
  readonly name: string
  /**
   * `inconclusive` where no verdict on every row is to be had: the operator tells too little, the
   * data never settle, or a gateway keeps answers back.
   */
  readonly verdict?: 'conformant' | 'inconclusive'
  readonly basePath?: string
  /** What of the catalogue's tolerances it makes use of: ids of requirements, a slash, and names. */
  readonly tolerances?: readonly string[]
  /** Ids of the requirements with those tolerances that have no verdict there. */
  readonly unjudged?: readonly string[]
  /** What becomes there of further requirements, by id: whether there is something to judge. */
  readonly becoming?: Readonly<Record<string, 'pass' | 'skipped' | 'inconclusive'>>
}
