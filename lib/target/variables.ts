import { codeHostingGroup, codeHostingVariables } from './code-hosting-variables.ts'
import { eventPublishingGroup, eventPublishingVariables } from './event-publishing-variables.ts'
import { incidentStatusGroup, incidentStatusVariables } from './incident-status-variables.ts'
import { probeGroup, probeVariables } from './probe-variables.ts'
import type { ValuesOf, Variable, VariableGroup } from './variable.ts'

/** All groups of variables, in the order in which they are shown to people. */
export const variableGroups: readonly VariableGroup[] = [
  codeHostingGroup,
  eventPublishingGroup,
  incidentStatusGroup,
  probeGroup,
]

/** Every name that starts with one of these is Plumbline's, whether it is known or not. */
export const variablePrefixes: readonly string[] = variableGroups.map(({ prefix }) => prefix)

/** All variables by name: the table from which documentation, schema and loader are made. */
export const variables = {
  ...codeHostingVariables,
  ...eventPublishingVariables,
  ...incidentStatusVariables,
  ...probeVariables,
} as const satisfies Record<string, Variable>

export type VariableName = keyof typeof variables

/** The value of every variable by its name, with the defaults of those that are not set. */
export type EnvironmentValues = ValuesOf<typeof variables>

/** Whether the table has a variable of that name. */
export function isVariableName(name: string): name is VariableName {
  return Object.hasOwn(variables, name)
}

/**
 * The variables that name a proxy on most systems, in the order in which they are asked; the lower
 * case name wins, as it does for curl.
 */
export const proxyVariables = {
  http: ['http_proxy', 'HTTP_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY'],
  no: ['no_proxy', 'NO_PROXY'],
} as const
