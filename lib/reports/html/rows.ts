import type { RequirementResult, Waiver } from '../../conformance/result.ts'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import { isVariableName } from '../../target/variables.ts'
import type { ReportModel } from '../model.ts'
import {
  type ExcerptLimits,
  excerpt,
  printableLine,
  printableSentence,
  printableText,
} from '../printable.ts'
import { anchor, html, joined, type Markup, verdictMark } from './markup.ts'

/** What the parts of the page draw on. */
export interface PageContext extends ReportModel {
  /** By id. */
  exchanges: ReadonlyMap<string, ExchangeRecord>
  /** Ids of all requirements in the report. */
  requirements: ReadonlySet<string>
  /**
   * By the id of an exchange: the results that it shows. The first of them shows it on the page; an
   * exchange that shows none is in the list of exchanges.
   */
  shownBy: ReadonlyMap<string, readonly RequirementResult[]>
}

/** Works out where on the page each exchange is shown: each has one place. */
export function pageContext(model: ReportModel): PageContext {
  const { report, evidence, failed, unjudged } = model
  const showing = [
    ...failed.map(({ result }) => result),
    ...unjudged.flatMap(({ example }) => example ?? []),
  ]
  const shownBy = new Map<string, RequirementResult[]>()
  for (const result of showing) {
    const id = evidence.of(result)?.id
    if (id !== undefined) shownBy.set(id, [...(shownBy.get(id) ?? []), result])
  }
  return {
    ...model,
    exchanges: new Map(report.exchanges.map((exchange) => [exchange.id, exchange])),
    requirements: new Set(report.results.map(({ requirement }) => requirement)),
    shownBy,
  }
}

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

/** A link to the row of a requirement; `text` is what the link calls it. */
export function requirementLink(requirement: string, text = requirement): Markup {
  return html`<a href="#${anchor(requirement)}">${printableSentence(text)}</a>`
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

/** Who answers for a waiver, until when, and why. Nothing but a web address is a link. */
export function waiverFacts({ expires, owner, reason, link }: Omit<Waiver, 'requirement'>): Markup {
  const shown = printableLine(link ?? '')
  const isWeb = /^https?:\/\//i.test(shown)
  const more = isWeb ? html`<a href="${shown}" rel="noreferrer">${shown}</a>` : html`${shown}`
  return html`<p class="waiver searched">Waived until ${printableSentence(expires)}, ${printableSentence(owner)}: ${printableSentence(reason)}${link === undefined ? '' : html` More: ${more}`}</p>`
}

function hint(text: string | Markup | undefined): Markup {
  return text === undefined ? html`` : html`<p class="hint">${text}</p>`
}

/** What is known of the verdict of a row: its waiver, its reason and what would change it. */
function explanation(
  result: RequirementResult,
  note: string | undefined,
  context: PageContext,
): Markup {
  const { verdict, reason, waiver } = result
  const advice = verdict === 'skipped' ? linkedText(howToJudge(result), context) : undefined
  const waived = note === undefined ? undefined : printableSentence(note)
  const because = reason === undefined ? '' : linkedText(reason, context)
  return html`${waiver === undefined ? '' : html`${waiverFacts(waiver)}${hint(waived)}`}${reason === undefined ? '' : html`<p class="reason searched">${because}</p>${hint(advice)}`}`
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
<div class="row-content" id="${anchor(requirement)}">${explanation(result, note, context)}${difference(result)}
<p class="note">${id}${provenance(result)}${links}</p></div></details>
<span class="reference searched">${permalink(result, name)}</span></li>
`
}
