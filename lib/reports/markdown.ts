import { printableSentence, shortened } from './printable.ts'

// GitHub, GitLab and Gitea look for these in the text of the rendered page, where no backslash of
// Markdown is left to prevent it. A comment takes no room and ends what they look for.
const startOfReference = /[@#$!%&~](?=\w)|:(?=\/\/|\w+:)|\bwww(?=\.)|\bGH(?=-\d)/gi

/**
 * Text as text, on one line: no Markdown, no HTML, nobody mentioned, nothing linked. Meant for words
 * of ours; what a deployment sent is better told from them in a code span.
 */
export function plainText(text: string): string {
  return printableSentence(text)
    .replace(/[\\`*_[\]<>~&]/g, '\\$&')
    .replace(startOfReference, '$&<!-- -->')
}

/**
 * Text of any origin as inline code, on one line and at most `length` code points long: nothing in
 * it is Markdown, HTML, a mention or a link. A dash stands for empty text.
 */
export function codeSpan(text: string, length: number): string {
  const line = shortened(printableSentence(text), length)
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
  const escaped = cells.map((cell) =>
    cell.replace(/\\\||\|/g, (pipe) => (pipe === '|' ? '\\|' : '\\\\u007c')),
  )
  return `| ${escaped.join(' | ')} |`
}

/** The two rows that begin a table. */
export function tableHead(titles: readonly string[]): string[] {
  return [tableRow(titles), tableRow(titles.map(() => '---'))]
}
