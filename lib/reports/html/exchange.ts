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
import { counted, timeOfDay } from '../run-words.ts'
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

/**
 * JSON with a line for each member and an indentation of two spaces. Nothing but the white space is
 * changed: numbers, escapes and repeated names stay as they came. `undefined` for what is not JSON,
 * and for JSON of more than 262144 characters.
 */
export function formattedJson(text: string): string | undefined {
  if (text.length > longest || !isJson(text)) return undefined
  const found = text.match(tokens) ?? []
  let formatted = ''
  let depth = 0
  for (const [index, token] of found.entries()) {
    if (token === '{' || token === '[') {
      depth += 1
      formatted += token
      if (!/^[}\]]$/.test(found[index + 1] ?? '')) formatted += lineBreak(depth)
    } else if (token === '}' || token === ']') {
      depth -= 1
      if (!/^[{[]$/.test(found[index - 1] ?? '')) formatted += lineBreak(depth)
      formatted += token
    } else if (token === ',') {
      formatted += token + lineBreak(depth)
    } else {
      formatted += token === ':' ? ': ' : token
    }
  }
  return formatted
}

/** A body as the page shows it. */
interface BodyLines {
  /** Whether it is JSON whose white space was changed for the reader. */
  formatted: boolean
  lines: Markup[]
}

const longestLine = 1000

/** How many lines from the beginning fit the limits; one always does. */
function fittingCount(lines: readonly string[], limits: ExcerptLimits): number {
  let characters = 0
  for (const [index, text] of lines.entries()) {
    characters += Math.min(text.length, longestLine) + 1
    if (index >= limits.lines || (index > 0 && characters > limits.characters)) return index
  }
  return lines.length
}

/** The lines of a body, JSON formatted. Of a long body the beginning is kept. */
export function bodyLines(body: string, limits: ExcerptLimits): BodyLines {
  const json = formattedJson(body)
  const all = json === undefined ? body.split(/\r?\n/) : json.split('\n')
  const kept = fittingCount(all, limits)
  const left = all.length - kept
  const lines = all
    .slice(0, kept)
    .map((text) => html`${printableText(excerpt(text, { characters: longestLine, lines: 1 }))}`)
  if (left > 0) {
    lines.push(
      html`<i class="cut">… ${counted(left, 'more line', 'more lines')} left out, see report.json …</i>`,
    )
  }
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

function bodyBlock(lines: readonly Markup[], atOnce: number): Markup {
  if (lines.length <= atOnce + linesWorthFolding) return lineBlock(lines)
  const rest = lines.slice(atOnce)
  return html`${lineBlock(lines.slice(0, atOnce))}
<details class="rest"><summary>${rest.length} more lines</summary>
${lineBlock(rest)}</details>`
}

/** A request or a response; a body that is not there has a note, if anything. */
function message(
  title: string,
  head: Markup,
  body: BodyLines | undefined,
  atOnce: number,
  note: string,
): Markup {
  const notes = [note, body?.formatted ? 'formatted' : ''].filter((text) => text !== '').join(', ')
  return html`<figure class="message"><figcaption>${title}${notes === '' ? '' : html` <small>${notes}</small>`}</figcaption>
${head}
${body === undefined ? '' : bodyBlock(body.lines, atOnce)}</figure>`
}

function bytes(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'byte' : 'bytes'}`
}

/** For a body that was sent or received, and left out of the evidence. */
function notKept(count: number): string {
  return count === 0 ? '' : `${bytes(count)} of body, not kept`
}

function requestMessage(exchange: ExchangeRecord, limits: ExcerptLimits): Markup {
  const { headers, body, bodyBytes = 0 } = exchange.request
  const line = html`${excerpt(requestLine(exchange), headerLimits)}`
  const head = headLines(line, headers, () => false)
  const shown = body ? bodyLines(body, limits) : undefined
  return message('Request', head, shown, linesAtOnce, body ? '' : notKept(bodyBytes))
}

function responseMessage(exchange: ExchangeRecord, read: ReadParts, limits: ExcerptLimits): Markup {
  const { response } = exchange
  const status = markedIf(read.status || response === null, statusLine(exchange))
  const { headers = [], body = null, bodyBytes = 0 } = response ?? {}
  const head = headLines(status, headers, read.header)
  const isMarked = read.status || headers.some(({ name }) => read.header(name))
  const shown = body ? bodyLines(body, limits) : undefined
  const size = body ? bytes(bodyBytes) : bodyBytes === 0 ? 'no body' : notKept(bodyBytes)
  const note = response === null ? '' : ((body ? keptWords(exchange) : undefined) ?? size)
  return message('Response', head, shown, isMarked ? linesBelowMark : linesAtOnce, note)
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
  if (configured.length + made.length === 0) return html``
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
function repeatView(exchange: ExchangeRecord, report: RunReport): Markup {
  const command = printableText(curlCommand(exchange))
  if (command.length > longestCommand) {
    return html`<p class="note">The command that repeats it has ${command.length} characters, too many to be shown.</p>`
  }
  return html`<div class="repeat"><p>Repeat it <button type="button" class="copy" aria-label="Copy the command of ${printableLine(exchange.id)}" hidden>Copy</button></p>
<pre><code>${command}</code></pre>
${bodyNote(exchange)}${variablesNote(command, report)}</div>`
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

/** Request and response beside each other, what was read marked, and the command below the request. */
function content(
  exchange: ExchangeRecord,
  report: RunReport,
  read: ReadParts,
  limits: ExcerptLimits,
): Markup {
  return html`<div id="${anchor(exchange.id)}" class="exchange-content">${facts(exchange)}
<div class="messages">${requestMessage(exchange, limits)}
${responseMessage(exchange, read, limits)}
${repeatView(exchange, report)}</div></div>`
}

/** An exchange of the list: folded, with nothing marked. */
export function listedExchange(exchange: ExchangeRecord, report: RunReport): Markup {
  return html`<details class="exchange"><summary><b>${printableLine(exchange.id)}</b> ${exchangeTitle(exchange)}</summary>
${content(exchange, report, readParts([]), listLimits)}</details>`
}

/**
 * The exchange that shows a result: in full where this result is the first that it shows, otherwise
 * a link to that place.
 */
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
