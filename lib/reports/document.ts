/** A report as sections of entries, made once. The renderer of each format lays it out, shortens it and escapes it. */

/** Part of a text. A string is prose on one line; `code` may quote a server and may have several lines. */
export type Span =
  | string
  | { code: string }
  | { value: unknown }
  | { ids: readonly string[] }
  | { observation: string }
  | { link: string; url: string | undefined }
  /** Text of the operator that is a link on the page if it is a web address. */
  | { address: string }

export type Text = Span | readonly Span[]

interface Detail {
  label?: string
  text: Text | undefined
}

/** Requirement, reason, observation or resource with what is reported about it. */
export interface Entry {
  /** Number of what the entry stands for. */
  number?: number | string
  title?: string
  name: Text
  /** A detail without a text is omitted; in a table it is an empty cell. */
  details?: readonly Detail[]
}

export interface Section {
  /** Fragment on the page. */
  id?: string
  title: string
  /** Default: the number of entries. A section without entries is omitted. */
  count?: number
  color?: 'red' | 'yellow' | 'green' | undefined
  /** True if it does not explain the exit status. */
  folded?: boolean
  /** Titles of the columns, if Markdown shows the entries as a table. */
  columns?: readonly string[]
  entries: readonly Entry[]
  notes?: readonly Text[]
  /** What the section lists, for the page. */
  about?: string
}

export function joinedTexts(texts: readonly Text[], separator: string): Span[] {
  return texts.flatMap((text, index) => (index === 0 ? text : [separator, text].flat()))
}
