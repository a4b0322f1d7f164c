import type { RunReport } from './run-report.ts'

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
