import { printableSentence } from '../text/printable.ts'

// GitHub, GitLab and Gitea link these in the rendered text, where a backslash no longer prevents it.
// An empty comment after the mark does.
const startOfReference = /[@#$!%&~](?=\w)|:(?=\/\/|\w+:)|\bwww(?=\.)|\bGH(?=-\d)/gi

/** Escapes text for one line: no Markdown, HTML, mentions or links. */
export function plainText(text: string): string {
  return printableSentence(text)
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

export function idSpan(id: string): string {
  return codeSpan(id, 120)
}

export function idSpans(ids: readonly string[]): string {
  const more = ids.length - 8
  return `${ids.slice(0, 8).map(idSpan).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

export interface MarkdownSection {
  /** Trusted text. */
  title: string
  folded?: boolean
  head: readonly string[]
  /** A section without rows is omitted. */
  rows: readonly string[]
  /** Number of items, by default the number of rows. */
  count?: number
  foot?: readonly string[]
}

export function markdownTable(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): MarkdownSection {
  const head = [tableRow(columns), tableRow(columns.map(() => '---'))]
  return { title, head, rows: rows.map(tableRow) }
}

const MAX_DOCUMENT_CHARS = 60_000

const measure = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0)

/**
 * Returns a document of at most 60,000 characters (GitHub comments have at most 65,536). Earlier sections
 * get space first; every section keeps its frame and states its number of omitted rows.
 */
export function markdownDocument(
  head: readonly string[],
  sections: readonly MarkdownSection[],
  location: string,
): string {
  const omission = (count: number) => ['', `… and ${count} more, ${location}.`]
  const framed = sections
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, folded, head, rows, count = rows.length, foot = [] }) => ({
      rows,
      before: folded
        ? ['<details>', `<summary>${title} (${count})</summary>`, '', ...head]
        : [`### ${title} (${count})`, '', ...head],
      after: folded ? ['', ...foot, '</details>', ''] : ['', ...foot],
    }))
  const frames = framed.map(({ before, rows, after }) =>
    measure([...before, ...after, ...omission(rows.length)]),
  )
  let room = frames.reduce((rest, frame) => rest - frame, MAX_DOCUMENT_CHARS - measure(head))
  const lines = framed.flatMap(({ before, rows, after }) => {
    const end = rows.findIndex((row) => {
      room -= row.length + 1
      return room < 0
    })
    if (end === -1) return [...before, ...rows, ...after]
    room += measure(rows.slice(end, end + 1))
    return [...before, ...rows.slice(0, end), ...omission(rows.length - end), ...after]
  })
  return `${[...head, ...lines].join('\n').trimEnd()}\n`
}
