import type { RequirementResult, RunReport } from '../../conformance/result.ts'
import { isJson } from '../../environment/variable.ts'
import type { ExchangeRecord, HeaderField } from '../../probe/exchange-record.ts'
import { curlCommand, variablesOf } from '../curl.ts'
import { keptWords, type ReadParts, readParts, requestLine, statusLine } from '../evidence.ts'
import {
  type ExcerptLimits,
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  shortened,
} from '../printable.ts'
import { timeOfDay } from '../run-words.ts'
import { anchor, html, joined, type Markup } from './markup.ts'
import type { PageContext } from './rows.ts'

// Longer texts would cost more time than their excerpt is worth.
const longest = 262_144

// Deeper levels are set like the deepest: a body of nothing but brackets must not fill the memory.
const deepestIndentation = 24

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(Math.min(depth, deepestIndentation))}`
}

/** JSON with a line for each member. Nothing but the white space is changed. */
export function formattedJson(text: string): string | undefined {
  if (text.length > longest || !isJson(text)) return undefined
  const found = text.match(tokens) ?? []
  let depth = 0
  return found
    .map((token, index) => {
      if (/^[{[]$/.test(token)) {
        depth += 1
        return /^[}\]]$/.test(found[index + 1] ?? '') ? token : `${token}${lineBreak(depth)}`
      }
      if (/^[}\]]$/.test(token)) {
        depth -= 1
        return /^[{[]$/.test(found[index - 1] ?? '') ? token : `${lineBreak(depth)}${token}`
      }
      if (token === ',') return `,${lineBreak(depth)}`
      return token === ':' ? ': ' : token
    })
    .join('')
}

/** The lines of a body, of a long one the beginning, and whether it is JSON that was formatted. */
export function bodyLines(body: string, limits: ExcerptLimits) {
  const json = formattedJson(body)
  const text = printableText(excerpt((json ?? body).replaceAll('\r\n', '\n'), limits))
  const lines = text.split('\n').map((line) => html`${line}`)
  return { formatted: json !== undefined && json !== body, lines }
}

const headerLimits: ExcerptLimits = { characters: 2000, lines: 1 }

// What a reader sees of a body at once: less of it where something above it is marked.
const linesAtOnce = 20
const linesBelowMark = 8
// A few lines more are not worth a fold.
const linesWorthFolding = 6

function markedIf(marked: boolean, text: string): Markup {
  return marked ? html`<mark>${text}</mark>` : html`${text}`
}

function lineBlock(kind: 'head' | 'body', lines: readonly Markup[]): Markup {
  return html`<pre class="${kind}"><code>${joined(lines, '\n')}</code></pre>`
}

function bodyBlock(lines: readonly Markup[], atOnce: number): Markup {
  if (lines.length <= atOnce + linesWorthFolding) return lineBlock('body', lines)
  const rest = lines.slice(atOnce)
  return html`${lineBlock('body', lines.slice(0, atOnce))}
<details class="rest"><summary>${rest.length} more lines</summary>
${lineBlock('body', rest)}</details>`
}

interface Message {
  title: string
  first: Markup
  headers: readonly HeaderField[]
  isMarked: (name: string) => boolean
  body: string | null
  /** What is said of the body, but for its format. */
  note: string
  atOnce: number
}

function messageView(message: Message, limits: ExcerptLimits): Markup {
  const { title, first, headers, isMarked, atOnce } = message
  const fields = headers.map(({ name, value }) =>
    markedIf(isMarked(name), printableLine(`${name}: ${excerpt(value, headerLimits)}`)),
  )
  const body = message.body ? bodyLines(message.body, limits) : undefined
  const notes = [message.note, body?.formatted ? 'formatted' : ''].filter((text) => text !== '')
  return html`<figure class="message"><figcaption>${title}${notes.length === 0 ? '' : html` <small>${notes.join(', ')}</small>`}</figcaption>
${lineBlock('head', [html`<b>${first}</b>`, ...fields])}
${body === undefined ? '' : bodyBlock(body.lines, atOnce)}</figure>`
}

/** Of a body that was sent or received, and left out of the evidence, how large it was. */
function bytes(count: number, kept: boolean): string {
  const size = `${count.toLocaleString('en')} ${count === 1 ? 'byte' : 'bytes'}`
  return kept ? size : `${size} of body, not kept`
}

function requestMessage(exchange: ExchangeRecord): Message {
  const { headers, body, bodyBytes = 0 } = exchange.request
  const first = html`${excerpt(requestLine(exchange), headerLimits)}`
  const note = body || bodyBytes === 0 ? '' : bytes(bodyBytes, false)
  return {
    title: 'Request',
    first,
    headers,
    isMarked: () => false,
    body,
    note,
    atOnce: linesAtOnce,
  }
}

function responseMessage(exchange: ExchangeRecord, read: ReadParts): Message {
  const { response } = exchange
  const { headers = [], body = null, bodyBytes = 0 } = response ?? {}
  const first = markedIf(read.status || response === null, statusLine(exchange))
  const size = body || bodyBytes > 0 ? bytes(bodyBytes, Boolean(body)) : 'no body'
  const note = response === null ? '' : ((body ? keptWords(exchange) : undefined) ?? size)
  const hasMark = read.status || headers.some(({ name }) => read.header(name))
  const atOnce = hasMark ? linesBelowMark : linesAtOnce
  return { title: 'Response', first, headers, isMarked: read.header, body, note, atOnce }
}

const longestCommand = 16_384

function names(variables: readonly string[]): Markup {
  return joined(
    variables.map((name) => html`<code>${name}</code>`),
    ', ',
  )
}

function variablesNote(command: string, report: RunReport): Markup {
  const { configured, made } = variablesOf(command, report)
  const parts = [
    ...(configured.length === 0 ? [] : [html`${names(configured)}, as it was for the run`]),
    ...(made.length === 0
      ? []
      : [
          html`${names(made)}, which the run made for itself: take one of your own of the same kind`,
        ]),
  ]
  return parts.length === 0 ? html`` : html`<p class="note">Set first: ${joined(parts, '; ')}.</p>`
}

/**
 * The command that repeats an exchange, with a button that copies it and the variables that it
 * needs. What is copied is what is seen, written out where it could steer a terminal.
 */
function repeatView(exchange: ExchangeRecord, report: RunReport): Markup {
  const command = printableText(curlCommand(exchange))
  if (command.length > longestCommand) {
    return html`<p class="note">The command that repeats it has ${command.length} characters, too many to be shown.</p>`
  }
  const { body, bodyBytes = 0 } = exchange.request
  return html`<div class="repeat"><p>Repeat it <button type="button" class="copy" aria-label="Copy the command of ${printableLine(exchange.id)}" hidden>Copy</button></p>
<pre><code>${command}</code></pre>
${body === null && bodyBytes > 0 ? html`<p class="note">Set <code>REQUEST_BODY</code> to its body, which was not kept.</p>\n` : ''}${variablesNote(command, report)}</div>`
}

const longestTitle = 160
const evidenceLimits: ExcerptLimits = { characters: 12_000, lines: 300 }
const listLimits: ExcerptLimits = { characters: 2000, lines: 50 }

export function exchangeTitle(exchange: ExchangeRecord): Markup {
  const request = shortened(requestLine(exchange), longestTitle)
  return html`<span class="request searched">${request}</span> <span class="outcome">→ ${statusLine(exchange)}</span>`
}

/** Request and response beside each other, and the command below the request. */
function content(
  exchange: ExchangeRecord,
  report: RunReport,
  read: ReadParts,
  limits: ExcerptLimits,
): Markup {
  const { id, purpose, startedAt, durationMs, attempt } = exchange
  const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
  return html`<div id="${anchor(id)}" class="exchange-content"><p class="note">For ${printableSentence(purpose)}, sent ${timeOfDay(startedAt)}, took ${Math.round(durationMs)} ms${attempts}.</p>
<div class="messages">${messageView(requestMessage(exchange), limits)}
${messageView(responseMessage(exchange, read), limits)}
${repeatView(exchange, report)}</div></div>`
}

/** An exchange of the list: folded, with nothing marked. */
export function listedExchange(exchange: ExchangeRecord, report: RunReport): Markup {
  return html`<details class="exchange"><summary><b>${printableLine(exchange.id)}</b> ${exchangeTitle(exchange)}</summary>
${content(exchange, report, readParts([]), listLimits)}</details>`
}

/** In full where the exchange is first shown, otherwise a link to that place. */
export function exchangeOf(result: RequirementResult, context: PageContext, open: boolean): Markup {
  const exchange = context.evidence.of(result)
  if (exchange === undefined) return html`<p class="note">No exchange was recorded for this.</p>`
  const shown = context.shownBy.get(exchange.id) ?? []
  const reference = html`<a href="#${anchor(exchange.id)}">${printableLine(exchange.id)}</a>`
  if (shown[0] !== result) {
    return html`<p class="note">Exchange ${reference}, shown above: ${exchangeTitle(exchange)}</p>`
  }
  return html`<details class="exchange in-print"${open ? html` open` : ''}><summary>Exchange <b>${printableLine(exchange.id)}</b> ${exchangeTitle(exchange)}</summary>
${content(exchange, context.report, readParts(shown), evidenceLimits)}</details>`
}
