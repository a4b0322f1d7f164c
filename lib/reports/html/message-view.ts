import type { ExchangeRecord, HeaderField } from '../../probe/exchange-record.ts'
import { keptWords, requestLine, statusLine } from '../exchange-text.ts'
import { type NamedParts, nothingNamed } from '../named-parts.ts'
import { type ExcerptLimits, excerpt, printableLine } from '../printable.ts'
import { type BodyLines, bodyLines } from './body-lines.ts'
import { html, joined, type Markup } from './markup.ts'

const headerLimits: ExcerptLimits = { characters: 2000, lines: 1 }
const longestRequestLine: ExcerptLimits = { characters: 2000, lines: 1 }

// What a reader sees of a body at once: less of it where something above it is marked.
const linesAtOnce = 20
const linesBelowMark = 8
// A few lines more are not worth a fold.
const linesWorthFolding = 6

function markedIf(marked: boolean, text: string): Markup {
  return marked ? html`<mark>${text}</mark>` : html`${text}`
}

function headLines(
  first: Markup,
  headers: readonly HeaderField[],
  isMarked: (name: string) => boolean,
): Markup {
  const fields = headers.map(({ name, value }) =>
    markedIf(isMarked(name), printableLine(`${name}: ${excerpt(value, headerLimits)}`)),
  )
  return html`<pre class="head"><code>${joined([html`<b>${first}</b>`, ...fields], '\n')}</code></pre>`
}

function lineBlock(lines: readonly Markup[]): Markup {
  return html`<pre class="body"><code>${joined(lines, '\n')}</code></pre>`
}

function bodyBlock({ lines, lastMarked }: BodyLines, head: number): Markup {
  if (lines.length <= head + linesWorthFolding) return lineBlock(lines)
  const rest = lines.slice(head)
  return html`${lineBlock(lines.slice(0, head))}
<details class="rest"${lastMarked >= head ? html` open` : ''}><summary>${rest.length} more lines</summary>
${lineBlock(rest)}</details>`
}

function message(title: string, head: Markup, body: Markup, notes: readonly string[]): Markup {
  const shown = notes.filter((note) => note !== '').join(', ')
  return html`<figure class="message"><figcaption>${title}${shown === '' ? '' : html` <small>${shown}</small>`}</figcaption>
${head}
${body}</figure>`
}

function requestMessage(exchange: ExchangeRecord, limits: ExcerptLimits): Markup {
  const { headers, body } = exchange.request
  const line = html`${excerpt(requestLine(exchange), longestRequestLine)}`
  const head = headLines(line, headers, nothingNamed.header)
  if (body === null || body === '') {
    return message('Request', head, html``, [notKept(exchange.request.bodyBytes ?? 0)])
  }
  const shown = bodyLines(body, nothingNamed, limits)
  return message('Request', head, bodyBlock(shown, linesAtOnce), [formattedNote(shown)])
}

function formattedNote({ formatted }: BodyLines): string {
  return formatted ? 'formatted' : ''
}

function bytes(count: number): string {
  return count === 1 ? '1 byte' : `${count.toLocaleString('en')} bytes`
}

/** For a body that was sent or received, and left out of the evidence. */
function notKept(count: number): string {
  return count === 0 ? '' : `${bytes(count)} of body, not kept`
}

function sizeNote({ response }: ExchangeRecord, hasBody: boolean): string {
  if (response === null) return ''
  if (hasBody) return bytes(response.bodyBytes)
  return response.bodyBytes === 0 ? 'no body' : notKept(response.bodyBytes)
}

function responseMessage(
  exchange: ExchangeRecord,
  named: NamedParts,
  limits: ExcerptLimits,
): Markup {
  const { response } = exchange
  const status = markedIf(named.status || response === null, statusLine(exchange))
  const headers = response?.headers ?? []
  const head = headLines(status, headers, named.header)
  const body = response?.body ?? ''
  const size = sizeNote(exchange, body !== '')
  if (body === '') return message('Response', head, html``, [size])
  const shown = bodyLines(body, named, limits)
  const isMarkedAbove = named.status || headers.some(({ name }) => named.header(name))
  const atOnce = isMarkedAbove && shown.lastMarked === -1 ? linesBelowMark : linesAtOnce
  const notes = [keptWords(exchange) ?? size, formattedNote(shown)]
  return message('Response', head, bodyBlock(shown, atOnce), notes)
}

/**
 * Request and response of an exchange beside each other, what is named in the words about it marked;
 * `repeat` has its place below the request.
 */
export function messageView(
  exchange: ExchangeRecord,
  named: NamedParts,
  limits: ExcerptLimits,
  repeat: Markup,
): Markup {
  return html`<div class="messages">${requestMessage(exchange, limits)}
${responseMessage(exchange, named, limits)}
${repeat}</div>`
}
