import { type Refusal, refuse } from './refusal.ts'

/**
 * The content of a request as a JSON object.
 *
 * @param malformed the refusal of content that is none
 * @throws RefusedError when it is none
 */
export function parseJsonObject(
  text: string,
  malformed: (detail: string) => Refusal,
): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    refuse(malformed('the content is not JSON'))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(malformed('the content is not a JSON object'))
  }
  return value as Record<string, unknown>
}
