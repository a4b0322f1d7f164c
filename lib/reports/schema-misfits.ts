import type { ErrorObject } from 'ajv/dist/2020.js'

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
