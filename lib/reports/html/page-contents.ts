import { html, type Markup } from './markup.ts'

/** A section of the page. */
export interface PageSection {
  /** Of the element, and the fragment that leads to it. */
  id: string
  title: string
  /** How many things are in it. */
  count: number
  /** Whether its rows are requirements, which a search or a filter may hide. */
  requirements: boolean
  /** Everything below the heading. */
  content: Markup
}

/** Links to the sections of the page, with how much is in each. */
export function pageContents(sections: readonly PageSection[]): Markup {
  return html`<nav class="contents" aria-label="Sections of this report"><ul>
${sections.map(({ id, title, count }) => html`<li><a href="#${id}">${title}</a> <span class="count">${count}</span></li>\n`)}</ul></nav>`
}

/** A section with its heading. */
export function pageSection({ id, title, count, requirements, content }: PageSection): Markup {
  const kind = requirements ? 'requirements' : 'other'
  return html`<section class="part ${kind}" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title} <span class="count">${count}</span></h2>
${content}
</section>
`
}
