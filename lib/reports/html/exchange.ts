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
import { creationsFor, requiredVariables } from '../rerun-commands.ts'
import { traceUrlOf } from '../trace-url.ts'
import { anchor, codeList, html, joined, linkTo, type Markup } from './markup.ts'

const headerLimits: ExcerptLimits = { characters: 2000, lines: 1 }

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

/** @param isEvidence true to include the requests that create its secrets, false to link to them */
function repeatView(exchange: ExchangeRecord, report: RunReport, isEvidence: boolean): Markup {
  const command = curlCommand(exchange, report.settings)
  const { body, bodyBytes = 0 } = exchange.request
  const isLost = body === null && bodyBytes > 0
  const creations = creationsFor(exchange, report)
  const variables = requiredVariables([exchange], report).map(
    ({ names, text }) => html`${codeList(names)}, ${text}`,
  )
  const before = creations.map(({ names, exchange: creation }) => {
    const from = html`${codeList(names)}, in the response to ${linkTo(creation.id)}`
    if (!isEvidence) variables.push(from)
    return html`<details class="rest"><summary>How to get ${codeList(names)}</summary>
${commandView(html`Create ${from}`, curlCommand(creation, report.settings), `of ${creation.id}`)}</details>`
  })
  const notes = html`${
    isLost &&
    html`<p class="note">Set <code>REQUEST_BODY</code> to its body, which was not kept.</p>
`
  }${variables.length > 0 && html`<p class="note">Set before: ${joined(variables, '; ')}.</p>`}`
  return html`${isEvidence && before}${commandView('Repeat it', command, `of ${exchange.id}`, notes)}`
}

const evidenceLimits: ExcerptLimits = { characters: 12_000, lines: 40 }
const listLimits: ExcerptLimits = { characters: 2000, lines: 40 }

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
