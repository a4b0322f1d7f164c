import type { Deployment } from './deployment.ts'
import type { Population } from './population.ts'
import type { RuleChange } from './rules.ts'
import type { Settings } from './settings.ts'

export type Environment = Record<string, string>

/** A deployment that conforms and yet differs from the plain one. */
export interface Variant {
  /** In kebab case: what is different. */
  readonly name: string
  readonly change?: RuleChange
  readonly settings?: Partial<Settings>
  readonly population?: Partial<Population>
  readonly basePath?: string
  /** What the operator tells of the deployment, made of all that there is to tell. */
  readonly environment?: (environment: Environment, deployment: Deployment) => Environment
}
