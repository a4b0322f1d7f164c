import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { formats, type TextFormat } from './formats.ts'
import type { Distinction, ValueSchema, VariableGroup } from './variable.ts'
import { type EnvironmentValues, proxyVariables, variableGroups, variables } from './variables.ts'

// Coercion alone would take 0x10 and 1e3 for integers, and knows true and false in lower case only.
const writtenForms: Partial<Record<ValueSchema['type'], AnySchemaObject>> = {
  integer: { type: ['string', 'integer'], pattern: '^[0-9]+$' },
  boolean: { type: ['string', 'boolean'], toLowerCase: true },
}

const proxyUrl = { type: 'string', format: 'proxy-url' }

const proxySchemas = Object.fromEntries([
  ...[...proxyVariables.http, ...proxyVariables.https].map((name) => [name, proxyUrl]),
  ...proxyVariables.no.map((name) => [name, { type: 'string' }]),
])

/** JSON Schema of the values: texts by variable name, which validation turns into typed values. */
export const valuesSchema: AnySchemaObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
  properties: {
    ...Object.fromEntries(
      Object.entries(variables).map(([name, variable]) => [name, propertySchema(variable)]),
    ),
    ...proxySchemas,
  },
}

function propertySchema(variable: { schema: ValueSchema; default?: unknown }): AnySchemaObject {
  const written = writtenForms[variable.schema.type]
  return {
    ...(written === undefined ? variable.schema : { allOf: [written, variable.schema] }),
    ...('default' in variable ? { default: variable.default } : {}),
  }
}

/**
 * JSON Schema of which variables go together. It stands apart from the values, because a default
 * must not count as a variable that is set.
 */
export const relationsSchema: AnySchemaObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  dependentRequired: Object.assign({}, ...variableGroups.map(requiredByVariable)),
  dependentRequiredAny: Object.assign({}, ...variableGroups.map(({ needsOneOf }) => needsOneOf)),
  distinct: variableGroups.flatMap(({ distinct }) => distinct),
}

function requiredByVariable(group: VariableGroup): Record<string, string[]> {
  const always = group.baseUrl === undefined ? [] : [group.baseUrl]
  return Object.fromEntries(
    Object.keys(group.variables).map((name) => [name, [...always, ...(group.needs[name] ?? [])]]),
  )
}

// That the schemas are ones is a test's business.
const ajv = new Ajv2020({
  validateSchema: false,
  allErrors: true,
  allowUnionTypes: true,
  coerceTypes: true,
  useDefaults: true,
})

addFormats.default(ajv, ['json-pointer'])
for (const [name, { accepts }] of Object.entries<TextFormat>(formats)) {
  if (accepts !== undefined) ajv.addFormat(name, accepts)
}

ajv.addKeyword({
  keyword: 'toLowerCase',
  type: 'string',
  schemaType: 'boolean',
  modifying: true,
  errors: false,
  validate: (
    enabled: boolean,
    text: string,
    _parentSchema?: AnySchemaObject,
    place?: { parentData: Record<string, unknown>; parentDataProperty: string | number },
  ) => {
    if (enabled && place) place.parentData[place.parentDataProperty] = text.toLowerCase()
    return true
  },
})

type KeywordError = Pick<ErrorObject, 'keyword' | 'params'>

// Ajv reads the errors of a keyword from a property of its function.
function keyword<Value>(
  name: string,
  check: (value: Value, texts: Readonly<Record<string, string>>) => ErrorObject['params'][],
) {
  const validate: {
    (value: Value, texts: Readonly<Record<string, string>>): boolean
    errors?: KeywordError[]
  } = (value, texts) => {
    validate.errors = check(value, texts).map((params) => ({ keyword: name, params }))
    return validate.errors.length === 0
  }
  ajv.addKeyword({ keyword: name, type: 'object', errors: true, validate })
}

keyword<Readonly<Record<string, readonly string[]>>>('dependentRequiredAny', (needs, texts) =>
  Object.entries(needs)
    .filter(([name, others]) => name in texts && !others.some((other) => other in texts))
    .map(([name, others]) => ({ property: name, others })),
)

keyword<readonly Distinction[]>('distinct', (distinctions, texts) =>
  distinctions.filter(({ variable, from }) => {
    const text = texts[variable]
    return text !== undefined && text.toLowerCase() === texts[from]?.toLowerCase()
  }),
)

/** Accepts texts by variable name and replaces them, in place, by values and defaults. */
export const validateValues: ValidateFunction<EnvironmentValues> = ajv.compile(valuesSchema)

/** Accepts texts by variable name and leaves them as they are. */
export const validateRelations: ValidateFunction = ajv.compile(relationsSchema)
