import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { printableSentence, shortened } from './printable.ts'

/** Made when it is first needed: most commands check no file. */
let ajv: Ajv2020 | undefined

export function validatorOf<Value>(schema: AnySchemaObject): ValidateFunction<Value> {
  // That a schema is one is a test's business: to check it at every start takes longer than to use
  // it. A response may be null or an object, and `strictTypes` takes that union for a slip.
  ajv ??= addFormats.default(
    new Ajv2020({ allErrors: true, allowUnionTypes: true, validateSchema: false }),
  ) as Ajv2020
  return ajv.compile<Value>(schema)
}

/** What an error of Ajv says of a value, called `whole`. */
export function errorText({ instancePath, message, params }: ErrorObject, whole: string): string {
  const { format, pattern, additionalProperty: property } = params
  const instruction = pattern === '\\S' ? 'must not be blank' : message
  // It may look like one: 2027-02-30.
  const what = format === 'date' ? 'must be a day of the calendar, such as 2027-01-31' : instruction
  const name = typeof property === 'string' ? `: ${property}` : ''
  return `${instancePath || whole} ${what}${name}`
}

/** What of a value, called `whole`, does not fit a JSON Schema: the first ten. */
export function misfits(value: unknown, schema: AnySchemaObject, whole: string): string[] {
  const validate = validatorOf(schema)
  const errors = validate(value) ? [] : (validate.errors ?? [])
  return errors.slice(0, 10).map((error) => errorText(error, whole))
}

/**
 * The value of a JSON text that fits a schema; of any other text, what is wrong with it, to follow
 * the name of its file.
 *
 * @param kind of the file: `report`
 */
export function parsedJson<Value>(
  text: string,
  schema: AnySchemaObject,
  kind: string,
): { value: Value } | { problem: string } {
  const wrong = (what: string, why: string) => ({
    problem: `is damaged, or no ${what} (${shortened(printableSentence(why), 400)})`,
  })
  try {
    const value: unknown = JSON.parse(text)
    const problems = misfits(value, schema, `the ${kind}`)
    if (problems.length === 0) return { value: value as Value }
    return wrong(`${kind} of this version of Plumbline`, problems.join('; '))
  } catch (error) {
    return wrong('JSON', (error as Error).message)
  }
}
