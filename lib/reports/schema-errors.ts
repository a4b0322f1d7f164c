import type { ErrorObject, ValidateFunction } from 'ajv'

/** Formats an Ajv error; `whole` names the validated value. */
export function errorText({ instancePath, message, params }: ErrorObject, whole: string): string {
  const { format, pattern, additionalProperty: property } = params
  const rule = pattern === '\\S' ? 'must not be blank' : message
  const problem = format === 'date' ? 'must be a day of the calendar, such as 2027-01-31' : rule
  return `${instancePath || whole} ${problem}${typeof property === 'string' ? `: ${property}` : ''}`
}

/** Returns the first ten schema errors of a report. */
export function findSchemaErrors(report: unknown, validate: ValidateFunction): string[] {
  const errors = validate(report) ? [] : (validate.errors ?? [])
  return errors.slice(0, 10).map((error) => errorText(error, 'the report'))
}
