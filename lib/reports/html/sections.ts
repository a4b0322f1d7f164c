/** The sections of the page: the sections of other formats, and its requirements, settings and exchanges. */
import type { ExchangeRecord } from '../../probe/exchange.ts'
import { idParts, sectionOf } from '../../results/ids.ts'
import { countVerdicts } from '../../results/outcome.ts'
import type { InspectedPart } from '../../results/run-report.ts'
import { groupBy } from '../../text/group-by.ts'
import { capitalized, type ExcerptLimits, excerpt, truncate } from '../../text/printable.ts'
import { counted } from '../../text/quantities.ts'
import {
  type Message,
  type MessageLine,
  messagesOf,
  requestLine,
  statusLine,
} from '../exchange-text.ts'
import {
  type Detail,
  type Entry,
  type Evidence,
  type Facts,
  type ReportModel,
  type Section,
  type Span,
  type Text,
  textOf,
} from '../facts.ts'
import { traceUrlOf } from '../report-text.ts'
import { commandsFor, variablesText } from '../rerun-commands.ts'
import { runSections } from '../run-document.ts'
import { verdictTally } from '../verdict-labels.ts'
import {
  anchor,
  displayName,
  html,
  joined,
  linkTo,
  linkView,
  type Markup,
  verdictMark,
} from './markup.ts'

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
function commandView({ label, command }: Evidence['commands'][number]): Markup {
  if (command.length > 16_384) {
    return html`<p class="note">${label} a command of ${command.length} characters, too many to be shown.</p>`
  }
  return html`<div class="repeat"><p>${label} <button type="button" class="copy" aria-label="Copy the command: ${label}" hidden>Copy</button></p>
<pre><code>${command}</code></pre></div>`
}

export interface PageSection {
  id: string
  title: string
  count: number
  content: Markup
}

const fold = (content: Markup) => html`<details class="fold"><summary>Show them</summary>
${content}</details>`

const note = (content: unknown) => html`<p class="note">${content}</p>\n`

function setting([name, value]: [string, unknown]): Markup {
  const text = excerpt(String(value), { characters: 600, lines: 8 })
  const content = value === `$${name}` ? 'set' : html`<code>${text}</code>`
  return html`<div><dt><code>${name}</code></dt><dd>${content}</dd></div>\n`
}

export class Page {
  readonly #model: ReportModel
  /** Ids of the exchanges that are already there. */
  readonly #shown = new Set<string>()

  constructor(model: ReportModel) {
    this.#model = model
  }

  sections(): PageSection[] {
    const { report, facts } = this.#model
    const settings = Object.entries(report.settings).map(setting)
    const sections = runSections(this.#model).flatMap((section) => {
      const { id = '', title, entries, count = entries.length } = section
      return entries.length === 0 ? [] : { id, title, count, content: this.#section(section) }
    })
    const about =
      'The other requests that a failure, a missing verdict or an observation refers to. Variable names replace secrets.'
    const exchanges = report.exchanges
      .filter(({ id }) => !this.#shown.has(id))
      .map((one) => html`<li>${this.#exchange(one)}</li>\n`)
    const further = (id: string, count: number, content: Markup): PageSection => {
      return { id, title: capitalized(id), count, content }
    }
    const list = html`<ul class="further">\n${exchanges}</ul>`
    return [
      ...sections,
      further('requirements', facts.size, this.#requirements()),
      further('settings', settings.length, fold(html`<dl class="values">\n${settings}</dl>`)),
      further('exchanges', exchanges.length, html`${note(about)}${fold(list)}`),
    ].filter(({ count }) => count > 0)
  }

  #span(span: Span): Markup {
    if (typeof span === 'string') return html`${span}`
    if ('code' in span) {
      return html`<code>${excerpt(span.code, { characters: 4000, lines: 60 })}</code>`
    }
    if ('link' in span) return linkView(span.link, span.url)
    const links = span.ids.map((id) => this.#link(id))
    return joined(links, ', ')
  }

  /** Returns a link to a requirement or an exchange; only its id if it is not on the page. */
  #link(id: string): Markup {
    const { facts, exchanges } = this.#model
    return facts.has(id) || exchanges.has(id) ? linkTo(id) : html`${id}`
  }

  #text(text: Text): Markup {
    return html`${[text].flat().map((span) => this.#span(span))}`
  }

  #details(details: readonly Detail[] = []): Markup {
    const others = details.filter(({ label }) => label === undefined)
    const labelled = details.flatMap(({ label, text }) =>
      label === undefined
        ? []
        : html`<div class="${label}"><dt>${capitalized(label)}</dt><dd>${this.#text(text)}</dd></div>\n`,
    )
    return html`${labelled.length > 0 && html`<dl class="details searched">${labelled}</dl>\n`}${others.map(({ text }) => html`<p>${this.#text(text)}</p>\n`)}`
  }

  #exchanges(ids: readonly string[] = []): Markup | false {
    return ids.length > 0 && html`<p class="note">Exchanges: ${this.#span({ ids })}.</p>`
  }

  /** Returns an exchange, or a link to it if it is already there. It is short if it is not evidence. @param reads parts to mark */
  #exchange(exchange: ExchangeRecord, reads?: readonly InspectedPart[], isOpen = false): Markup {
    const { id, purpose, startedAt, durationMs, attempt, traceId } = exchange
    if (this.#shown.has(id)) return html`<p class="note">Exchange ${linkTo(id)}, shown above.</p>`
    this.#shown.add(id)
    const { report } = this.#model
    const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
    const traceUrl = traceUrlOf(exchange, report.settings)
    const trace = traceId && html` Trace: ${linkView(html`<code>${traceId}</code>`, traceUrl)}.`
    const limits = reads ? evidenceLimits : listLimits
    const { sent, received } = messagesOf(exchange, reads ?? [], limits)
    const commands = commandsFor(exchange, report)
    const variables = commands.length > 0 && variablesText([exchange], report)
    return html`<details class="exchange"${isOpen && html` open`}><summary>Exchange <b>${id}</b> <span class="searched">${truncate(requestLine(exchange), 160)}</span> → ${statusLine(exchange)}</summary>
<div id="${anchor(id)}" class="exchange-content"><p class="note">For ${purpose}, sent ${startedAt}, took ${Math.round(durationMs)} ms${attempts}.${trace}</p>
<div class="messages"><div>${messageView('Request', sent)}
${commands.map(commandView)}${variables && html`<p class="note">${variables}</p>`}</div>
${messageView('Response', received)}</div></div></details>`
  }

  #failure(entry: Entry): Markup {
    const { id = '', title = '', name, details, evidence } = entry
    const { rerun = '', result } = this.#model.facts.get(id) ?? {}
    const isOpen = this.#model.failed.length <= 5
    const exchange = evidence && this.#exchange(evidence.exchange, evidence.reads, isOpen)
    return html`<article class="card failure requirement" id="${anchor(id)}" data-verdict="fail" tabindex="-1">
<h3>${verdictMark('fail')}<span class="statement searched">${title}</span></h3>
<p class="note permalink searched">${this.#text(name)}</p>
${this.#details(details)}${exchange ?? html`<p class="note">No exchange was recorded for this.</p>`}
${this.#exchanges(result?.exchanges.slice(1))}
${commandView({ label: `Check ${id} again with:`, command: rerun })}
</article>
`
  }

  #entry(entry: Entry, index: number): Markup {
    const { id, number, name, details = [], evidence } = entry
    const count = number !== undefined && html`<span class="count">${number} ×</span> `
    const title = id === undefined ? this.#text(name) : linkTo(id, textOf(name))
    return html`<li class="listed"${id && html` id="${anchor(id)}"`}><h3>${count}${title}</h3>
${this.#details(details)}${evidence && this.#exchange(evidence.exchange, evidence.reads, index < 6)}</li>
`
  }

  #section({ id, entries, notes = [] }: Section): Markup {
    const texts = notes.map((text) => note(this.#text(text)))
    if (id === 'failed') return html`${texts}${entries.map((entry) => this.#failure(entry))}`
    const list = html`<ul>\n${entries.map((entry, index) => this.#entry(entry, index))}</ul>`
    return html`${texts}${id === 'observations' ? fold(list) : list}`
  }

  #row({ result, place, details }: Facts): Markup {
    const { requirement, verdict, statement, level, exchanges } = result
    return html`<li class="requirement row" data-verdict="${verdict}"><details><summary>${verdictMark(verdict)}<span class="statement searched">${statement}</span></summary>
<div class="row-content" id="${anchor(requirement)}">${this.#details(details)}
<p class="note">${linkView(place.text, place.url)}, ${level}.</p>
${this.#exchanges(exchanges)}</div></details>
<span class="permalink searched">${linkTo(requirement)}</span></li>
`
  }

  /** Returns the requirements of a section of a document, without those that failed. */
  #rows(section: string, members: readonly Facts[]): Markup {
    const failed = members.filter(({ result }) => result.verdict === 'fail')
    const above = this.#span({ ids: failed.map(({ result }) => result.requirement) })
    const tally = verdictTally(countVerdicts(members.map(({ result }) => result))).map(
      ({ verdict, text }) => html`<span class="${verdict}">${text}</span>`,
    )
    return html`<details class="section" id="${anchor(`section/${section}`)}"><summary><b>${displayName(section.split('/')[1] ?? '')}</b> <span class="tally">${joined(tally, ', ')}</span></summary>
${failed.length > 0 && html`<p class="note">Shown above: ${above}.</p>`}
<ul class="rows">
${members.filter((one) => !failed.includes(one)).map((one) => this.#row(one))}</ul>
</details>
`
  }

  #requirements(): Markup {
    const services = groupBy([...this.#model.facts.values()], ({ result }) => {
      return idParts(result.requirement).service
    })
    return html`${Array.from(services, ([service, all]) => {
      const sections = groupBy(all, ({ result }) => sectionOf(result.requirement))
      return html`<div class="service">
<h3>${displayName(service)} <span class="count">${counted(all.length, 'requirement')}</span></h3>
${Array.from(sections, ([section, members]) => this.#rows(section, members))}</div>
`
    })}`
  }
}
