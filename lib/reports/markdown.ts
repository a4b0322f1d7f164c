import { printableSentence, truncate } from './printable.ts'

// GitHub, GitLab and Gitea look for these in the text of the rendered page, where no backslash of
// Markdown is left to prevent it. A comment takes no room and ends what they look for.
const startOfReference = /[@#$!%&~](?=\w)|:(?=\/\/|\w+:)|\bwww(?=\.)|\bGH(?=-\d)/gi

/** Text as text, on one line: no Markdown, no HTML, nobody mentioned, nothing linked. */
export function plainText(text: string): string {
  return printableSentence(text)
    .replace(/[\\`*_[\]<>~&]/g, '\\$&')
    .replace(startOfReference, '$&<!-- -->')
}

/**
 * Text of any origin as inline code, on one line: nothing in it is Markdown, HTML, a mention or a
 * link. A dash stands for empty text.
 */
export function codeSpan(text: string, length: number): string {
  const line = truncate(printableSentence(text), length)
  if (line === '') return '–'
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  // A space at both ends belongs to the fence; without it a backtick there would.
  const padding = /^`|`$/.test(line) ? ' ' : ''
  return `${fence}${padding}${line}${padding}${fence}`
}

/**
 * A row of a table. A pipe ends a cell, in code spans too, unless a backslash stands before it; on
 * what two of them mean renderers disagree, so that a pipe behind a backslash is written out.
 */
export function tableRow(cells: readonly string[]): string {
  const escaped = (pipe: string) => (pipe === '|' ? '\\|' : '\\\\u007c')
  return `| ${cells.map((cell) => cell.replace(/\\\||\|/g, escaped)).join(' | ')} |`
}

export function tableHead(titles: readonly string[]): string[] {
  return [tableRow(titles), tableRow(titles.map(() => '---'))]
}

export function idSpan(id: string): string {
  return codeSpan(id, 120)
}

export function idSpans(ids: readonly string[]): string {
  const more = ids.length - 8
  return `${ids.slice(0, 8).map(idSpan).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

export interface MarkdownSection {
  /** A title of ours, never a deployment's. */
  title: string
  folded?: boolean
  head: readonly string[]
  /** A section without any is left out. */
  rows: readonly string[]
  /** How many things the rows tell of, where that is not their number. */
  count?: number
  foot?: readonly string[]
}

const lengthOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0)

/**
 * A document of at most 60,000 characters, since a comment on GitHub has at most 65,536. What stands in
 * front gets its room first; every section keeps its frame, and says how many of its rows it left out.
 */
export function markdownDocument(
  head: readonly string[],
  sections: readonly MarkdownSection[],
  whereAll: string,
): string {
  const leftOut = (count: number) => ['', `… and ${count} more, ${whereAll}.`]
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
    lengthOf([...before, ...after, ...leftOut(rows.length)]),
  )
  let room = frames.reduce((left, frame) => left - frame, 60_000 - lengthOf(head))
  const lines = framed.flatMap(({ before, rows, after }) => {
    const end = rows.findIndex((row) => {
      room -= row.length + 1
      return room < 0
    })
    if (end === -1) return [...before, ...rows, ...after]
    room += lengthOf(rows.slice(end, end + 1))
    return [...before, ...rows.slice(0, end), ...leftOut(rows.length - end), ...after]
  })
  return `${[...head, ...lines].join('\n').trimEnd()}\n`
}
