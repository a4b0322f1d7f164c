/** A request of a run, for people. */
export interface PlannedCase {
  /** The request, by what distinguishes it. */
  case: string
  /** Ids of the requirements whose rules judge the response. */
  requirements: readonly string[]
  expected: string
  /** The request that must succeed for a rejection to count. */
  control?: string
}
