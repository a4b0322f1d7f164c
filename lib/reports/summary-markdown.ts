import { toServiceName } from '../results/ids.ts'
import { placeOf } from '../results/snapshot.ts'
import { groupBy } from '../text/group-by.ts'
import { joinedTexts, type Span, type Text } from './document.ts'
import { markdownDocument, markdownText } from './markdown.ts'
import type { ReportModel } from './model.ts'
import { requestsText, runNotes } from './report-text.ts'
import { runSections } from './run-document.ts'
import { runVerdictStyles, verdictCountsText } from './verdict-labels.ts'

function head({ report, outcome, title, reminders }: ReportModel): string[] {
  const { target, tool, run } = report
  const services = groupBy(Object.entries(target), ([, service]) => placeOf(service))
  const targets = Array.from(services, ([place, members]): Span[] => {
    const names = members.map(([key]) => toServiceName(key))
    return [{ ids: names }, ' at ', { code: place }]
  })
  const texts: Text[] = [
    ...runNotes(report),
    ...reminders,
    joinedTexts(targets, '; '),
    { code: `Plumbline ${tool.version}, run ${run.id}, ${run.startedAt}` },
  ]
  return [
    `## ${runVerdictStyles[outcome.displayVerdict].mark} ${markdownText(title)}`,
    `**${verdictCountsText(outcome.counts)}**, ${markdownText(requestsText(report))}`,
    ...texts.map(markdownText),
  ]
}

/**
 * Returns the run as GitHub-flavored Markdown of at most 60,000 characters. Text from the target is in
 * code spans, where markup, mentions and links have no effect.
 */
export function summaryMarkdown(model: ReportModel): string {
  const note: Text = [
    { code: 'report.html' },
    ' has the exchange of each failure and its commands.',
  ]
  const sections = runSections(model).map(({ notes = [], ...section }) => {
    return { ...section, notes: section.id === 'failed' ? [note, ...notes] : notes }
  })
  return markdownDocument(head(model), sections, 'in `report.json`')
}
