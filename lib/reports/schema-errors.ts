import type { ErrorObject, ValidateFunction } from 'ajv'
import { printableSentence } from '../text/printable.ts'

/** Formats an Ajv error; `whole` names the validated value. */
export function errorText({ instancePath, message, params }: ErrorObject, whole: string): string {
  const { format, pattern, additionalProperty: property } = params
  const rule = pattern === '\\S' ? 'must not be blank' : message
  const problem = format === 'date' ? 'must be a day of the calendar, such as 2027-01-31' : rule
  const name = typeof property === 'string' ? `: ${property}` : ''
  return `${instancePath || whole} ${problem}${name}`
}

/** Returns the first ten schema errors of a value, which `whole` names. */
export function findSchemaErrors(
  value: unknown,
  validate: ValidateFunction,
  whole: string,
): string[] {
  const errors = validate(value) ? [] : (validate.errors ?? [])
  return errors.slice(0, 10).map((error) => errorText(error, whole))
}

/**
 * Parses JSON text and checks it against a schema. `problem` completes a sentence that begins with the
 * name of the file.
 *
 * @param kind noun for the content of the file: `report`
 */
export function parsedJson<Value>(
  text: string,
  validate: ValidateFunction,
  kind: string,
): { value: Value } | { problem: string } {
  const damaged = (noun: string, cause: string) => ({
    problem: `is damaged, or no ${noun} (${printableSentence(cause, 400)})`,
  })
  try {
    const value: unknown = JSON.parse(text)
    const { required = [], properties } = validate.schema as {
      required?: readonly string[]
      properties?: { schema?: { const?: number } }
    }
    const isOther =
      required.length > 0 && !required.some((name) => Object.hasOwn(Object(value), name))
    if (isOther) return { problem: `is not a Plumbline ${kind}` }
    const { schema } = value as { schema?: unknown }
    const supported = properties?.schema?.const
    if (typeof schema === 'number' && supported !== undefined && schema < supported) {
      const versions = `has schema ${schema}, and this version of Plumbline reads schema ${supported}`
      return { problem: `${versions}: use the version that wrote it, or write a new ${kind}` }
    }
    const problems = findSchemaErrors(value, validate, `the ${kind}`)
    if (problems.length === 0) return { value: value as Value }
    return damaged(`${kind} of this version of Plumbline`, problems.join('; '))
  } catch (error) {
    return damaged('JSON', (error as Error).message)
  }
}
