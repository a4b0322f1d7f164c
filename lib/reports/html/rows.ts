import type { RequirementResult, Waiver } from '../../results/run-report.ts'
import { excerpt, printableLine, printableSentence, printableText } from '../../text/printable.ts'
import { caseFacts } from '../case-text.ts'
import { placeInBody } from '../evidence.ts'
import type { ReportModel } from '../model.ts'
import { placeInDocument } from '../report-text.ts'
import { anchor, codeList, html, joined, linkTo, type Markup, verdictMark } from './markup.ts'

export function longText(text: string): string {
  return printableText(excerpt(text, { characters: 4000, lines: 60 }))
}

function hint(text: string | Markup): Markup {
  return html`<p class="hint">→ ${text}</p>`
}

/** Returns advice on getting a verdict for a skipped requirement. */
export function advice({ noVerdict }: Pick<RequirementResult, 'noVerdict'>): Markup | false {
  if (noVerdict?.kind === 'not selected') {
    return hint('Run without --requirement, or with a pattern that selects it.')
  }
  if (noVerdict?.kind === 'untestable') {
    return hint('Cannot be tested from outside.')
  }
  if (noVerdict?.kind !== 'needs') return false
  const fallback = 'Needs a server with other settings or data.'
  const texts = new Set(noVerdict.needs.map((need) => need.advice ?? fallback))
  const names = [...new Set(noVerdict.needs.flatMap(({ variables }) => variables))]
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
  const hasDifference = expected !== undefined || actual !== undefined
  return html`${hasDifference && html`<dl class="difference searched">${side('Expected', expected)}${side('Actual', actual)}</dl>\n`}${place !== undefined && html`<p class="note">At <code>${place}</code></p>\n`}${reason !== undefined && html`<p class="reason searched">${longText(reason)}</p>\n`}`
}

/** Returns the simplest deviating case, the number of the others, and the conforming exchange of an intermittent deviation. */
export function caseLines(result: RequirementResult, context: ReportModel): Markup | false {
  const facts = caseFacts(result, context.report)
  const { exchange, conformedIn } = result.deviations?.[0] ?? {}
  const sentences = [
    facts.case !== undefined && html`Case: <code>${printableSentence(facts.case, 400)}</code>.`,
    facts.deviates !== undefined && html`Deviates ${printableSentence(facts.deviates, 400)}.`,
    facts.because !== undefined && html`Because ${printableSentence(facts.because, 400)}.`,
    conformedIn !== undefined &&
      html`<strong>Intermittent:</strong> ${exchangeLinks([conformedIn], context)} conforms${exchange !== undefined && html`, and ${exchangeLinks([exchange], context)}, the same request, deviates`}.`,
  ].flatMap((sentence) => (sentence === false ? [] : sentence))
  return sentences.length > 0 && html`<p class="note searched">${joined(sentences, ' ')}</p>\n`
}

export function provenance(result: RequirementResult, { report }: ReportModel): Markup {
  const kind = result.level === 'wording' ? 'exact wording' : 'contract'
  const { title, url } = placeInDocument(result, report)
  const section = printableSentence(result.section)
  const link = url === undefined ? section : html`<a href="${url}" rel="noreferrer">${section}</a>`
  return html`${title === undefined ? 'Document' : html`${printableSentence(title)},`} section “${link}”, ${kind}.`
}

/** Links exchange ids; an id that is not in the report stays text. */
export function exchangeLinks(ids: readonly string[], { evidence }: ReportModel): Markup {
  const links = ids.map((id) =>
    evidence.exchange(id) === undefined ? html`${printableSentence(id)}` : linkTo(id),
  )
  return joined(links, ', ')
}

/** Returns the expiry, owner, reason and link of a waiver. Only web addresses become links. */
export function waiverFacts({ expires, owner, reason, link }: Omit<Waiver, 'requirement'>): Markup {
  const address = printableLine(link ?? '')
  const isWeb = /^https?:\/\//i.test(address)
  const more = isWeb ? html`<a href="${address}" rel="noreferrer">${address}</a>` : address
  return html`<p class="searched">Waived until ${printableSentence(expires)}, ${printableSentence(owner)}: ${printableSentence(reason)}${link !== undefined && html` More: ${more}`}</p>`
}

/** @param options `name`: link text, by default the id; `note`: advice on the waiver */
export function resultRow(
  result: RequirementResult,
  context: ReportModel,
  { name, note }: { name?: string; note?: string | undefined } = {},
): Markup {
  const { requirement, verdict, statement, exchanges, reason, waiver } = result
  const id =
    name !== undefined && html`<span class="searched">${printableSentence(requirement)}</span>. `
  const links = exchanges.length > 0 && html` Exchanges: ${exchangeLinks(exchanges, context)}.`
  return html`<li class="requirement row" data-verdict="${verdict}"><details><summary>${verdictMark(verdict)}<span class="statement searched">${printableSentence(statement)}</span></summary>
<div class="row-content" id="${anchor(requirement)}">${waiver && waiverFacts(waiver)}${waiver && note !== undefined && hint(printableSentence(note))}${caseLines(result, context)}${differenceAndReason(result, reason)}${advice(result)}
<p class="note">${id}${provenance(result, context)}${links}</p></div></details>
<span class="permalink searched">${linkTo(requirement, name)}</span></li>
`
}
