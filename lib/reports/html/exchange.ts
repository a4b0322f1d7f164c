import { curlCommand } from '../../probe/curl.ts'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type { RequirementResult, RunReport } from '../../results/run-report.ts'
import { type ExcerptLimits, excerpt, printableLine, truncate } from '../../text/printable.ts'
import { timeOfDay } from '../../text/quantities.ts'
import { type BodyLine, excerptBody } from '../body-excerpt.ts'
import {
  type InspectedParts,
  inspectedParts,
  requestLine,
  statusLine,
  truncationNote,
} from '../exchange-text.ts'
import { hasEnded } from '../report-text.ts'
import { shellVariablesIn } from '../rerun-commands.ts'
import { traceUrlOf } from '../trace-url.ts'
import { anchor, codeList, html, joined, linkTo, type Markup } from './markup.ts'

const headerLimits: ExcerptLimits = { characters: 2000, lines: 1 }

const MAX_VISIBLE_LINES = 20
const MAX_VISIBLE_LINES_BEFORE_MARK = 5
const MIN_FOLDED_LINES = 7

function fold(summary: string, content: Markup): Markup {
  return html`<details class="rest"><summary>${summary}</summary>
${content}</details>`
}

function htmlBodyLines(lines: readonly BodyLine[]): Markup {
  // Consecutive lines share an element, since a body has many lines.
  const runs: BodyLine[] = []
  for (const { text, isMarked } of lines) {
    const last = runs.at(-1)
    if (last?.isMarked === isMarked) last.text += `\n${text}`
    else runs.push({ text, isMarked })
  }
  const parts = runs.map(({ text, isMarked }) =>
    isMarked ? html`<mark>${text}</mark>` : html`${text}`,
  )
  return html`<pre class="body" tabindex="0" role="group" aria-label="Body"><code>${joined(parts, '\n')}</code></pre>`
}

/** Returns the first lines of a body, or the lines around its first mark, and folds for the others. */
function bodyBlock(lines: readonly BodyLine[]): Markup {
  const mark = lines.findIndex(({ isMarked }) => isMarked)
  const before = Math.max(0, mark - MAX_VISIBLE_LINES_BEFORE_MARK)
  const start = before < MIN_FOLDED_LINES ? 0 : before
  const end = Math.max(0, mark) + MAX_VISIBLE_LINES
  const rest = lines.slice(lines.length - end < MIN_FOLDED_LINES ? lines.length : end)
  const visible = htmlBodyLines(lines.slice(start, lines.length - rest.length))
  return html`${start > 0 && html`${fold(`${start} lines before`, htmlBodyLines(lines.slice(0, start)))}\n`}${visible}${rest.length > 0 && html`\n${fold(`${rest.length} more lines`, htmlBodyLines(rest))}`}`
}

/** @param note replaces the size of a body */
function messageView(
  title: string,
  first: string,
  {
    headers,
    body,
    bodyBytes = 0,
  }: Pick<ExchangeRecord['request'], 'headers' | 'body' | 'bodyBytes'>,
  note: string | undefined,
  read: InspectedParts,
  limits: ExcerptLimits,
): Markup {
  const marked = (isRead: boolean, text: string) => (isRead ? html`<mark>${text}</mark>` : text)
  const fields = headers.map(
    ({ name, value }) =>
      html`\n${marked(read.header(name), printableLine(`${name}: ${excerpt(value, headerLimits)}`))}`,
  )
  const { lines, isFormatted } = excerptBody(body ?? '', limits, { ...read, format: true })
  const block = bodyBlock(lines)
  // Not `toLocaleString`, which loads the data of all locales.
  const count = String(bodyBytes).replace(/\B(?=(?:\d{3})+$)/g, ',')
  const size = `${count} ${bodyBytes === 1 ? 'byte' : 'bytes'}`
  const isLost = !body && bodyBytes > 0
  const notes = [
    isLost ? `${size} of body, not kept` : (note ?? size),
    isFormatted ? 'formatted' : '',
  ]
  return html`<figure class="message"><figcaption><b>${title}</b> <small>${notes.filter(Boolean).join(', ')}</small></figcaption>
<pre class="head" tabindex="0" role="group" aria-label="${title} line and header fields"><code><b>${marked(read.status, first)}</b>${fields}</code></pre>
${body !== null && body !== '' && (read.isOutsideBody ? fold('Body', block) : block)}</figure>`
}

/**
 * Returns a command with a button that copies it exactly as displayed.
 *
 * @param label phrase before the button; `name` completes the accessible name of the button
 */
export function commandView(
  label: string | Markup,
  command: string,
  name: string,
  notes?: Markup | false,
): Markup {
  if (command.length > 16_384) {
    return html`<p class="note">${label}: the command has ${command.length} characters, too many to be shown.</p>`
  }
  return html`<div class="repeat"><p>${label} <button type="button" class="copy" aria-label="Copy the command ${name}" hidden>Copy</button></p>
<pre><code>${command}</code></pre>
${notes}</div>`
}

/** @param includesSecrets true to include the requests that return its secrets, false to link to them */
function repeatView(exchange: ExchangeRecord, report: RunReport, includesSecrets: boolean): Markup {
  const command = curlCommand(exchange, report.settings)
  const { body, bodyBytes = 0 } = exchange.request
  const isLost = body === null && bodyBytes > 0
  const { obtainableSecrets, requiredVariables } = shellVariablesIn([exchange], report)
  const variables = requiredVariables.map(({ names, text }) => html`${codeList(names)}, ${text}`)
  const requests = obtainableSecrets.map(({ name, exchange: { id }, command }) => {
    const from = html`in the response to ${linkTo(id)}`
    if (!includesSecrets) variables.push(html`${codeList([name])}, ${from}`)
    return html`<details class="rest"><summary>How to get ${codeList([name])}</summary>
${commandView(html`The value is ${from}`, command, `of ${id}`)}</details>`
  })
  const notes = html`${isLost && html`<p class="note">Set <code>REQUEST_BODY</code> to its body, which was not kept.</p>\n`}${variables.length > 0 && html`<p class="note">Set first: ${joined(variables, '; ')}.</p>`}${includesSecrets && requests}`
  return commandView('Repeat it', command, `of ${exchange.id}`, notes)
}

const evidenceLimits: ExcerptLimits = { characters: 12_000, lines: 300 }
const listLimits: ExcerptLimits = { characters: 2000, lines: 50 }

export function htmlExchangeTitle(exchange: ExchangeRecord): Markup {
  const request = truncate(requestLine(exchange), 160)
  return html`<span class="request searched">${request}</span> <span class="outcome">→ ${statusLine(exchange)}</span>`
}

function traceView(exchange: ExchangeRecord, { settings }: RunReport): Markup | false {
  if (exchange.traceId === undefined) return false
  const id = html`<code>${exchange.traceId}</code>`
  const url = traceUrlOf(exchange, settings)
  return html` Trace: ${url === undefined ? id : html`<a href="${url}" rel="noreferrer">${id}</a>`}.`
}

/** Returns an exchange with the parts marked that `results` inspected; it is short without results. */
export function exchangeView(
  exchange: ExchangeRecord,
  report: RunReport,
  results: readonly RequirementResult[] = [],
  open = false,
): Markup {
  const { id, purpose, startedAt, durationMs, attempt, request, response } = exchange
  const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
  const limits = results.length === 0 ? listLimits : evidenceLimits
  const sent = excerpt(requestLine(exchange), headerLimits)
  const received = response ?? { headers: [], body: null }
  const note = response === null ? '' : response.body ? truncationNote(exchange) : 'no body'
  const read = inspectedParts(results)
  const marked = { ...read, status: read.status || response === null }
  return html`<details class="exchange"${open && html` open`}><summary>Exchange <b>${id}</b> ${htmlExchangeTitle(exchange)}</summary>
<div id="${anchor(id)}" class="exchange-content"><p class="note">For ${purpose}, sent ${timeOfDay(startedAt)}, took ${Math.round(durationMs)} ms${attempts}.${traceView(exchange, report)}</p>
<div class="messages"><div>${messageView('Request', sent, request, '', inspectedParts([]), limits)}
${!hasEnded(report) && repeatView(exchange, report, results.length > 0)}</div>
${messageView('Response', statusLine(exchange), received, note, marked, limits)}</div></div></details>`
}
