import type { Waiver } from '../../conformance/result.ts'
import { printableLine, printableSentence } from '../printable.ts'
import { html, type Markup } from './markup.ts'

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
