export interface PlannedCase {
  case: string
  text?: string
  /** The sentence of the document for which it is sent. */
  statement?: string
  /** Ids of the requirements that judge the response. */
  requirements: readonly string[]
  /** The expected rejection; absent if the requirements say what is expected. */
  expected?: string
  needs?: readonly string[]
  /** The request that must succeed for a rejection to count. */
  control?: string
  controlNeeds?: readonly string[]
}
