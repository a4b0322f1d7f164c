import { connectionFor } from '../environment/connections.ts'
import type { Target } from '../environment/probe-variables.ts'
import type { RunReport } from './run-report.ts'

/** Returns the addresses of the services, as in reports. */
export function describeTarget({ probe, ...services }: Target, isEmbedded: boolean) {
  return Object.fromEntries(
    Object.entries<{ baseUrl: string }>(services).map(([key, { baseUrl }]) => {
      const connectedTo = connectionFor(probe.connectTo, new URL(baseUrl))
      const marker = isEmbedded && { embedded: true }
      return [key, { baseUrl, ...marker, ...(connectedTo !== undefined && { connectedTo }) }]
    }),
  )
}

/** Returns the base URL of a service, and the address of its connections if that is another one. */
export function placeOf({ baseUrl, connectedTo }: RunReport['target'][string]): string {
  return connectedTo === undefined ? baseUrl : `${baseUrl} (connected to ${connectedTo})`
}

/** Returns the address of a service. All reference servers share one, whatever their port. */
export function addressOf(service: RunReport['target'][string]): string {
  return service.embedded === true ? 'embedded' : placeOf(service)
}

/** Returns true if two runs have common services, each with the same address. */
export function isSameTarget(one: RunReport['target'], other: RunReport['target']): boolean {
  const addresses = new Map(Object.entries(other))
  const common = Object.entries(one).flatMap(([service, address]) => {
    const otherAddress = addresses.get(service)
    return otherAddress === undefined ? [] : [addressOf(address) === addressOf(otherAddress)]
  })
  return common.length > 0 && !common.includes(false)
}
