/** Thrown for an error in the command line, a file or the configuration. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
