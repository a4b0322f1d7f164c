import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

let ajv: Ajv2020 | undefined

/** Made when it is first needed: most commands check no file. */
function sharedAjv(): Ajv2020 {
  // That a schema is one is a test's business: to check it at every start takes longer than to use
  // it. A response may be null or an object, and `strictTypes` takes that union for a slip.
  ajv ??= addFormats.default(
    new Ajv2020({ allErrors: true, allowUnionTypes: true, validateSchema: false }),
  ) as Ajv2020
  return ajv
}

/** The validator of a schema; it is compiled when it is first asked for. */
export function validatorOf<Value>(schema: AnySchemaObject): ValidateFunction<Value> {
  return sharedAjv().compile<Value>(schema)
}

const shownErrors = 10

function errorText({ instancePath, message, params }: ErrorObject, whole: string): string {
  const place = instancePath === '' ? whole : instancePath
  const property: unknown = params.additionalProperty
  return `  ${place} ${message}${typeof property === 'string' ? `: ${property}` : ''}`
}

/**
 * What does not fit a JSON Schema, a line each for the first ten.
 *
 * @param whole what the document is called: `the report`
 */
export function misfitLines(errors: readonly ErrorObject[], whole: string): string {
  const shown = errors.slice(0, shownErrors).map((error) => errorText(error, whole))
  if (errors.length > shownErrors) shown.push(`  and ${errors.length - shownErrors} more`)
  return shown.join('\n')
}
