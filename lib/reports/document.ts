/** A report as sections of entries, made once. The renderer of each format lays it out, shortens it and escapes it. */
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { InspectedPart, Waiver } from '../results/run-report.ts'
import { abbreviatedIds } from './report-text.ts'

/** Part of a text. A string is prose on one line; `code` may quote a server and may have several lines. */
export type Span =
  | string
  | { code: string }
  /** Ids of requirements or exchanges. */
  | { ids: readonly string[] }
  /** A link if `url` is a web address, which is not repeated if it is the text. */
  | { link: string; url: string | undefined }

export type Text = Span | readonly Span[]

export interface Detail {
  label?: string
  text: Text
}

export interface Evidence {
  exchange: ExchangeRecord
  /** Parts that the results inspected which this exchange shows. */
  reads: readonly InspectedPart[]
  /** Commands that send its request again, after those that create what it uses; empty for a reference server. */
  commands: readonly { label: string; command: string }[]
}

/** Requirement, reason, observation or resource with what is reported about it. */
export interface Entry {
  /** Fragment on the page. */
  id?: string
  number?: number | string
  title?: string
  name: Text
  details?: readonly Detail[]
  evidence?: Evidence | undefined
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
  entries: readonly Entry[]
  /** Sentences that explain the entries. */
  notes?: readonly Text[]
}

export function joinedTexts(texts: readonly Text[], separator: string): Span[] {
  return texts.flatMap((text, index) => (index === 0 ? text : [separator, text].flat()))
}

export function spanText(span: Span): string {
  if (typeof span === 'string') return span
  if ('code' in span) return span.code
  if ('ids' in span) return abbreviatedIds(span.ids)
  const { link, url } = span
  return url === undefined || url === link ? link : `${link}, ${url}`
}

/** Returns `Platform team, until 2027-01-31: reason (link)`, as far as they are present. */
export function waiverSpans({ owner, expires, reason, link }: Omit<Waiver, 'requirement'>): Span[] {
  const head = [owner ?? [], expires === undefined ? [] : `until ${expires}`].flat().join(', ')
  const text = `${head}${head && ': '}${reason}`
  return link === undefined ? [text] : [text, ' (', { link, url: link }, ')']
}

/** Returns a text without layout; not escaped. */
export const textOf = (text: Text): string => [text].flat().map(spanText).join('')
