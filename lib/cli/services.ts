import * as all from '../../suites/index.ts'
import type { Service } from '../../suites/service.ts'
import type { Catalogue } from '../conformance/requirement.ts'
import type { Sweeper } from '../conformance/sweeper.ts'
import type { ServiceDoctor } from '../doctor/examine.ts'
import { createEnvironment } from '../environment/environment.ts'
import type { Target } from '../environment/target.ts'

export const services = { ...all }

export type ServiceKey = keyof typeof services

export const serviceKeys = Object.keys(services) as ServiceKey[]

export const catalogueOf = (key: ServiceKey): Catalogue => services[key].catalogue

export const catalogues: readonly Catalogue[] = serviceKeys.map(catalogueOf)

/** Names of the services whose documents define the statuses of rejections. */
export const documentsStatuses = catalogues
  .filter((catalogue) => catalogue.documentsStatuses)
  .map(({ service }) => service)

/** Variables of all services, and functions that read them. */
export const { variables, loadTarget, secretsOf, secretSettings } = createEnvironment(
  serviceKeys.map((key) => services[key].variables),
)

export async function doctorsOf(
  keys: readonly ServiceKey[],
): Promise<Record<string, ServiceDoctor>> {
  const entries = keys.map(async (key) => [catalogueOf(key).service, await services[key].doctor()])
  return Object.fromEntries(await Promise.all(entries))
}

/** Returns the sweepers of the services whose created resources can be deleted, by service name. */
export async function sweepers(): Promise<Map<string, Sweeper>> {
  const found = new Map<string, Sweeper>()
  for (const { catalogue, sweeper } of Object.values<Service>(services)) {
    if (sweeper !== undefined) found.set(catalogue.service, await sweeper())
  }
  return found
}

export const servicesOf = (target: Target) => serviceKeys.filter((key) => target[key] !== undefined)
