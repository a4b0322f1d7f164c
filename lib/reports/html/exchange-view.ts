import type { RequirementResult } from '../../conformance/result.ts'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import { requestLine, statusLine } from '../exchange-text.ts'
import { type NamedParts, namedParts, nothingNamed } from '../named-parts.ts'
import { type ExcerptLimits, printableLine, printableSentence, shortened } from '../printable.ts'
import { anchor } from './anchors.ts'
import { html, type Markup } from './markup.ts'
import { messageView } from './message-view.ts'
import type { PageContext } from './page-context.ts'
import { repeatView } from './repeat-view.ts'
import { timeOfDay } from './times.ts'

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
