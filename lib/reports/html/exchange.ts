import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type { RunReport } from '../../results/run-report.ts'
import { type ExcerptLimits, excerpt, printableLine, truncate } from '../../text/printable.ts'
import { timeOfDay } from '../../text/quantities.ts'
import { type BodyLine, excerptBody } from '../body-excerpt.ts'
import type { RepeatCommand } from '../document.ts'
import {
  type InspectedParts,
  inspectedParts,
  requestLine,
  statusLine,
  truncationNote,
} from '../exchange-text.ts'
import { traceUrlOf } from '../report-text.ts'
import { commandsFor, creationsFor, requiredVariables } from '../rerun-commands.ts'
import { anchor, codeList, html, joined, linkTo, type Markup } from './markup.ts'

const headerLimits: ExcerptLimits = { characters: 2000, lines: 1 }
const evidenceLimits: ExcerptLimits = { characters: 12_000, lines: 40 }
const listLimits: ExcerptLimits = { characters: 2000, lines: 40 }

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
  const block = htmlBodyLines(lines)
  // Not `toLocaleString`, which loads the data of all locales.
  const count = String(bodyBytes).replace(/\B(?=(?:\d{3})+$)/g, ',')
  const size = `${count} ${bodyBytes === 1 ? 'byte' : 'bytes'}`
  const isLost = !body && bodyBytes > 0
  const notes = [
    isLost ? `${size} of body, not kept` : (note ?? size),
    isFormatted ? 'formatted' : '',
  ]
  const folded = html`<details class="rest"><summary>Body</summary>
${block}</details>`
  return html`<figure class="message"><figcaption><b>${title}</b> <small>${notes.filter(Boolean).join(', ')}</small></figcaption>
<pre class="head" tabindex="0" role="group" aria-label="${title} line and header fields"><code><b>${marked(read.status, first)}</b>${fields}</code></pre>
${body !== null && body !== '' && (read.isOutsideBody ? folded : block)}</figure>`
}

/**
 * Returns a command with a button that copies it exactly as displayed.
 *
 * @param label phrase before the button; `name` completes the accessible name of the button
 */
export function commandView(label: string, command: string, name: string): Markup {
  if (command.length > 16_384) {
    return html`<p class="note">${label}: the command has ${command.length} characters, too many to be shown.</p>`
  }
  return html`<div class="repeat"><p>${label} <button type="button" class="copy" aria-label="Copy the command ${name}" hidden>Copy</button></p>
<pre><code>${command}</code></pre></div>`
}

/** Returns the command that sends a request again, and where the variables come from that it uses. */
function repeatView(exchange: ExchangeRecord, { command }: RepeatCommand, report: RunReport) {
  const { body, bodyBytes = 0 } = exchange.request
  const used = exchange.request.secrets ?? []
  const variables = [
    ...requiredVariables([exchange], report).flatMap(({ names, text }) => {
      const own = names.filter((name) => used.includes(name))
      return own.length > 0 ? html`${codeList(own)}, ${text}` : []
    }),
    ...creationsFor(exchange, report).flatMap(({ names, exchange: { id } }) => {
      const own = names.filter((name) => used.includes(name))
      return own.length > 0 ? html`${codeList(own)}, in the response to ${linkTo(id)}` : []
    }),
  ]
  const isLost = body === null && bodyBytes > 0
  const lost = html`<p class="note">Set <code>REQUEST_BODY</code> to its body, which was not kept.</p>\n`
  return html`${commandView('Repeat it', command, `of ${exchange.id}`)}${isLost && lost}${variables.length > 0 && html`<p class="note">Set before: ${joined(variables, '; ')}.</p>`}`
}

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

/** Returns an exchange; it is short if it is not evidence. @param read parts to mark */
export function exchangeView(
  exchange: ExchangeRecord,
  report: RunReport,
  { read = inspectedParts([]), isEvidence = false, isOpen = false } = {},
): Markup {
  const { id, purpose, startedAt, durationMs, attempt, request, response } = exchange
  const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
  const limits = isEvidence ? evidenceLimits : listLimits
  const sent = excerpt(requestLine(exchange), headerLimits)
  const received = response ?? { headers: [], body: null }
  const note = response === null ? '' : response.body ? truncationNote(exchange) : 'no body'
  const marked = { ...read, status: read.status || response === null }
  const command = commandsFor(exchange, report).at(-1)
  return html`<details class="exchange"${isOpen && html` open`}><summary>Exchange <b>${id}</b> ${htmlExchangeTitle(exchange)}</summary>
<div id="${anchor(id)}" class="exchange-content"><p class="note">For ${purpose}, sent ${timeOfDay(startedAt)}, took ${Math.round(durationMs)} ms${attempts}.${traceView(exchange, report)}</p>
<div class="messages"><div>${messageView('Request', sent, request, '', inspectedParts([]), limits)}
${command && repeatView(exchange, command, report)}</div>
${messageView('Response', statusLine(exchange), received, note, marked, limits)}</div></div></details>`
}
