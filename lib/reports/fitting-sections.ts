/** A part of a text that may be shortened: its rows can be left out from the end. */
export interface FittingSection {
  before: readonly string[]
  rows: readonly string[]
  after: readonly string[]
  /** What to say in place of `count` rows. */
  more: (count: number) => string[]
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function frameLength({ before, rows, after, more }: FittingSection): number {
  return lengthOf(before) + lengthOf(after) + lengthOf(more(rows.length))
}

function fittingCount(rows: readonly string[], room: number): number {
  let left = room
  const first = rows.findIndex((row) => {
    left -= row.length + 1
    return left < 0
  })
  return first === -1 ? rows.length : first
}

/**
 * The sections as lines that have at most `limit` characters together, line breaks included: what
 * stands in front gets its room first. Every section keeps its frame, and says what it left out.
 */
export function fittingLines(sections: readonly FittingSection[], limit: number): string[] {
  let room = limit - sections.reduce((sum, section) => sum + frameLength(section), 0)
  return sections.flatMap((section) => {
    const { before, rows, after, more } = section
    const shown = rows.slice(0, fittingCount(rows, room))
    room -= lengthOf(shown)
    const left = rows.length - shown.length
    return [...before, ...shown, ...(left === 0 ? [] : more(left)), ...after]
  })
}
