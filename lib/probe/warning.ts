/** One value of a `Warning` field (RFC 7234, 5.5; obsoleted by RFC 9111). */
export interface WarningValue {
  /** Three digits. */
  code: number
  agent: string
  text: string
  date: string | undefined
}

const WARNING_VALUE =
  /\s*(?<code>\d{3}) +(?<agent>[^\s,"]+) +"(?<text>(?:[^"\\]|\\.)*)"(?: +"(?<date>[^"]*)")?\s*(?:,|$)/y

/**
 * Parses a `Warning` field with any number of values. What does not have the form of a warning
 * value ends the list: the values before it count.
 */
export function parseWarning(field: string): WarningValue[] {
  const values: WarningValue[] = []
  WARNING_VALUE.lastIndex = 0
  while (WARNING_VALUE.lastIndex < field.length) {
    const groups = WARNING_VALUE.exec(field)?.groups
    if (groups === undefined) break
    const { code = '', agent = '', text = '', date } = groups
    values.push({ code: Number(code), agent, text: text.replace(/\\(.)/g, '$1'), date })
  }
  return values
}
