import type { VariableGroup } from './variable.ts'
import {
  type EnvironmentValues,
  type VariableName,
  variableGroups,
  variables,
} from './variables.ts'

/**
 * What a run went by: values by variable name, defaults among them. Of a secret it holds `$` and
 * the name of its variable, to tell that it is set. Addresses are not in it: a target has them.
 */
export type Settings = Record<string, string | number | boolean>

/** Formats of what is sent in bodies, whole or as a part of one. */
const formatsInBodies: ReadonlySet<string> = new Set([
  'event-type',
  'json',
  'json-object',
  'supplied-request',
])

function isInBody(name: VariableName): boolean {
  const { schema } = variables[name]
  return 'format' in schema && formatsInBodies.has(schema.format)
}

function isProbed({ baseUrl }: VariableGroup, values: EnvironmentValues): boolean {
  return baseUrl === undefined || values[baseUrl as VariableName] !== undefined
}

/** The settings in valid values, of what is configured alone, in the order of the table. */
export function settingsOf(values: EnvironmentValues): Settings {
  const names = variableGroups
    .filter((group) => isProbed(group, values))
    .flatMap(({ variables: own, baseUrl }) => Object.keys(own).filter((name) => name !== baseUrl))
  return Object.fromEntries(
    (names as VariableName[]).flatMap((name) => {
      const value = values[name]
      if (value === undefined) return []
      const isKept =
        !variables[name].secret && !(isInBody(name) && values.PROBE_EVIDENCE === 'headers')
      return [[name, isKept ? value : `$${name}`]]
    }),
  )
}
