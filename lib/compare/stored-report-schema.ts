import reportSchema from '../reports/report.schema.json' with { type: 'json' }

const boundsOfThisVersion = new Set(['$id', '$schema', 'pattern', 'propertyNames', 'minLength'])

/** Keywords whose value is an object of schemas, whose own keys are names and no keywords. */
const mapsOfSchemas = new Set(['properties', '$defs'])

function tolerant(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(tolerant)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (boundsOfThisVersion.has(keyword)) return []
    if (keyword === 'additionalProperties' && value === false) return []
    if (keyword === 'enum') return [['type', 'string']]
    if (!mapsOfSchemas.has(keyword)) return [[keyword, tolerant(value)]]
    const members = Object.entries(value as Record<string, unknown>)
    return [[keyword, Object.fromEntries(members.map(([name, part]) => [name, tolerant(part)]))]]
  })
  return Object.fromEntries(kept)
}

/**
 * `report.schema.json` as a reader needs it who may be older than the writer: what is there has to be
 * of the right type, but there may be further properties, verdicts and forms of names.
 */
export const storedReportSchema = tolerant(reportSchema) as Record<string, unknown>
