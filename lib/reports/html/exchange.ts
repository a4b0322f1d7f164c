import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type { InspectedPart, RunReport } from '../../results/run-report.ts'
import { type ExcerptLimits, truncate } from '../../text/printable.ts'
import type { Evidence } from '../document.ts'
import {
  type Message,
  type MessageLine,
  messagesOf,
  requestLine,
  statusLine,
} from '../exchange-text.ts'
import { traceUrlOf } from '../report-text.ts'
import { commandsFor, variablesText } from '../rerun-commands.ts'
import { anchor, html, joined, linkView, type Markup } from './markup.ts'

const evidenceLimits: ExcerptLimits = { characters: 12_000, lines: 40 }
const listLimits: ExcerptLimits = { characters: 2000, lines: 40 }

function linesView(lines: readonly MessageLine[]): Markup {
  const parts = lines.map(({ text, isMarked }) => (isMarked ? html`<mark>${text}</mark>` : text))
  return html`\n<pre><code>${joined(parts, '\n')}</code></pre>`
}

function messageView(title: string, { head, body }: Message): Markup {
  return html`<figure class="message"><figcaption>${title}</figcaption>${linesView(head)}${body.length > 0 && linesView(body)}</figure>`
}

/** Returns a command with a button that copies it exactly as displayed. */
export function commandView({ label, command }: Evidence['commands'][number]): Markup {
  if (command.length > 16_384) {
    return html`<p class="note">${label} a command of ${command.length} characters, too many to be shown.</p>`
  }
  return html`<div class="repeat"><p>${label} <button type="button" class="copy" aria-label="Copy the command: ${label}" hidden>Copy</button></p>
<pre><code>${command}</code></pre></div>`
}

function repeatView(exchange: ExchangeRecord, report: RunReport): Markup {
  const commands = commandsFor(exchange, report)
  const variables = commands.length > 0 && variablesText([exchange], report)
  return html`${commands.map(commandView)}${variables && html`<p class="note">${variables}</p>`}`
}

/** Returns an exchange; it is short if it is not evidence. @param evidence parts to mark */
export function exchangeView(
  exchange: ExchangeRecord,
  report: RunReport,
  evidence?: readonly InspectedPart[],
  isOpen = false,
): Markup {
  const { id, purpose, startedAt, durationMs, attempt, traceId } = exchange
  const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
  const trace =
    traceId &&
    html` Trace: ${linkView(html`<code>${traceId}</code>`, traceUrlOf(exchange, report.settings))}.`
  const limits = evidence ? evidenceLimits : listLimits
  const { sent, received } = messagesOf(exchange, evidence ?? [], limits)
  return html`<details class="exchange"${isOpen && html` open`}><summary>Exchange <b>${id}</b> <span class="searched">${truncate(requestLine(exchange), 160)}</span> → ${statusLine(exchange)}</summary>
<div id="${anchor(id)}" class="exchange-content"><p class="note">For ${purpose}, sent ${startedAt}, took ${Math.round(durationMs)} ms${attempts}.${trace}</p>
<div class="messages"><div>${messageView('Request', sent)}
${repeatView(exchange, report)}</div>
${messageView('Response', received)}</div></div></details>`
}
