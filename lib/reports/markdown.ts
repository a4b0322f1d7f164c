/** Lays out documents as GitHub-flavored Markdown. */
import { printableProse, printableSentence, truncate } from '../text/printable.ts'
import type { Entry, ReportModel, Section, Span, Text } from './facts.ts'
import { requestsText, targetTexts } from './report-text.ts'
import { runSections } from './run-document.ts'
import { runVerdictStyles, verdictCountsText } from './verdict-labels.ts'

// GitHub, GitLab and Gitea link these in the rendered text, where a backslash no longer prevents it.
// An empty comment after the mark does.
const startOfReference = /[@#$!%&~](?=\w)|:(?=\/\/|\w+:)|\bwww(?=\.)|\bGH(?=-\d)/gi

/** Escapes text for one line: no Markdown, HTML, mentions or links. */
export function plainText(text: string): string {
  return printableProse(text)
    .replace(/[\\`*_[\]<>~&]/g, '\\$&')
    .replace(startOfReference, '$&<!-- -->')
}

/** Formats untrusted text as inline code on one line, where Markdown, HTML, mentions and links have no effect. Empty text becomes a dash. */
export function codeSpan(text: string, length: number): string {
  const line = printableSentence(text, length)
  if (line === '') return '–'
  const maxRun = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(maxRun + 1)
  // Renderers remove one space at both ends; without it, a backtick would join the fence.
  const padding = /^`|`$/.test(line) ? ' ' : ''
  return `${fence}${padding}${line}${padding}${fence}`
}

function idSpans(ids: readonly string[]): string {
  const more = ids.length - 8
  const spans = ids.slice(0, 8).map((id) => codeSpan(id, 120))
  return `${spans.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function spanMarkdown(span: Span): string {
  if (typeof span === 'string') return plainText(span)
  if ('code' in span) return codeSpan(span.code, 400)
  if ('ids' in span) return idSpans(span.ids)
  const { link, url } = span
  if (url === undefined) return plainText(link)
  // Any text of the operator.
  if (url === link) return codeSpan(link, 400)
  // Escaped so that it cannot end the link.
  const safe = url.replaceAll(/[()<>\\`]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return `[${plainText(link)}](${safe})`
}

/** Formats a text on one line. Empty text becomes a dash. */
export function markdownText(text: Text): string {
  return [text].flat().map(spanMarkdown).join('').trim() || '–'
}

function entryMarkdown({ number, title, name, details = [] }: Entry): string {
  const parts = [
    ...(number === undefined ? [] : [String(number)]),
    markdownText(name),
    ...(title === undefined ? [] : [markdownText(truncate(title, 300))]),
  ]
  const items = details.map(({ label, text }) => {
    return `  - ${label === undefined ? '' : `${label}: `}${markdownText(text)}`
  })
  return [`- ${parts.join(': ')}`, ...items].join('\n')
}

function sectionMarkdown({ title, folded, entries, count, notes = [] }: Section) {
  const heading = `${title} (${count ?? entries.length})`
  const foot = notes.flatMap((note) => [markdownText(note), ''])
  return {
    before: [...(folded ? ['<details>', `<summary>${heading}</summary>`] : [`### ${heading}`]), ''],
    rows: entries.map(entryMarkdown),
    after: ['', ...foot, ...(folded ? ['</details>', ''] : [])],
  }
}

const MAX_DOCUMENT_CHARS = 60_000
const MAX_OMISSION_CHARS = 60

/**
 * Returns a document of at most 60,000 characters (GitHub comments have at most 65,536). Earlier sections
 * get space first, folded ones last; every section keeps its frame and states its number of omitted rows.
 *
 * @param head paragraphs in Markdown
 * @param location where omitted entries are, in Markdown
 */
export function markdownDocument(
  head: readonly string[],
  sections: readonly Section[],
  location: string,
): string {
  const isFolded = ({ folded = false }: Section) => Number(folded)
  const start = head.flatMap((paragraph) => [paragraph, ''])
  const framed = sections
    .toSorted((one, other) => isFolded(one) - isFolded(other))
    .filter(({ entries }) => entries.length > 0)
    .map(sectionMarkdown)
  const frames = framed.flatMap(({ before, after }) => [...before, ...after])
  const used = [...start, ...frames].reduce((sum, line) => sum + line.length + 1, 0)
  let room = MAX_DOCUMENT_CHARS - used - framed.length * MAX_OMISSION_CHARS
  const lines = framed.flatMap(({ before, rows, after }) => {
    let kept = 0
    for (const { length } of rows) {
      if (length >= room) break
      room -= length + 1
      kept += 1
    }
    const omitted = rows.length - kept
    const omission = omitted === 0 ? [] : ['', `… and ${omitted} more, ${location}.`]
    return [...before, ...rows.slice(0, kept), ...omission, ...after]
  })
  return `${[...start, ...lines].join('\n').trimEnd()}\n`
}

function head({ report, outcome, title, reminders }: ReportModel): string[] {
  const { target, tool, run } = report
  const texts: Text[] = [
    ...reminders,
    { code: targetTexts(target).join('; ') },
    { code: `Plumbline ${tool.version}, run ${run.id}, ${run.startedAt}` },
  ]
  return [
    `## ${runVerdictStyles[outcome.displayVerdict].mark} ${markdownText(title)}`,
    `**${verdictCountsText(outcome.counts)}**, ${markdownText(requestsText(report))}`,
    ...texts.map(markdownText),
  ]
}

/** Returns the run as Markdown. Text from the target is in code spans, where markup, mentions and links have no effect. */
export function summaryMarkdown(model: ReportModel): string {
  const note: Text = [{ code: 'report.html' }, ' has the exchange and commands of each failure.']
  const sections = runSections(model).map(({ notes = [], ...section }) => {
    return { ...section, notes: section.id === 'failed' ? [note, ...notes] : notes }
  })
  return markdownDocument(head(model), sections, 'in `report.json`')
}
