import * as all from '../../suites/index.ts'
import type { Service } from '../../suites/service.ts'
import type { Catalogue } from '../conformance/requirement.ts'
import type { Sweeper } from '../conformance/sweeper.ts'
import type { ServiceDoctor } from '../doctor/examine.ts'
import { createEnvironment } from '../environment/environment.ts'
import type { Target } from '../environment/target.ts'

/** By their place in a target. */
export const services = { ...all }

export type ServiceKey = keyof typeof services

export const serviceKeys = Object.keys(services) as ServiceKey[]

export const catalogueOf = (key: ServiceKey): Catalogue => services[key].catalogue

export const catalogues: readonly Catalogue[] = serviceKeys.map(catalogueOf)

/** Names of the services whose documents say which statuses refusals have. */
export const documentsStatuses = catalogues
  .filter((catalogue) => catalogue.documentsStatuses)
  .map(({ service }) => service)

/** The variables of all services, and what is read by them. */
export const { variables, loadTarget, secretsOf, secretSettings } = createEnvironment(
  serviceKeys.map((key) => services[key].variables),
)

/** By the name of the service. */
export async function doctorsOf(
  keys: readonly ServiceKey[],
): Promise<Record<string, ServiceDoctor>> {
  const entries = keys.map(async (key) => [catalogueOf(key).service, await services[key].doctor()])
  return Object.fromEntries(await Promise.all(entries))
}

/** Of the services on which runs make something that can be deleted, by the name of the service. */
export async function sweepers(): Promise<Map<string, Sweeper>> {
  const found = new Map<string, Sweeper>()
  for (const { catalogue, sweeper } of Object.values<Service>(services)) {
    if (sweeper !== undefined) found.set(catalogue.service, await sweeper())
  }
  return found
}

export const servicesOf = (target: Target) => serviceKeys.filter((key) => target[key] !== undefined)
