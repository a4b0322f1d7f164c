import type { RequirementResult, RunReport } from '../../conformance/result.ts'
import { isJson } from '../../environment/variable.ts'
import { curlCommand } from '../../probe/curl.ts'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import { variablesOf } from '../commands.ts'
import { keptWords, type ReadParts, readParts, requestLine, statusLine } from '../evidence.ts'
import {
  type ExcerptLimits,
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  shortened,
} from '../printable.ts'
import { hasEnded, timeOfDay } from '../run-words.ts'
import { anchor, codeList, html, joined, linkTo, type Markup } from './markup.ts'

// Longer texts would cost more time than their excerpt is worth.
const longestJson = 262_144

// Deeper levels are set like the deepest: a body of nothing but brackets must not fill the memory.
const deepestIndentation = 24

const jsonParts = /"[^"\\]*(?:\\.[^"\\]*)*"|[{[]\s*[}\]]|[{}[\],:]|\s+/gs

/** JSON with a line for each member. Nothing but the white space is changed. */
export function formattedJson(text: string): string | undefined {
  if (text.length > longestJson || !isJson(text)) return undefined
  let depth = 0
  const lineBreak = () => `\n${'  '.repeat(Math.min(depth, deepestIndentation))}`
  return text.replace(jsonParts, (part) => {
    if (part === '{' || part === '[') {
      depth += 1
      return `${part}${lineBreak()}`
    }
    if (part === '}' || part === ']') {
      depth -= 1
      return `${lineBreak()}${part}`
    }
    if (part === ',') return `,${lineBreak()}`
    if (part === ':') return ': '
    return part.startsWith('"') ? part : part.replace(/\s+/g, '')
  })
}

export function bodyLines(body: string, limits: ExcerptLimits) {
  const json = formattedJson(body)
  const text = printableText(excerpt((json ?? body).replaceAll('\r\n', '\n'), limits))
  return { formatted: json !== undefined && json !== body, lines: text.split('\n') }
}

const headerLimits: ExcerptLimits = { characters: 2000, lines: 1 }

// What a reader sees of a body at once: less of it where something above it is marked.
const linesAtOnce = 20
const linesBelowMark = 8
// A few lines more are not worth a fold.
const linesWorthFolding = 6

function bodyBlock(lines: readonly string[], atOnce: number): Markup {
  const block = (part: readonly string[]) =>
    html`<pre class="body"><code>${part.join('\n')}</code></pre>`
  if (lines.length <= atOnce + linesWorthFolding) return block(lines)
  const rest = lines.slice(atOnce)
  return html`${block(lines.slice(0, atOnce))}
<details class="rest"><summary>${rest.length} more lines</summary>
${block(rest)}</details>`
}

/** @param note what is said of the body where neither its size nor its loss is */
function messageView(
  title: string,
  first: string,
  {
    headers,
    body,
    bodyBytes = 0,
  }: Pick<ExchangeRecord['request'], 'headers' | 'body' | 'bodyBytes'>,
  note: string | undefined,
  read: ReadParts,
  limits: ExcerptLimits,
): Markup {
  const marked = (isRead: boolean, text: string) => (isRead ? html`<mark>${text}</mark>` : text)
  const fields = headers.map(
    ({ name, value }) =>
      html`\n${marked(read.header(name), printableLine(`${name}: ${excerpt(value, headerLimits)}`))}`,
  )
  const hasMark = read.status || headers.some(({ name }) => read.header(name))
  const { formatted, lines } = bodyLines(body ?? '', limits)
  // `toLocaleString` loads the languages of the world for it.
  const count = String(bodyBytes).replace(/\B(?=(?:\d{3})+$)/g, ',')
  const size = `${count} ${bodyBytes === 1 ? 'byte' : 'bytes'}`
  const lost = !body && bodyBytes > 0
  const notes = [lost ? `${size} of body, not kept` : (note ?? size), formatted ? 'formatted' : '']
  return html`<figure class="message"><figcaption><b>${title}</b> <small>${notes.filter(Boolean).join(', ')}</small></figcaption>
<pre><code><b>${marked(read.status, first)}</b>${fields}</code></pre>
${body !== null && body !== '' && bodyBlock(lines, hasMark ? linesBelowMark : linesAtOnce)}</figure>`
}

/**
 * A command with a button that copies it. What is copied is what is seen, written out where it could
 * steer a terminal.
 *
 * @param what it does, a phrase; `name` says it to those who see nothing beside the button
 */
export function commandView(
  what: string | Markup,
  command: string,
  name: string,
  notes?: Markup | false,
): Markup {
  const text = printableText(command)
  if (text.length > 16_384) {
    return html`<p class="note">${what}: the command has ${text.length} characters, too many to be shown.</p>`
  }
  return html`<div class="repeat"><p>${what} <button type="button" class="copy" aria-label="Copy the command ${printableLine(name)}" hidden>Copy</button></p>
<pre><code>${text}</code></pre>
${notes}</div>`
}

/** @param whole with the requests that tell the secrets it needs, else with links to them */
function repeatView(exchange: ExchangeRecord, report: RunReport, whole: boolean): Markup {
  const command = curlCommand(exchange)
  const { body, bodyBytes = 0 } = exchange.request
  const isLost = body === null && bodyBytes > 0
  const { told, given } = variablesOf([exchange], report)
  const variables = given.map(({ names, text }) => html`${codeList(names)}, ${text}`)
  const requests = told.map(({ name, exchange: { id }, command }) => {
    const from = html`in the response to ${linkTo(id)}`
    if (!whole) variables.push(html`${codeList([name])}, ${from}`)
    return html`<details class="rest"><summary>How to get ${codeList([name])}</summary>
${commandView(html`It is ${from}`, command, `of ${id}`)}</details>`
  })
  const notes = html`${isLost && html`<p class="note">Set <code>REQUEST_BODY</code> to its body, which was not kept.</p>\n`}${variables.length > 0 && html`<p class="note">Set first: ${joined(variables, '; ')}.</p>`}${whole && requests}`
  return commandView('Repeat it', command, `of ${exchange.id}`, notes)
}

const evidenceLimits: ExcerptLimits = { characters: 12_000, lines: 300 }
const listLimits: ExcerptLimits = { characters: 2000, lines: 50 }

export function exchangeTitle(exchange: ExchangeRecord): Markup {
  const request = shortened(requestLine(exchange), 160)
  return html`<span class="request searched">${request}</span> <span class="outcome">→ ${statusLine(exchange)}</span>`
}

/** What the results read that it `shows` is marked; one that shows none is kept short. */
export function exchangeView(
  exchange: ExchangeRecord,
  report: RunReport,
  shows: readonly RequirementResult[] = [],
  open = false,
): Markup {
  const { id, purpose, startedAt, durationMs, attempt, request, response } = exchange
  const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
  const limits = shows.length === 0 ? listLimits : evidenceLimits
  const sent = excerpt(requestLine(exchange), headerLimits)
  const received = response ?? { headers: [], body: null }
  const note = response === null ? '' : response.body ? keptWords(exchange) : 'no body'
  const read = readParts(shows)
  const marked = { ...read, status: read.status || response === null }
  return html`<details class="exchange"${open && html` open`}><summary>Exchange <b>${printableLine(id)}</b> ${exchangeTitle(exchange)}</summary>
<div id="${anchor(id)}" class="exchange-content"><p class="note">For ${printableSentence(purpose)}, sent ${timeOfDay(startedAt)}, took ${Math.round(durationMs)} ms${attempts}.</p>
<div class="messages"><div>${messageView('Request', sent, request, '', readParts([]), limits)}
${!hasEnded(report) && repeatView(exchange, report, shows.length > 0)}</div>
${messageView('Response', statusLine(exchange), received, note, marked, limits)}</div></div></details>`
}
