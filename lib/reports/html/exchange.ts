import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type { RunReport } from '../../results/run-report.ts'
import { type ExcerptLimits, truncate } from '../../text/printable.ts'
import { timeOfDay } from '../../text/quantities.ts'
import {
  inspectedParts,
  type Message,
  type MessageLine,
  messagesOf,
  requestLine,
  statusLine,
} from '../exchange-text.ts'
import { traceUrlOf } from '../report-text.ts'
import { commandsFor, creationText, variablesText } from '../rerun-commands.ts'
import { anchor, html, joined, type Markup } from './markup.ts'

const evidenceLimits: ExcerptLimits = { characters: 12_000, lines: 40 }
const listLimits: ExcerptLimits = { characters: 2000, lines: 40 }

function linesView(label: string, lines: readonly MessageLine[]): Markup {
  const parts = lines.map(({ text, isMarked }) => (isMarked ? html`<mark>${text}</mark>` : text))
  return html`\n<pre tabindex="0" role="group" aria-label="${label}"><code>${joined(parts, '\n')}</code></pre>`
}

function messageView(title: string, { head, body }: Message): Markup {
  const bodyView = body.length > 0 && linesView(`Body of the ${title.toLowerCase()}`, body)
  return html`<figure class="message"><figcaption>${title}</figcaption>${linesView(title, head)}${bodyView}</figure>`
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

/** Returns the commands that send a request again, and the variables that they need. */
function repeatView(exchange: ExchangeRecord, report: RunReport): Markup {
  const all = commandsFor(exchange, report)
  const variables = all.length > 0 ? variablesText([exchange], report) : undefined
  const commands = all.map(({ creates, command }) => {
    if (creates.length === 0) return commandView('Repeat it', command, `of ${exchange.id}`)
    return commandView(creationText(creates), command, `that creates ${creates.join(', ')}`)
  })
  return html`${commands}${variables !== undefined && html`<p class="note">${variables}</p>`}`
}

export function htmlExchangeTitle(exchange: ExchangeRecord): Markup {
  const request = truncate(requestLine(exchange), 160)
  return html`<span class="searched">${request}</span> → ${statusLine(exchange)}`
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
  { read = inspectedParts(), isEvidence = false, isOpen = false } = {},
): Markup {
  const { id, purpose, startedAt, durationMs, attempt, response } = exchange
  const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
  const { sent, received } = messagesOf(exchange, {
    read: { ...read, status: read.status || response === null },
    body: isEvidence ? evidenceLimits : listLimits,
    headerChars: 2000,
  })
  return html`<details class="exchange"${isOpen && html` open`}><summary>Exchange <b>${id}</b> ${htmlExchangeTitle(exchange)}</summary>
<div id="${anchor(id)}" class="exchange-content"><p class="note">For ${purpose}, sent ${timeOfDay(startedAt)}, took ${Math.round(durationMs)} ms${attempts}.${traceView(exchange, report)}</p>
<div class="messages"><div>${messageView('Request', sent)}
${repeatView(exchange, report)}</div>
${messageView('Response', received)}</div></div></details>`
}
