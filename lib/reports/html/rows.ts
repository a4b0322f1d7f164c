import { groupBy } from '../../environment/group-by.ts'
import type { RequirementResult, Waiver } from '../../results/run-report.ts'
import { placeInBody } from '../evidence.ts'
import { placeInDocument } from '../format.ts'
import type { ReportModel } from '../model.ts'
import { excerpt, printableLine, printableSentence, printableText } from '../printable.ts'
import { anchor, codeList, html, joined, linkTo, type Markup, verdictMark } from './markup.ts'

export type PageContext = ReturnType<typeof pageContext>

/**
 * The model with the results that each exchange shows, by its id. The first of them shows it on the
 * page; an exchange that shows none is in the list of exchanges.
 */
export function pageContext(model: ReportModel) {
  const { evidence, failed, unjudged } = model
  const showing = [
    ...failed.map(({ result }) => result),
    ...unjudged.map(({ example }) => example),
  ].filter((result) => result !== undefined)
  return { ...model, shownBy: groupBy(showing, (result) => evidence.of(result)?.id ?? '') }
}
export function longText(text: string): string {
  return printableText(excerpt(text, { characters: 4000, lines: 60 }))
}

function hint(text: string | Markup): Markup {
  return html`<p class="hint">→ ${text}</p>`
}

/** What would have a requirement judged that was skipped, as far as the report knows. */
export function advice({ unjudged }: Pick<RequirementResult, 'unjudged'>): Markup | false {
  if (unjudged?.kind === 'not selected') {
    return hint('Run without --requirement, or with a pattern that selects it.')
  }
  if (unjudged?.kind === 'untestable') {
    return hint('No setting changes that: nothing that the document shows would tell.')
  }
  if (unjudged?.kind !== 'needs') return false
  const otherwise = 'Judged on a server that is set or filled otherwise.'
  const texts = new Set(unjudged.needs.map((need) => need.advice ?? otherwise))
  const names = [...new Set(unjudged.needs.flatMap(({ variables }) => variables))]
  const variables = names.length > 0 && html` (${codeList(names)})`
  return hint(html`${printableSentence([...texts].join(' '))}${variables}`)
}

export function side(label: string, text: string | undefined): Markup | false {
  return (
    text !== undefined &&
    html`<div class="${label.toLowerCase()}"><dt>${label}</dt><dd><code>${longText(text)}</code></dd></div>`
  )
}

export function differenceAndReason(
  { expected, actual, reads }: Pick<RequirementResult, 'expected' | 'actual' | 'reads'>,
  reason: string | undefined,
): Markup {
  const place = placeInBody({ reads })
  const differs = expected !== undefined || actual !== undefined
  return html`${differs && html`<dl class="difference searched">${side('Expected', expected)}${side('Actual', actual)}</dl>\n`}${place !== undefined && html`<p class="note">At <code>${place}</code></p>\n`}${reason !== undefined && html`<p class="reason searched">${longText(reason)}</p>\n`}`
}

export function provenance(result: RequirementResult, { report }: PageContext): Markup {
  const kind = result.level === 'wording' ? 'exact wording' : 'contract'
  const { title, url } = placeInDocument(result, report)
  const section = printableSentence(result.section)
  const link = url === undefined ? section : html`<a href="${url}" rel="noreferrer">${section}</a>`
  return html`${title === undefined ? 'Document' : html`${printableSentence(title)},`} section “${link}”, ${kind}.`
}

/** Links to exchanges by their ids; one that is not in the report is named without a link. */
export function exchangeLinks(ids: readonly string[], { evidence }: PageContext): Markup {
  const links = ids.map((id) =>
    evidence.exchange(id) === undefined ? html`${printableSentence(id)}` : linkTo(id),
  )
  return joined(links, ', ')
}

/** Who answers for a waiver, until when, and why. Nothing but a web address is a link. */
export function waiverFacts({ expires, owner, reason, link }: Omit<Waiver, 'requirement'>): Markup {
  const shown = printableLine(link ?? '')
  const isWeb = /^https?:\/\//i.test(shown)
  const more = isWeb ? html`<a href="${shown}" rel="noreferrer">${shown}</a>` : shown
  return html`<p class="searched">Waived until ${printableSentence(expires)}, ${printableSentence(owner)}: ${printableSentence(reason)}${link !== undefined && html` More: ${more}`}</p>`
}

/** `name` is what the row calls it, by default its whole id; `note` is on its waiver. */
export function resultRow(
  result: RequirementResult,
  context: PageContext,
  { name, note }: { name?: string; note?: string | undefined } = {},
): Markup {
  const { requirement, verdict, statement, exchanges, reason, waiver } = result
  const id =
    name !== undefined && html`<span class="searched">${printableSentence(requirement)}</span>. `
  const links = exchanges.length > 0 && html` Exchanges: ${exchangeLinks(exchanges, context)}.`
  return html`<li class="requirement row" data-verdict="${verdict}"><details><summary>${verdictMark(verdict)}<span class="statement searched">${printableSentence(statement)}</span></summary>
<div class="row-content" id="${anchor(requirement)}">${waiver && waiverFacts(waiver)}${waiver && note !== undefined && hint(printableSentence(note))}${differenceAndReason(result, reason)}${advice(result)}
<p class="note">${id}${provenance(result, context)}${links}</p></div></details>
<span class="permalink searched">${linkTo(requirement, name)}</span></li>
`
}
