import { html } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import type { PageContext } from './page-context.ts'
import { resultRow } from './result-row.ts'

/** Wordings that deviate while wordings only advise. */
export function deviationSection(context: PageContext): PageSection {
  const deviating = context.report.results.filter(({ verdict }) => verdict === 'advisory')
  return {
    id: 'deviations',
    title: 'Advisory',
    count: deviating.length,
    requirements: true,
    content: html`<p class="note">Wordings that differ from the document while wordings only advise: they do not count.</p>
<ul class="rows whole-ids">
${deviating.map((result) => resultRow(result, context))}</ul>`,
  }
}
