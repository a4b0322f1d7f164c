/** Returns true if a text is JSON (RFC 8259). */
export function isJson(given: string): boolean {
  try {
    JSON.parse(given)
    return true
  } catch {
    return false
  }
}
