import type { RequirementResult } from '../../results/run-report.ts'
import { capitalized, excerpt, truncate } from '../../text/printable.ts'
import { caseFacts } from '../case-text.ts'
import type { Entry, Span, Text } from '../document.ts'
import { placeInBody } from '../exchange-text.ts'
import type { ReportModel } from '../model.ts'
import { placeInDocument } from '../report-text.ts'
import { waiverSpans } from '../run-document.ts'
import { anchor, codeList, html, joined, linkTo, type Markup, verdictMark } from './markup.ts'

/** Returns the anchor of an observation, which may have the id of a requirement. */
export const observationId = (id: string) => `observation/${id}`

export function longText(text: string): string {
  return excerpt(text, { characters: 4000, lines: 60 })
}

function spanMarkup(span: Span, { report }: ReportModel): Markup {
  if (typeof span === 'string') return html`${span}`
  if ('code' in span) return html`<code>${longText(span.code)}</code>`
  if ('value' in span) {
    return html`<code>${longText(JSON.stringify(span.value, null, 2) ?? 'nothing')}</code>`
  }
  if ('ids' in span) {
    const isShown = (id: string) => report.results.some(({ requirement }) => requirement === id)
    return joined(
      span.ids.map((id) => (isShown(id) ? linkTo(id) : html`${id}`)),
      ', ',
    )
  }
  if ('observation' in span) return linkTo(observationId(span.observation), span.observation)
  if ('address' in span && !/^https?:\/\//i.test(span.address)) return html`${span.address}`
  const { link, url } = 'address' in span ? { link: span.address, url: span.address } : span
  return url === undefined ? html`${link}` : html`<a href="${url}" rel="noreferrer">${link}</a>`
}

export function textMarkup(text: Text, context: ReportModel): Markup {
  return html`${[text].flat().map((span) => spanMarkup(span, context))}`
}

function hint(text: string | Markup): Markup {
  return html`<p class="hint">→ ${text}</p>`
}

/** Returns advice on getting a verdict for a skipped requirement. */
export function advice({ noVerdict }: Pick<RequirementResult, 'noVerdict'>): Markup | false {
  if (noVerdict?.kind !== 'needs') return false
  const fallback = 'Needs a server with other settings or data.'
  const texts = new Set(noVerdict.needs.map((need) => need.advice ?? fallback))
  const names = [...new Set(noVerdict.needs.flatMap(({ variables }) => variables))]
  const variables = names.length > 0 && html` (${codeList(names)})`
  return hint(html`${[...texts].join(' ')}${variables}`)
}

function side(label: string, text: Text | undefined, context: ReportModel): Markup | false {
  return (
    text !== undefined &&
    html`<div class="${label}"><dt>${capitalized(label)}</dt><dd>${textMarkup(text, context)}</dd></div>`
  )
}

/** Returns what was found about an entry, as an item of a list. */
export function entryItem(entry: Entry, context: ReportModel): Markup {
  const { name, details = [] } = entry
  const heading = textMarkup(name, context)
  if (entry.details === undefined) return html`<li>${heading}</li>\n`
  const texts = details.filter(({ label, text }) => label === undefined && text !== undefined)
  const sides = details.map(({ label, text }) => label !== undefined && side(label, text, context))
  return html`<li class="listed"><h3>${heading}</h3>
${texts.map(({ text = '' }) => html`<p>${textMarkup(text, context)}</p>\n`)}${sides.some(Boolean) && html`<dl class="difference">${sides}</dl>\n`}</li>
`
}

export function differenceAndReason(
  { expected, actual, reads }: Pick<RequirementResult, 'expected' | 'actual' | 'reads'>,
  reason: string | undefined,
  context: ReportModel,
): Markup {
  const place = placeInBody({ reads })
  const sides = Object.entries({ expected, actual }).map(
    ([label, code]) => code !== undefined && side(label, { code }, context),
  )
  return html`${sides.some(Boolean) && html`<dl class="difference searched">${sides}</dl>\n`}${place !== undefined && html`<p class="note">At <code>${place}</code></p>\n`}${reason !== undefined && html`<p class="reason searched">${longText(reason)}</p>\n`}`
}

/** Returns the simplest deviating case, and the number of the others. */
export function caseLines(result: RequirementResult, context: ReportModel): Markup | false {
  const facts = caseFacts(result, context.report)
  const sentences = [
    facts.case !== undefined && html`Case: <code>${truncate(facts.case, 400)}</code>.`,
    facts.deviates !== undefined && html`Deviates ${truncate(facts.deviates, 400)}.`,
    facts.because !== undefined && html`Because ${truncate(facts.because, 400)}.`,
    facts.since !== undefined && html`Fails since ${facts.since}.`,
  ].flatMap((sentence) => (sentence === false ? [] : sentence))
  return sentences.length > 0 && html`<p class="note searched">${joined(sentences, ' ')}</p>\n`
}

export function provenance(result: RequirementResult, context: ReportModel): Markup {
  const kind = result.level === 'wording' ? 'exact wording' : 'contract'
  const { title, url } = placeInDocument(result, context.report)
  const link = textMarkup({ link: result.section, url }, context)
  return html`${title === undefined ? 'Document' : `${title},`} section “${link}”, ${kind}.`
}

/** Links exchange ids; an id that is not in the report stays text. */
export function exchangeLinks(ids: readonly string[], { evidence }: ReportModel): Markup {
  const links = ids.map((id) => (evidence.exchange(id) === undefined ? html`${id}` : linkTo(id)))
  return joined(links, ', ')
}

/** @param name link text, by default the id */
export function resultRow(result: RequirementResult, context: ReportModel, name?: string): Markup {
  const { requirement, verdict, statement, exchanges, reason, waiver } = result
  const id = name !== undefined && html`<span class="searched">${requirement}</span>. `
  const links = exchanges.length > 0 && html` Exchanges: ${exchangeLinks(exchanges, context)}.`
  return html`<li class="requirement row" data-verdict="${verdict}"><details><summary>${verdictMark(verdict)}<span class="statement searched">${statement}</span></summary>
<div class="row-content" id="${anchor(requirement)}">${waiver && html`<p class="searched">Waived by ${textMarkup(waiverSpans(waiver), context)}</p>`}${caseLines(result, context)}${differenceAndReason(result, reason, context)}${advice(result)}
<p class="note">${id}${provenance(result, context)}${links}</p></div></details>
<span class="permalink searched">${linkTo(requirement, name)}</span></li>
`
}
