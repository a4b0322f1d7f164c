import * as all from '../../suites/index.ts'
import type { Creations, Service } from '../../suites/service.ts'
import type { Catalogue } from '../conformance/catalogue.ts'
import { plannedCasesOf as plannedCasesOfSuite } from '../conformance/suite.ts'
import type { ServiceDoctor } from '../doctor/examine.ts'
import { createEnvironment } from '../environment/environment.ts'
import type { Target } from '../environment/probe-variables.ts'
import type { Secret } from '../environment/variable.ts'

export const services = { ...all }

export type ServiceKey = keyof typeof services

export const serviceKeys = Object.keys(services) as ServiceKey[]

export const catalogueOf = (key: ServiceKey): Catalogue => services[key].catalogue

export const catalogues: readonly Catalogue[] = serviceKeys.map(catalogueOf)

export const { variables, loadTarget } = createEnvironment(
  serviceKeys.map((key) => services[key].variables),
)

/** Returns the secret variables that are set, even if the configuration is invalid. */
export const secretSettings = (environment: NodeJS.ProcessEnv): Secret[] =>
  variables.flatMap(({ name, secret, format: { secretsIn, read } }) => {
    const value = environment[name]
    if (!secret || !value) return []
    return [{ name, value }, ...(secretsIn?.(read(value)) ?? [])]
  })

export const creationsOf: ReadonlyMap<string, Creations> = new Map(
  Object.values<Service>(services).flatMap(({ catalogue: { service }, creations }) =>
    creations ? [[service, creations]] : [],
  ),
)

/** Returns the services of a target in the order of its reports. */
export const servicesOf = (target: Target) =>
  (Object.keys(target) as (keyof Target)[]).filter((key) => key !== 'probe')

export const cataloguesOf = (target: Target) => servicesOf(target).map(catalogueOf)

export const plannedCasesOf = (target: Target) =>
  servicesOf(target).flatMap((key) => plannedCasesOfSuite(services[key].suite, target))

export async function doctorsOf(target: Target): Promise<Record<string, ServiceDoctor>> {
  const entries = servicesOf(target).map(async (key) => {
    return [catalogueOf(key).service, await services[key].doctor()]
  })
  return Object.fromEntries(await Promise.all(entries))
}
