import type { ErrorObject, ValidateFunction } from 'ajv'
import { printableSentence, truncate } from './printable.ts'

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
export function findSchemaErrors(
  value: unknown,
  validate: ValidateFunction,
  whole: string,
): string[] {
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
  validate: ValidateFunction<Value>,
  kind: string,
): { value: Value } | { problem: string } {
  const wrong = (what: string, why: string) => ({
    problem: `is damaged, or no ${what} (${truncate(printableSentence(why), 400)})`,
  })
  try {
    const value: unknown = JSON.parse(text)
    const { required = [] } = validate.schema as { required?: readonly string[] }
    const isOther =
      required.length > 0 && !required.some((name) => Object.hasOwn(Object(value), name))
    if (isOther) return { problem: `is not a Plumbline ${kind}` }
    const problems = findSchemaErrors(value, validate, `the ${kind}`)
    if (problems.length === 0) return { value: value as Value }
    return wrong(`${kind} of this version of Plumbline`, problems.join('; '))
  } catch (error) {
    return wrong('JSON', (error as Error).message)
  }
}
