/** What GETs have shown of an account's repository list. */
export interface ListFacts {
  /** How many there are; where they were not counted to the end, as many as were seen. */
  count: number
  /** Whether `count` is all of them. */
  counted: boolean
}

/** What GETs have shown of a code hosting service. What is absent could not be seen. */
export interface CodeHostingFacts {
  main?: ListFacts & {
    /** Whether pages have `X-Total-Count`. */
    totalCount: boolean
    /** Whether the list shows the configured repositories; absent where it was not read to its end. */
    showsPublic?: boolean
    showsPrivate?: boolean
  }
  other?: ListFacts
  admin?: ListFacts
}

/** What decides, beside the configuration, which requirements can be judged. */
export interface Facts {
  codeHosting: CodeHostingFacts
}

export const nothingKnown: Facts = { codeHosting: {} }
