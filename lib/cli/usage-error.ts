/** The command line or the configuration is wrong; the message is all that a person needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
