/** The sections of the page: those of the run, as in the other formats, and its requirements, settings and exchanges. */
import { idParts } from '../../results/ids.ts'
import { groupBy } from '../../text/group-by.ts'
import { capitalized, excerpt } from '../../text/printable.ts'
import { counted } from '../../text/quantities.ts'
import {
  type Detail,
  type Entry,
  type Section,
  type Span,
  spanText,
  type Text,
} from '../document.ts'
import type { Facts } from '../facts.ts'
import type { ReportModel } from '../model.ts'
import { runSections } from '../run-document.ts'
import { verdictTally } from '../verdict-labels.ts'
import { commandView, exchangeView, htmlExchangeTitle } from './exchange.ts'
import {
  anchor,
  displayName,
  html,
  joined,
  linkTo,
  type Markup,
  type PageSection,
  sectionAnchor,
  verdictMark,
} from './markup.ts'

const longText = (text: string) => excerpt(text, { characters: 4000, lines: 60 })

/** The page while it is written, from its beginning to its end. */
export class Page {
  readonly #model: ReportModel
  /** Ids of the exchanges that are already there. */
  readonly #shown = new Set<string>()

  constructor(model: ReportModel) {
    this.#model = model
  }

  sections(): PageSection[] {
    const { report, facts } = this.#model
    const { settings, exchanges } = report
    const sections = runSections(this.#model)
      .filter(({ entries }) => entries.length > 0)
      .map(({ id = '', title, entries, count = entries.length, ...section }) => {
        return { id, title, count, content: this.#section({ id, title, entries, ...section }) }
      })
    const place = sections.findIndex(({ id }) => id === 'skipped' || id === 'observations')
    const about =
      'The requests that a failure, a missing verdict or an observation refers to. Variable names replace secrets.'
    const requirements = {
      ...{ id: 'requirements', title: 'Requirements', count: facts.size },
      content: this.#requirements(),
    }
    const own = [
      {
        ...{ id: 'settings', title: 'Settings', count: Object.keys(settings).length },
        content: fold(html`<dl class="values">
${Object.entries(settings).map(setting)}</dl>`),
      },
      {
        ...{ id: 'exchanges', title: 'Exchanges', count: exchanges.length },
        content: html`<p class="note">${about}</p>
${fold(html`<ul class="further">
${exchanges.map(({ id }) => html`<li>${this.#exchange(id)}</li>\n`)}</ul>`)}`,
      },
    ]
    const at = place < 0 ? sections.length : place
    return [...sections.slice(0, at), requirements, ...sections.slice(at), ...own].filter(
      ({ count }) => count > 0,
    )
  }

  #span(span: Span): Markup {
    if (typeof span === 'string') return html`${span}`
    if ('ids' in span) {
      const links = span.ids.map((id) => (this.#model.facts.has(id) ? linkTo(id) : html`${id}`))
      return joined(links, ', ')
    }
    if ('exchange' in span) {
      const { exchange: id } = span
      return this.#model.lookup.exchange(id) === undefined ? html`${id}` : linkTo(id)
    }
    if ('observation' in span) {
      return linkTo(`observation/${span.observation}`, span.observation)
    }
    if ('code' in span || 'value' in span) return html`<code>${longText(spanText(span))}</code>`
    const { link, url } = 'address' in span ? { link: span.address, url: span.address } : span
    return url !== undefined && /^https?:\/\//i.test(url)
      ? html`<a href="${url}" rel="noreferrer">${link}</a>`
      : html`${link}`
  }

  #text(text: Text): Markup {
    return html`${[text].flat().map((span) => this.#span(span))}`
  }

  #details(details: readonly Detail[] = []): Markup {
    const labelled = details.map(
      ({ label, text }) =>
        label !== undefined &&
        text !== undefined &&
        html`<div class="${label}"><dt>${capitalized(label)}</dt><dd>${this.#text(text)}</dd></div>\n`,
    )
    const others = details.map(
      ({ label, text }) =>
        label === undefined && text !== undefined && html`<p>${this.#text(text)}</p>\n`,
    )
    return html`${labelled.some(Boolean) && html`<dl class="details searched">${labelled}</dl>\n`}${others}`
  }

  /** Returns links to exchanges. */
  #exchanges(ids: readonly string[] = []): Markup | false {
    const links = ids.map((exchange) => this.#span({ exchange }))
    return ids.length > 0 && html`<p class="note">Exchanges: ${joined(links, ', ')}.</p>`
  }

  /** Returns an exchange, or a link to it if it is already there. */
  #exchange(id: string, options?: Parameters<typeof exchangeView>[2]): Markup | false {
    const exchange = this.#model.lookup.exchange(id)
    if (exchange === undefined) return false
    if (this.#shown.has(id)) {
      return html`<p class="note">Exchange ${linkTo(id)}, shown above: ${htmlExchangeTitle(exchange)}</p>`
    }
    this.#shown.add(id)
    return exchangeView(exchange, this.#model.report, options)
  }

  #failure({ id = '', title = '', name, details, evidence }: Entry): Markup {
    const { rerun = '', result } = this.#model.facts.get(id) ?? {}
    const isOpen = this.#model.failed.length <= 5
    const options = evidence && { read: evidence.read, isEvidence: true, isOpen }
    const exchange = options && this.#exchange(evidence.exchange.id, options)
    return html`<article class="card failure requirement" id="${anchor(id)}" data-verdict="fail" tabindex="-1">
<h3>${verdictMark('fail')}<span class="statement searched">${title}</span></h3>
<p class="note permalink searched">${this.#text(name)}</p>
${this.#details(details)}${exchange ?? html`<p class="note">No exchange was recorded for this.</p>`}
${this.#exchanges(result?.exchanges.slice(1))}
${commandView('Run again', rerun, `to check ${id} again`)}
</article>
`
  }

  #entry(entry: Entry, index: number): Markup {
    const { id, number, name, details, evidence } = entry
    if (entry.verdict !== undefined) return this.#failure(entry)
    const options = evidence && { read: evidence.read, isEvidence: true, isOpen: index < 6 }
    const count = number !== undefined && html`<span class="count">${number} ×</span> `
    // Shown with what it is about.
    const about = [name, ...(details ?? []).map(({ text = '' }) => text)].flat()
    const ids = about.flatMap((span) => (typeof span === 'object' && 'ids' in span ? span.ids : []))
    const all = ids.map(anchor).join(' ')
    return html`<li class="listed"${id && html` id="${anchor(id)}"`}${all && html` data-about="${all}"`}><h3>${count}${this.#text(name)}</h3>
${this.#details(details)}${options && this.#exchange(evidence.exchange.id, options)}</li>
`
  }

  #section({ id, entries, about, notes = [] }: Section): Markup {
    const texts = [about ?? [], notes].flat()
    const items = entries.map((entry, index) => this.#entry(entry, index))
    const list = id === 'failed' ? html`${items}` : html`<ul>\n${items}</ul>`
    return html`${texts.map((text) => html`<p class="note">${this.#text(text)}</p>\n`)}${id === 'observations' ? fold(list) : list}`
  }

  #row({ result, place, details }: Facts): Markup {
    const { requirement, verdict, statement, level, exchanges } = result
    return html`<li class="requirement row" data-verdict="${verdict}"><details><summary>${verdictMark(verdict)}<span class="statement searched">${statement}</span></summary>
<div class="row-content" id="${anchor(requirement)}">${this.#details(details)}
<p class="note">${this.#span({ link: place.text, url: place.url })}, ${level}.</p>
${this.#exchanges(exchanges)}</div></details>
<span class="permalink searched">${linkTo(requirement)}</span></li>
`
  }

  /** Returns all requirements by their sections of the documents, without those that failed. */
  #requirements(): Markup {
    const all = [...this.#model.facts.values()]
    const by = (facts: readonly Facts[], part: 'service' | 'section') =>
      groupBy(facts, ({ result }) => idParts(result.requirement)[part])
    const sectionOf =
      (service: string) =>
      ([name, members]: [string, readonly Facts[]]) => {
        const results = members.map(({ result }) => result)
        const failed = results.filter(({ verdict }) => verdict === 'fail')
        const tally = verdictTally(results).map(
          ({ verdict, text }) => html`<span class="${verdict}">${text}</span>`,
        )
        const above = joined(
          failed.map(({ requirement }) => linkTo(requirement)),
          ', ',
        )
        return html`<details class="section" id="${sectionAnchor(service, name)}"><summary><b>${displayName(name)}</b> <span class="tally">${joined(tally, ', ')}</span></summary>
${failed.length > 0 && html`<p class="note">Shown above: ${above}.</p>`}
<ul class="rows">
${members.filter(({ result }) => !failed.includes(result)).map((one) => this.#row(one))}</ul>
</details>
`
      }
    const services = Array.from(
      by(all, 'service'),
      ([service, members]) => html`<div class="service">
<h3>${displayName(service)} <span class="count">${counted(members.length, 'requirement')}</span></h3>
${Array.from(by(members, 'section'), sectionOf(service))}</div>
`,
    )
    return html`${services}`
  }
}

const fold = (content: Markup) => html`<details class="fold"><summary>Show them</summary>
${content}</details>`

function setting([name, value]: [string, unknown]): Markup {
  const text = excerpt(String(value), { characters: 600, lines: 8 })
  const content = value === `$${name}` ? 'set' : html`<code>${text}</code>`
  return html`<div><dt><code>${name}</code></dt><dd>${content}</dd></div>\n`
}
