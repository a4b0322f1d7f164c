import type { RequirementResult, Waiver } from '../../conformance/result.ts'
import type { ReportModel } from '../model.ts'
import {
  type ExcerptLimits,
  excerpt,
  printableLine,
  printableSentence,
  printableText,
} from '../printable.ts'
import { groupBy } from '../reason-groups.ts'
import { anchor, html, joined, type Markup, verdictMark } from './markup.ts'

export interface PageContext extends ReportModel {
  /**
   * By the id of an exchange: the results that it shows. The first of them shows it on the page; an
   * exchange that shows none is in the list of exchanges.
   */
  shownBy: ReadonlyMap<string, readonly RequirementResult[]>
}

/** Works out where on the page each exchange is shown: each has one place. */
export function pageContext(model: ReportModel): PageContext {
  const { evidence, failed, unjudged } = model
  const showing = [
    ...failed.map(({ result }) => result),
    ...unjudged.flatMap(({ example }) => example ?? []),
  ].filter((result) => evidence.of(result) !== undefined)
  return {
    ...model,
    shownBy: groupBy(showing, (result) => evidence.of(result)?.id ?? ''),
  }
}

const valueLimits: ExcerptLimits = { characters: 4000, lines: 60 }

/** Text of a report, in its lines, cut where it is very long. */
export function longText(text: string): string {
  return printableText(excerpt(text, valueLimits))
}

export function reasonText(reason: string | undefined): Markup {
  return reason === undefined ? html`` : html`<p class="reason searched">${longText(reason)}</p>`
}

const otherwise = 'Judged on a server that is set or filled otherwise.'

/** What would have a requirement judged that was skipped, as far as the report knows. */
export function advice(result: Pick<RequirementResult, 'unjudged'> | undefined): Markup {
  const { unjudged } = result ?? {}
  switch (unjudged?.kind) {
    case 'not selected':
      return hint('Run without --requirement, or with a pattern that selects it.')
    case 'untestable':
      return hint('No setting changes that: nothing that the document shows would tell.')
    case 'needs': {
      const texts = new Set(unjudged.needs.map(({ advice = otherwise }) => advice))
      const names = [...new Set(unjudged.needs.flatMap(({ variables }) => variables))]
      const variables = joined(
        names.map((name) => html`<code>${printableSentence(name)}</code>`),
        ', ',
      )
      return hint(
        html`${printableSentence([...texts].join(' '))}${names.length === 0 ? '' : html` (${variables})`}`,
      )
    }
    default:
      return html``
  }
}

/** The id of a requirement as a link to its row: what a reader copies to show somebody else. */
export function permalink({ requirement }: RequirementResult, text = requirement): Markup {
  const shown = printableSentence(text)
  const whole = printableSentence(requirement)
  return html`<a class="permalink" href="#${anchor(requirement)}" title="Link to ${whole}"><span class="hash">#</span>${shown}</a>`
}

/** A link to the row of a requirement; `text` is what the link calls it. */
export function requirementLink(requirement: string, text = requirement): Markup {
  return html`<a href="#${anchor(requirement)}">${printableSentence(text)}</a>`
}

/** A value with its label, in a list of those to be compared. */
export function side(label: string, text: string | undefined): Markup {
  if (text === undefined) return html``
  return html`<div class="${label.toLowerCase()}"><dt>${label}</dt><dd><code>${longText(text)}</code></dd></div>`
}

export function difference({ expected, actual }: RequirementResult): Markup {
  if (expected === undefined && actual === undefined) return html``
  return html`<dl class="difference searched">${side('Expected', expected)}${side('Actual', actual)}</dl>`
}

export function provenance({ section, level }: RequirementResult): Markup {
  const kind = level === 'wording' ? 'exact wording' : 'contract'
  return html`Document section “${printableSentence(section)}”, ${kind}.`
}

/** Links to exchanges by their ids; one that is not in the report is named without a link. */
export function exchangeLinks(ids: readonly string[], { evidence }: PageContext): Markup {
  const links = ids.map((id) =>
    evidence.exchange(id)
      ? html`<a href="#${anchor(id)}">${printableLine(id)}</a>`
      : html`${printableLine(id)}`,
  )
  return joined(links, ', ')
}

/** Who answers for a waiver, until when, and why. Nothing but a web address is a link. */
export function waiverFacts({ expires, owner, reason, link }: Omit<Waiver, 'requirement'>): Markup {
  const shown = printableLine(link ?? '')
  const isWeb = /^https?:\/\//i.test(shown)
  const more = isWeb ? html`<a href="${shown}" rel="noreferrer">${shown}</a>` : html`${shown}`
  return html`<p class="waiver searched">Waived until ${printableSentence(expires)}, ${printableSentence(owner)}: ${printableSentence(reason)}${link === undefined ? '' : html` More: ${more}`}</p>`
}

function hint(text: string | Markup): Markup {
  return html`<p class="hint">${text}</p>`
}

/** What is known of the verdict of a row: its waiver, its reason and what would change it. */
function explanation(result: RequirementResult, note: string | undefined): Markup {
  const { reason, waiver } = result
  const waived = note === undefined ? html`` : hint(printableSentence(note))
  return html`${waiver === undefined ? '' : html`${waiverFacts(waiver)}${waived}`}${reasonText(reason)}${advice(result)}`
}

/** `name` is what the row calls it, by default its whole id; `note` is on its waiver. */
export function resultRow(
  result: RequirementResult,
  context: PageContext,
  { name, note }: { name?: string; note?: string | undefined } = {},
): Markup {
  const { requirement, verdict, statement, exchanges } = result
  const id =
    name === undefined
      ? ''
      : html`<span class="searched">${printableSentence(requirement)}</span>. `
  const links =
    exchanges.length === 0 ? '' : html` Exchanges: ${exchangeLinks(exchanges, context)}.`
  return html`<li class="requirement row" data-verdict="${verdict}"><details><summary>${verdictMark(verdict)}<span class="statement searched">${printableSentence(statement)}</span></summary>
<div class="row-content" id="${anchor(requirement)}">${explanation(result, note)}${difference(result)}
<p class="note">${id}${provenance(result)}${links}</p></div></details>
<span class="reference searched">${permalink(result, name)}</span></li>
`
}
