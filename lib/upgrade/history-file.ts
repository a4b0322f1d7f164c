import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { ReportNotWrittenError } from '../reports/replace-files.ts'
import { type HistoryLine, parseHistoryLine } from './history-line.ts'
import { inOrderOfRuns, misdatedLines, type NumberedLine } from './history-order.ts'

/** What a file holds. */
export interface ReadHistory {
  /** The oldest first, as `inOrderOfRuns` has it. */
  lines: HistoryLine[]
  /** Numbers of the lines that are damaged or of no history, from 1 for the first that was read. */
  damaged: number[]
  /** The same for lines that a later version of Plumbline wrote, in a format that is not known yet. */
  later: number[]
  /** The same for lines of runs whose time cannot be right: they are in `lines` all the same. */
  future: number[]
  /** The same for lines of runs that began long before the one that the line before them tells of. */
  behind: number[]
  /** What the last line is; absent where there is none. */
  end?: 'run' | 'damaged' | 'later'
}

/** What a run reads of its history: some hundred runs. */
export const enoughBytes = 4_194_304

function lastText(file: number, bytes: number): { text: string; whole: boolean } {
  const { size } = fstatSync(file)
  const length = Math.min(size, bytes)
  const buffer = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const count = readSync(file, buffer, read, length - read, size - length + read)
    if (count === 0) break
    read += count
  }
  return { text: buffer.toString('utf8', 0, read), whole: length === size }
}

/**
 * Reads a history, or what fits into so many bytes of its end. A line that is damaged, such as the
 * last one of a run that was killed, is left out and told.
 *
 * @param now milliseconds since 1970, to tell which runs began in the future
 * @throws Error with the code of the system, `ENOENT` where there is no such file
 */
export function readHistory(
  path: string,
  bytes = Number.POSITIVE_INFINITY,
  now = Date.now(),
): ReadHistory {
  const file = openSync(path, 'r')
  try {
    const { text, whole } = lastText(file, bytes)
    const history: Omit<ReadHistory, 'lines'> = { damaged: [], later: [], future: [], behind: [] }
    const written: NumberedLine[] = []
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() === '' || (index === 0 && !whole)) continue
      const parsed = parseHistoryLine(line)
      if (typeof parsed === 'object') written.push({ line: parsed, number: index + 1 })
      else history[parsed].push(index + 1)
      history.end = typeof parsed === 'object' ? 'run' : parsed
    }
    return {
      ...history,
      ...misdatedLines(written, now),
      lines: inOrderOfRuns(written.map(({ line }) => line)),
    }
  } finally {
    closeSync(file)
  }
}

/** How every line that a Plumbline writes begins. */
const beginning = '{"schema":'

/** The end of a text; an empty one where it cannot be read, as where there is none. */
function readableEnd(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      return lastText(file, enoughBytes).text
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/**
 * Whether a file is none of ours, in which nothing must be written: it has text that can be read,
 * and not even a half line of a history.
 */
export function isForeign(path: string): boolean {
  // What a machine that lost its power leaves of a file can be zeros.
  const text = readableEnd(path).replaceAll('\0', '')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const cutShort = beginning.startsWith(lines.at(-1) ?? '')
  return !cutShort && !lines.some((line) => line.startsWith(beginning))
}

function endsInLine(path: string): boolean {
  const file = openSync(path, 'a+')
  try {
    const { text } = lastText(file, 1)
    return text === '' || text === '\n'
  } finally {
    closeSync(file)
  }
}

/**
 * Adds a run to the end of a history in one write, so that two runs at once do not mix their lines.
 * After a half line it begins a new one; an empty line means nothing.
 *
 * @throws ReportNotWrittenError when the file system refuses
 */
export function appendHistory(path: string, line: HistoryLine): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const start = endsInLine(path) ? '' : '\n'
    const content = Buffer.from(`${start}${JSON.stringify(line)}\n`)
    const file = openSync(path, 'a')
    try {
      if (writeSync(file, content) !== content.length) {
        throw Object.assign(new Error('ENOSPC: only a part was written'), { code: 'ENOSPC' })
      }
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    throw new ReportNotWrittenError(path, cause)
  }
}
