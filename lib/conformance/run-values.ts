/** UUIDs, times and long hexadecimal ids. */
const volatileText =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?|\b(?=[a-f]*\d)[\da-f]{16,}\b/gi

/**
 * Replaces what differs from run to run in a text.
 *
 * @param own texts of one run, such as its id and the host of the target
 */
export function withoutRunValues(text: string, own: readonly string[]): string {
  return own
    .reduce((rest, part) => rest.replaceAll(part, '(of the run)'), text)
    .replace(volatileText, '(of the run)')
}
