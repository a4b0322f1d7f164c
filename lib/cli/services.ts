import * as all from '../../suites/index.ts'
import type { Creations, Service } from '../../suites/service.ts'
import type { Catalogue } from '../conformance/catalogue.ts'
import { plannedCasesOf as plannedCasesOfSuite } from '../conformance/suite.ts'
import type { ServiceDoctor } from '../doctor/examine.ts'
import { createEnvironment } from '../environment/environment.ts'
import type { Target } from '../environment/probe-variables.ts'

export const services = { ...all }

export type ServiceKey = keyof typeof services

export const serviceKeys = Object.keys(services) as ServiceKey[]

export const catalogueOf = (key: ServiceKey): Catalogue => services[key].catalogue

export const cataloguesOf = (keys: readonly ServiceKey[]): Map<ServiceKey, Catalogue> =>
  new Map(keys.map((key) => [key, catalogueOf(key)]))

export const catalogues: readonly Catalogue[] = serviceKeys.map(catalogueOf)

/** Names of the services whose documents define the statuses of rejections. */
export const documentsStatuses = catalogues
  .filter((catalogue) => catalogue.documentsStatuses)
  .map(({ service }) => service)

export const { variables, loadTarget, secretSettings } = createEnvironment(
  serviceKeys.map((key) => services[key].variables),
)

export async function doctorsOf(
  keys: readonly ServiceKey[],
): Promise<Record<string, ServiceDoctor>> {
  const entries = keys.map(async (key) => [catalogueOf(key).service, await services[key].doctor()])
  return Object.fromEntries(await Promise.all(entries))
}

export const creationsOf: ReadonlyMap<string, Creations> = new Map(
  Object.values<Service>(services).flatMap(({ catalogue: { service }, creations }) =>
    creations ? [[service, creations]] : [],
  ),
)

export const servicesOf = (target: Target) => serviceKeys.filter((key) => target[key] !== undefined)

export const plannedCasesOf = (keys: readonly ServiceKey[], target: Target) =>
  keys.flatMap((key) => plannedCasesOfSuite(services[key].suite, target))
