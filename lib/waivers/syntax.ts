import type { LineCounter, YAMLError } from 'yaml'
import { printableSentence, shortened } from '../reports/printable.ts'

/** Where a text is no YAML, and what to do. */
export interface SyntaxProblem {
  /** Of the file, from 1. */
  line: number
  column: number
  message: string
}

type Advice = readonly [applies: (error: YAMLError, line: string) => boolean, text: string]

const indentation =
  'the indentation is not that of the lines before: the "-" of all entries stand in one column, and ' +
  'the names of an entry stand in one column too, right behind it'

const isUnclosedQuote = ({ message }: YAMLError) => /^Missing closing ["']quote/.test(message)

const isIndented = ({ code, message }: YAMLError) =>
  (code === 'BAD_INDENT' && message.startsWith('All ')) ||
  message.startsWith('Sequence item without') ||
  message.startsWith('A block sequence may not be used as an implicit')

const isImplicitName = ({ code }: YAMLError) =>
  code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'MULTILINE_IMPLICIT_KEY'

/** What people meant by the commonest slips, the most telling first. */
const advice: readonly Advice[] = [
  [
    (_, line) => /^(<{7}|={7}|>{7})( |$)/.test(line),
    'a conflict of two versions of the file is left here: keep one of them',
  ],
  [
    ({ code }, line) => code === 'TAB_AS_INDENT' || /^ *\t/.test(line),
    'the line begins with a tab: indent it with spaces',
  ],
  [
    ({ message }) => message.startsWith('Flow ') || message.includes('flow collections'),
    'a bracket has no end, or a comma is missing before this place',
  ],
  [
    isUnclosedQuote,
    "a text in quotes has no end: close it, and write an apostrophe within '…' twice",
  ],
  [(_, line) => /^ *-[a-z]/.test(line), 'after "-" belongs a space'],
  [
    (error, line) => isImplicitName(error) && /^[ -]*\w+: +[^\s"'].*:( |$)/.test(line),
    'a text with ": " in it stands in quotes',
  ],
  [
    (error, line) => isImplicitName(error) && !/:( |$)/.test(line),
    'after the name belongs a colon and a space',
  ],
  [(error) => isIndented(error) || isImplicitName(error), indentation],
  [({ code }) => code === 'BAD_SCALAR_START', 'a text that begins so stands in quotes'],
  [({ code }) => code === 'TAG_RESOLVE_FAILED', 'a text that begins with "!" stands in quotes'],
  [({ code }) => code === 'DUPLICATE_KEY', 'a name stands here for the second time: keep one'],
  [({ code }) => code === 'MULTIPLE_DOCS', 'a second document begins here: make one list of both'],
  [
    ({ message }, line) => message.endsWith(' at node end') && /['"]/.test(line),
    "behind a text in quotes stands more: write an apostrophe within '…' twice",
  ],
]

const longestShown = 80

/**
 * What is wrong in each line, once: the first for which there is advice, or the first. What follows in
 * a line mostly follows from it.
 */
export function syntaxProblems(
  text: string,
  errors: readonly YAMLError[],
  counter: LineCounter,
): SyntaxProblem[] {
  const lines = text.split(/\r?\n/)
  const problems = new Map<number, SyntaxProblem & { meant?: string }>()
  for (const error of errors) {
    const { line, col: column } = counter.linePos(error.pos[0])
    const [, meant] = advice.find(([applies]) => applies(error, lines[line - 1] ?? '')) ?? []
    const told = shortened(printableSentence(error.message), longestShown)
    const problem = problems.get(line)
    if (problem === undefined) {
      problems.set(line, { line, column, message: `this is neither YAML nor JSON: ${told}` })
    }
    if (meant !== undefined && problem?.meant === undefined) {
      const message = `${meant} (this is neither YAML nor JSON: ${told})`
      problems.set(line, { line, column, message, meant })
    }
  }
  return [...problems.values()].map(({ line, column, message }) => ({ line, column, message }))
}
