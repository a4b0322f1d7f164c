import type { RequirementResult } from '../../conformance/result.ts'
import type { ExchangeRecord, HeaderField } from '../../probe/exchange-record.ts'
import { isVariableName } from '../../target/variables.ts'
import { curlCommand, secretVariables } from '../curl.ts'
import { keptWords, requestLine, statusLine } from '../exchange-text.ts'
import { type NamedParts, namedParts, nothingNamed } from '../named-parts.ts'
import {
  type ExcerptLimits,
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  shortened,
} from '../printable.ts'
import { timeOfDay } from '../run-words.ts'
import { type BodyLines, bodyLines } from './body.ts'
import { anchor, html, joined, type Markup } from './markup.ts'
import type { PageContext } from './page-context.ts'

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

const longestCommand = 16_384

function names(variables: readonly string[]): Markup {
  return joined(
    variables.map((name) => html`<code>${name}</code>`),
    ', ',
  )
}

function variablesNote(command: string): Markup {
  const variables = secretVariables(command)
  if (variables.length === 0) return html``
  const configured = variables.filter(isVariableName)
  const made = variables.filter((name) => !isVariableName(name))
  return html`<p class="note">Set first:${configured.length === 0 ? '' : html` ${names(configured)}, as it was for the run${made.length === 0 ? '.' : ';'}`}${made.length === 0 ? '' : html` ${names(made)}, which the run made for itself: take one of your own of the same kind.`}</p>`
}

function bodyNote({ request }: ExchangeRecord): Markup {
  return request.body === null && (request.bodyBytes ?? 0) > 0
    ? html`<p class="note">Set <code>REQUEST_BODY</code> to its body, which was not kept.</p>\n`
    : html``
}

/**
 * The command that repeats an exchange, with a button that copies it and the variables that it
 * needs. What is copied is what is seen, written out where it could steer a terminal.
 */
export function repeatView(exchange: ExchangeRecord): Markup {
  const command = printableText(curlCommand(exchange))
  if (command.length > longestCommand) {
    return html`<p class="note">The command that repeats it has ${command.length} characters, too many to be shown.</p>`
  }
  return html`<div class="repeat"><p>Repeat it <button type="button" class="copy" aria-label="Copy the command of ${printableLine(exchange.id)}" hidden>Copy</button></p>
<pre><code>${command}</code></pre>
${bodyNote(exchange)}${variablesNote(command)}</div>`
}

const longestTitle = 160
const evidenceLimits: ExcerptLimits = { characters: 12_000, lines: 300 }
const listLimits: ExcerptLimits = { characters: 2000, lines: 50 }

/** What was asked and what came, on one line: `GET https://git.example.com/api → 200 OK`. */
export function exchangeTitle(exchange: ExchangeRecord): Markup {
  const request = shortened(requestLine(exchange), longestTitle)
  return html`<span class="request searched">${request}</span> <span class="outcome">→ ${statusLine(exchange)}</span>`
}

function facts({ startedAt, durationMs, attempt, purpose }: ExchangeRecord): Markup {
  const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
  const sent = `sent ${timeOfDay(startedAt)}, took ${Math.round(durationMs)} ms${attempts}`
  return html`<p class="note">For ${printableSentence(purpose)}, ${sent}.</p>`
}

function content(exchange: ExchangeRecord, named: NamedParts, limits: ExcerptLimits): Markup {
  return html`<div id="${anchor(exchange.id)}" class="exchange-content">${facts(exchange)}
${messageView(exchange, named, limits, repeatView(exchange))}</div>`
}

/** An exchange of the list: folded, with nothing marked. */
export function listedExchange(exchange: ExchangeRecord): Markup {
  return html`<details class="exchange"><summary><b>${printableLine(exchange.id)}</b> ${exchangeTitle(exchange)}</summary>
${content(exchange, nothingNamed, listLimits)}</details>`
}

/**
 * The exchange that shows a result: in full where this result is the first that it shows, otherwise
 * a link to that place.
 */
export function exchangeOf(
  result: RequirementResult,
  context: PageContext,
  { open }: { open: boolean },
): Markup {
  const exchange = context.evidence.of(result)
  if (exchange === undefined) return html`<p class="note">No exchange was recorded for this.</p>`
  const shown = context.shownBy.get(exchange.id) ?? []
  const reference = html`<a href="#${anchor(exchange.id)}">${printableLine(exchange.id)}</a>`
  if (shown[0] !== result) {
    return html`<p class="note">Exchange ${reference}, shown above: ${exchangeTitle(exchange)}</p>`
  }
  return html`<details class="exchange in-print"${open ? html` open` : ''}><summary>Exchange <b>${printableLine(exchange.id)}</b> ${exchangeTitle(exchange)}</summary>
${content(exchange, namedParts(shown), evidenceLimits)}</details>`
}
