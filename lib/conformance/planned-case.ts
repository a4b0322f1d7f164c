/** A request of a run, for people. */
export interface PlannedCase {
  /** Id of the case. */
  case: string
  /** The request, for people. */
  text?: string
  /** The sentence of the document for which it is sent. */
  statement?: string
  /** Ids of the requirements that judge the response. */
  requirements: readonly string[]
  /** The expected rejection; absent if the requirements say what is expected. */
  expected?: string
  /** Names of the needs of the request. */
  needs?: readonly string[]
  /** The request that must succeed for a rejection to count. */
  control?: string
  /** Names of the needs of that request. */
  controlNeeds?: readonly string[]
}
