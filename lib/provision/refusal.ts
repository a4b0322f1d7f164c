/** The server did not do what it was asked for. The message is all that a person needs. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** Of the response; absent where several things are wrong, or no single response tells it. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** The person stopped it; what was done until then stays. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}
