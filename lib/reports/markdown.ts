/** Lays out documents as GitHub-flavored Markdown. */
import { printableProse, printableSentence, truncate } from '../text/printable.ts'
import type { Entry, Section, Span, Text } from './document.ts'

// GitHub, GitLab and Gitea link these in the rendered text, where a backslash no longer prevents it.
// An empty comment after the mark does.
const startOfReference = /[@#$!%&~](?=\w)|:(?=\/\/|\w+:)|\bwww(?=\.)|\bGH(?=-\d)/gi

/** Escapes text for one line: no Markdown, HTML, mentions or links. */
export function plainText(text: string): string {
  return printableProse(text)
    .replace(/[\\`*_[\]<>~&]/g, '\\$&')
    .replace(startOfReference, '$&<!-- -->')
}

/**
 * Formats untrusted text as inline code on one line, where Markdown, HTML, mentions and links have no
 * effect. Empty text becomes a dash.
 */
export function codeSpan(text: string, length: number): string {
  const line = printableSentence(text, length)
  if (line === '') return '–'
  const maxRun = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(maxRun + 1)
  // Renderers remove one space at both ends; without it, a backtick would join the fence.
  const padding = /^`|`$/.test(line) ? ' ' : ''
  return `${fence}${padding}${line}${padding}${fence}`
}

/**
 * Formats a table row. Pipes are escaped, in code spans too. Renderers disagree on a pipe after two
 * backslashes, so a pipe after a backslash is written as `\u007c`.
 */
export function tableRow(cells: readonly string[]): string {
  const escaped = (pipe: string) => (pipe === '|' ? '\\|' : '\\\\u007c')
  return `| ${cells.map((cell) => cell.replace(/\\\||\|/g, escaped)).join(' | ')} |`
}

function idSpans(ids: readonly string[]): string {
  const more = ids.length - 8
  const spans = ids.slice(0, 8).map((id) => codeSpan(id, 120))
  return `${spans.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Links a text; the URL is escaped so that it cannot end the link or cell. */
function linkText({ link, url }: { link: string; url: string | undefined }): string {
  if (url === undefined) return plainText(link)
  const safe = url.replaceAll(/[()<>|\\`]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return `[${plainText(link)}](${safe})`
}

function spanMarkdown(span: Span): string {
  if (typeof span === 'string') return plainText(span)
  if ('code' in span) return codeSpan(span.code, 400)
  if ('value' in span) return codeSpan(JSON.stringify(span.value) ?? '', 200)
  if ('ids' in span) return idSpans(span.ids)
  if ('observation' in span) return idSpans([span.observation])
  if ('exchange' in span) return plainText(span.exchange)
  return 'address' in span ? codeSpan(span.address, 400) : linkText(span)
}

/** Formats a text on one line. Empty text becomes a dash. */
export function markdownText(text: Text = ''): string {
  return [text].flat().map(spanMarkdown).join('').trim() || '–'
}

/** Formats an entry as a row of a table, or as an item of a list. */
function entryMarkdown({ number, title, name, details = [] }: Entry, isRow: boolean): string {
  const cells = [
    ...(number === undefined ? [] : [String(number)]),
    markdownText(name),
    ...(title === undefined ? [] : [markdownText(truncate(title, 300))]),
  ]
  if (isRow) return tableRow([...cells, ...details.map(({ text }) => markdownText(text))])
  const items = details.flatMap(({ label, text }) =>
    text === undefined ? [] : `  - ${label === undefined ? '' : `${label}: `}${markdownText(text)}`,
  )
  return [`- ${cells.join(': ')}`, ...items].join('\n')
}

const MAX_DOCUMENT_CHARS = 60_000
const MAX_OMISSION_CHARS = 60

/** Returns the rows of a section, with what is before and after them. */
function sectionMarkdown({ title, folded, columns, entries, count, notes = [] }: Section) {
  const heading = `${title} (${count ?? entries.length})`
  const header = [columns?.map((one) => markdownText(one)) ?? [], columns?.map(() => '---') ?? []]
  const foot = notes.flatMap((note) => [markdownText(note), ''])
  return {
    before: [
      ...(folded ? ['<details>', `<summary>${heading}</summary>`] : [`### ${heading}`]),
      ...['', ...(columns ? header.map(tableRow) : [])],
    ],
    rows: entries.map((entry) => entryMarkdown(entry, columns !== undefined)),
    after: folded ? ['', ...foot, '</details>', ''] : ['', ...foot],
  }
}

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
    const end = rows.findIndex((row) => {
      if (row.length < room) room -= row.length + 1
      else return true
      return false
    })
    const kept = end === -1 ? rows : rows.slice(0, end)
    const omitted = rows.length - kept.length
    const omission = omitted === 0 ? [] : ['', `… and ${omitted} more, ${location}.`]
    return [...before, ...kept, ...omission, ...after]
  })
  return `${[...start, ...lines].join('\n').trimEnd()}\n`
}
