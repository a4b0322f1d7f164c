import type { RequirementResult, Waiver } from '../../conformance/result.ts'
import { isVariableName } from '../../target/variables.ts'
import {
  type ExcerptLimits,
  excerpt,
  printableLine,
  printableSentence,
  printableText,
} from '../printable.ts'
import { anchor, html, joined, type Markup, verdictMark } from './markup.ts'
import type { PageContext } from './page-context.ts'

const valueLimits: ExcerptLimits = { characters: 4000, lines: 60 }

/** The form of a variable's name; which of these names are variables, the tables say. */
const variable = '[A-Z]+(?:_[A-Z0-9]+)+'

const requirementOrVariable = new RegExp(
  `\\b(?:[a-z0-9-]+(?:/[a-z0-9-]+){2,}|(${variable})(?:=(?:true|false))?)\\b`,
  'g',
)

/** Text of a report: requirements that it names are linked, variables are set as code. */
export function linkedText(text: string, { requirements }: PageContext): Markup {
  const shown = printableText(excerpt(text, valueLimits))
  const pieces: (string | Markup)[] = []
  let end = 0
  for (const match of shown.matchAll(requirementOrVariable)) {
    const [name, variableName] = match
    const isRequirement = variableName === undefined
    if (isRequirement ? !requirements.has(name) : !isVariableName(variableName)) continue
    pieces.push(
      shown.slice(end, match.index),
      isRequirement ? html`<a href="#${anchor(name)}">${name}</a>` : html`<code>${name}</code>`,
    )
    end = match.index + name.length
  }
  return html`${pieces}${shown.slice(end)}`
}

type Skipped = Pick<RequirementResult, 'reason' | 'unjudged'>

const notSet = new RegExp(
  `(${variable}(?:(?:, | and | or | \\(or )${variable}\\)?)*) (?:is|are) not set`,
)
const isSetTo = new RegExp(`(${variable}) is (true|false)`)
const mayName = new RegExp(`(${variable}) may name one`)
const seeRequirement = /\bsee ([a-z0-9-]+(?:\/[a-z0-9-]+){2,})/

function otherSetting(name: string, value: string): string {
  const other = value === 'true' ? 'false' : 'true'
  return name.startsWith('PROBE_')
    ? `Set ${name}=${other} where that does no harm.`
    : `Judged on a server that is set the other way: then say so with ${name}=${other}.`
}

/** What would have a requirement judged that was skipped for this reason, in one sentence. */
export function howToJudge({ reason = '', unjudged }: Skipped): string {
  if (unjudged?.kind === 'not selected') {
    return 'Run without --requirement, or with a pattern that selects it.'
  }
  if (unjudged?.kind === 'untestable') {
    return 'No setting changes that: nothing that the document shows would tell.'
  }
  const missing = notSet.exec(reason)
  if (missing?.[1] !== undefined) return `Set ${missing[1]}.`
  const setting = isSetTo.exec(reason)
  if (setting?.[1] !== undefined) return otherSetting(setting[1], setting[2] ?? '')
  const naming = mayName.exec(reason)
  if (naming?.[1] !== undefined) return `Set ${naming[1]} and what belongs to it.`
  const requirement = seeRequirement.exec(reason)
  if (requirement?.[1] !== undefined) return `Look at ${requirement[1]} first.`
  if (reason.startsWith('no control: ')) {
    return 'The same request made properly has to succeed first.'
  }
  if (reason.startsWith('needs ')) return 'Let the target have what it needs, and run again.'
  return 'No setting changes that: this run gave no occasion to judge it.'
}

/** The id of a requirement as a link to its row: what a reader copies to show somebody else. */
export function permalink({ requirement }: RequirementResult, text = requirement): Markup {
  const shown = printableSentence(text)
  const whole = printableSentence(requirement)
  return html`<a class="permalink" href="#${anchor(requirement)}" title="Link to ${whole}"><span class="hash">#</span>${shown}</a>`
}

function side(label: string, text: string | undefined): Markup {
  if (text === undefined) return html``
  const shown = printableText(excerpt(text, valueLimits))
  return html`<div class="${label.toLowerCase()}"><dt>${label}</dt><dd><code>${shown}</code></dd></div>`
}

/** What was expected beside what came, where the result tells either. */
export function difference({ expected, actual }: RequirementResult): Markup {
  if (expected === undefined && actual === undefined) return html``
  return html`<dl class="difference searched">${side('Expected', expected)}${side('Actual', actual)}</dl>`
}

/** Where the statement stands and what kind of statement it is. */
export function provenance({ section, level }: RequirementResult): Markup {
  const kind = level === 'wording' ? 'exact wording' : 'contract'
  return html`Document section “${printableSentence(section)}”, ${kind}.`
}

/** Links to exchanges by their ids; one that is not in the report is named without a link. */
export function exchangeLinks(ids: readonly string[], { exchanges }: PageContext): Markup {
  const links = ids.map((id) =>
    exchanges.has(id)
      ? html`<a href="#${anchor(id)}">${printableLine(id)}</a>`
      : html`${printableLine(id)}`,
  )
  return joined(links, ', ')
}

/** A link of the operator's; anything but a web address is shown and leads nowhere. */
function link(address: string): Markup {
  const shown = printableLine(address)
  return /^https?:\/\//i.test(address)
    ? html`<a href="${shown}" rel="noreferrer">${shown}</a>`
    : html`${shown}`
}

/** Who answers for a waiver, until when, and why. */
export function waiverFacts(waiver: Omit<Waiver, 'requirement'>): Markup {
  const more = waiver.link === undefined ? '' : html` More: ${link(waiver.link)}`
  return html`<p class="waiver searched">Waived until ${printableSentence(waiver.expires)}, ${printableSentence(waiver.owner)}: ${printableSentence(waiver.reason)}${more}</p>`
}

function reasonParagraphs(result: RequirementResult, context: PageContext): Markup {
  const { verdict, reason } = result
  if (reason === undefined) return html``
  const hint = verdict === 'skipped' ? howToJudge(result) : undefined
  return html`<p class="reason searched">${linkedText(reason, context)}</p>${hint === undefined ? '' : html`<p class="hint">${linkedText(hint, context)}</p>`}`
}

function waiverParagraphs({ waiver }: RequirementResult, note: string | undefined): Markup {
  if (waiver === undefined) return html``
  return html`${waiverFacts(waiver)}${note === undefined ? '' : html`<p class="hint">${printableSentence(note)}</p>`}`
}

/**
 * A requirement as a folded row of a list: its statement, and behind it what is known of its
 * verdict. `name` is what the row calls it, by default its whole id; `note` is on its waiver.
 */
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
<div class="row-content" id="${anchor(requirement)}">${waiverParagraphs(result, note)}${reasonParagraphs(result, context)}${difference(result)}
<p class="note">${id}${provenance(result)}${links}</p></div></details>
<span class="reference searched">${permalink(result, name)}</span></li>
`
}
