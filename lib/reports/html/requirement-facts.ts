import type { RequirementResult } from '../../conformance/result.ts'
import {
  type ExcerptLimits,
  excerpt,
  printableLine,
  printableSentence,
  printableText,
} from '../printable.ts'
import { anchor } from './anchors.ts'
import { html, joined, type Markup } from './markup.ts'
import type { PageContext } from './page-context.ts'

const valueLimits: ExcerptLimits = { characters: 4000, lines: 60 }

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
