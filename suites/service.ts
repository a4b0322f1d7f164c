import type { Catalogue } from '../lib/conformance/catalogue.ts'
import type { Provisioner } from '../lib/conformance/provisioner.ts'
import type { AnySuite } from '../lib/conformance/suite.ts'
import type { ServiceDoctor } from '../lib/doctor/examine.ts'
import type { Target } from '../lib/environment/probe-variables.ts'
import type { VariableGroup } from '../lib/environment/variable.ts'
import type { Sweeper } from '../lib/ledger/sweep-ledger.ts'

export interface Creations {
  /** Kinds of resources, such as `access token`. */
  kinds: readonly string[]
  sweeper: () => Promise<Sweeper>
}

/** A service: what judges it, and what commands use. */
export interface Service {
  /** Words for what it does, in the README. */
  about: string
  suite: AnySuite
  catalogue: Catalogue
  variables: VariableGroup
  /** Path of a GET request without credentials, whose response shows that the service is up. */
  firstPath: string
  /** Loads the checks of `plumbline doctor`. */
  doctor: () => Promise<ServiceDoctor>
  /** Resources that checks create on the target, with the function that deletes leaked resources. */
  creations?: Creations
  /** Loaders of the code that prepares servers, by product family. */
  provisioners?: Readonly<Record<string, () => Promise<Provisioner>>>
}

/** Preserves the literal types of a definition, such as the key of its target. */
export function defineService<const Definition extends Omit<Service, 'catalogue'>>(
  definition: Definition,
) {
  const suite: AnySuite = definition.suite
  return { ...definition, suite, catalogue: suite.catalogue }
}

/** Returns the settings of a service. @throws Error if the target does not have it */
export function serviceIn<Key extends keyof Target>(target: Target, key: Key) {
  const settings = target[key]
  if (settings === undefined) throw new Error(`the target has no ${key}`)
  return settings as NonNullable<Target[Key]>
}
