import type { Provisioner } from '../lib/conformance/provisioner.ts'
import type { Catalogue } from '../lib/conformance/requirement.ts'
import type { Sweeper } from '../lib/conformance/sweeper.ts'
import type { ServiceDoctor } from '../lib/doctor/examine.ts'
import type { Target } from '../lib/environment/target.ts'
import type { VariableGroup } from '../lib/environment/variable.ts'

/** What the command knows of a service. Its suites find themselves. */
export interface Service {
  catalogue: Catalogue
  variables: VariableGroup
  /** Looks at it before a run. Loaded where it is asked to. */
  doctor: () => Promise<ServiceDoctor>
  /** Takes away what killed runs have left, where they make anything. Loaded likewise. */
  sweeper?: () => Promise<Sweeper>
  /** By families of products: what prepares such servers. Loaded likewise. */
  provisioners?: Readonly<Record<string, () => Promise<Provisioner>>>
}

/** Keeps the types of the parts, such as the ids of the catalogue. */
export function defineService<const Definition extends Service>(service: Definition): Definition {
  return service
}

/** What a target, which has the service, has at its place. */
export function serviceIn<Key extends keyof Target>(target: Target, key: Key) {
  const place = target[key]
  if (place === undefined) throw new Error(`the target has no ${key}`)
  return place as NonNullable<Target[Key]>
}
