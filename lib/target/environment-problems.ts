import type { ErrorObject } from 'ajv/dist/2020.js'
import { formats } from './formats.ts'
import { nearestOf } from './nearest.ts'
import { joinNames, type Problem } from './problems.ts'
import type { ValueSchema } from './variable.ts'
import { isVariableName, variableGroups, variables } from './variables.ts'

/** What a value must be, by its schema, as it follows "must be". */
function describe(schema: ValueSchema): string {
  if (schema.type === 'boolean') return 'true or false'
  if (schema.type === 'integer') {
    return `a whole number from ${schema.minimum} to ${schema.maximum}, in digits alone`
  }
  return 'enum' in schema ? joinNames(schema.enum, 'or') : 'a text'
}

/** Why values were not accepted, one problem for each thing to do. */
export function problemsOfValues(errors: readonly ErrorObject[]): Problem[] {
  const problems = errors.map((error): Problem => {
    if (error.keyword === 'additionalProperties') {
      const variable: string = error.params.additionalProperty
      return { variable, message: describeUnknown(variable) }
    }
    const variable = error.instancePath.slice(1)
    return { variable, message: describeInvalid(variable, error) }
  })
  // A text that is no number at all breaks two rules and is still told once.
  return problems.filter(
    ({ variable, message }, index) =>
      index ===
      problems.findIndex((other) => other.variable === variable && other.message === message),
  )
}

function describeInvalid(variable: string, error: ErrorObject): string {
  const row = isVariableName(variable) ? variables[variable] : undefined
  const example = row !== undefined && 'example' in row ? `; for example ${row.example}` : ''
  if (error.keyword === 'format') {
    const format: keyof typeof formats = error.params.format
    return formats[format].instruction + example
  }
  if (row === undefined) return 'is not valid: correct or unset it'
  const fallback = 'default' in row ? `; unset, it is ${row.default}` : ''
  return `must be ${describe(row.schema)}${fallback}`
}

function describeUnknown(variable: string): string {
  const group = variableGroups.find(({ prefix }) => variable.startsWith(prefix))
  const { prefix = '', variables: known = {} } = group ?? {}
  const names = Object.keys(known).map((name) => name.slice(prefix.length))
  const nearest = nearestOf(variable.slice(prefix.length), names)
  return nearest === undefined
    ? 'is not known: check the spelling or unset it'
    : `is not known: did you mean ${prefix}${nearest}?`
}

/** Which variables are missing or contradict each other, one problem for each of them. */
export function problemsOfRelations(errors: readonly ErrorObject[]): Problem[] {
  const dependents = new Map<string, string[]>()
  const others: Problem[] = []
  for (const { keyword, params } of errors) {
    if (keyword === 'dependentRequired') {
      const names = dependents.get(params.missingProperty) ?? []
      dependents.set(params.missingProperty, [...names, params.property])
    } else if (keyword === 'dependentRequiredAny') {
      others.push({
        variable: params.property,
        message: `is set without ${joinNames(params.others, 'or')}: set one of them, or unset it`,
      })
    } else {
      others.push({
        variable: params.variable,
        message: `must name another ${params.what} than ${params.from}: change or unset one of them`,
      })
    }
  }
  const missing = [...dependents].map(([variable, names]): Problem => {
    const rest = names.length === 1 ? 'is: set both or neither' : 'are: set it too, or unset them'
    return { variable, message: `is not set, but ${joinNames(names)} ${rest}` }
  })
  return [...missing, ...others]
}
