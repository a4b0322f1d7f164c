import { html } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import type { PageContext } from './page-context.ts'
import { resultRow } from './result-row.ts'

/** Deviations that do not fail the run: known ones, and wordings while wordings only advise. */
export function deviationSection(context: PageContext): PageSection {
  const deviating = context.report.results.filter(
    ({ verdict }) => verdict === 'waived' || verdict === 'advisory',
  )
  return {
    id: 'deviations',
    title: 'Waived and advisory',
    count: deviating.length,
    requirements: true,
    content: html`<p class="note">Deviations from the document that do not count: known ones, which were waived, and wordings while wordings only advise.</p>
<ul class="rows whole-ids">
${deviating.map((result) => resultRow(result, context))}</ul>`,
  }
}
