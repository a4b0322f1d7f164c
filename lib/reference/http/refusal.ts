/** Why a request is not done. */
export interface Refusal {
  /** 400 to 599. */
  readonly status: number
  readonly message: string
}

/** Thrown wherever a request is refused; the application makes the error response of it. */
export class RefusedError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'RefusedError'
    this.refusal = refusal
  }
}

/** @throws RefusedError always */
export function refuse(refusal: Refusal): never {
  throw new RefusedError(refusal)
}
