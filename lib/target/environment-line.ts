const plain = /^[\w./:{}-]*$/

/**
 * One line of an environment file. Quotes keep dotenv from reading `#`, quotes and spaces in a value
 * as its own syntax; it knows no escapes, so the value is set in quotes that it does not hold.
 */
export function environmentLine(name: string, value: string): string {
  if (plain.test(value)) return `${name}=${value}`
  const quote = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? "'"
  return `${name}=${quote}${value}${quote}`
}
