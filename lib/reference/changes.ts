import {
  type Fault,
  type ServiceName,
  serviceKeys,
  serviceNames,
  type Variant,
} from './registry.ts'

/** The services in which a fault can be seen; the others would only be judged once more. */
export function servicesOfFault({ service }: Fault): readonly ServiceName[] {
  return [service]
}

/**
 * The services that a variant changes. Those after the first are small, and are judged together: then
 * something is judged where the operator tells nothing of one of them.
 */
export function servicesOfVariant(variant: Variant): readonly ServiceName[] {
  if (variant.basePath !== undefined || variant.intermediary !== undefined) return serviceNames
  const [first, ...others] = serviceKeys
  const changesFirst = first !== undefined && first[0] in variant
  const changesOthers = others.some(([key]) => key in variant)
  if (!changesOthers) return serviceNames.slice(0, 1)
  return changesFirst ? serviceNames : serviceNames.slice(1)
}

/**
 * The plain deployment of which the operator tells what the variant has told: without it, a change of
 * the server would hide behind it. `undefined` where what is told is all there is, or nothing.
 */
export function plainAsTold(variant: Variant): Variant | undefined {
  const told: Record<string, object> = {}
  let changed = variant.basePath !== undefined || variant.intermediary !== undefined
  for (const [key] of serviceKeys) {
    const { environment, ...changes } = variant[key] ?? {}
    if (environment !== undefined) told[key] = { environment }
    changed ||= Object.keys(changes).length > 0
  }
  const any = Object.keys(told).length > 0
  return any && changed ? { name: variant.name, ...told } : undefined
}

/** The plain deployment, of which the operator tells something else: what `tell` makes of it. */
export function toldOtherwise(
  name: string,
  tell: (environment: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
): Variant {
  return Object.assign({ name }, ...serviceKeys.map(([key]) => ({ [key]: { environment: tell } })))
}
