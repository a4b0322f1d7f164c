export interface ProgressStream {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

const eraseLine = '\r\u001b[2K'

/**
 * Returns functions that write how much is done: on a terminal in one line that is rewritten in place, elsewhere a line
 * for each quarter, without control sequences.
 */
export function createProgress(stream: ProgressStream) {
  let [done, total] = [0, 0]
  const write = () => {
    const number = String(done).padStart(String(total).length)
    stream.write(`${stream.isTTY ? eraseLine : ''}[ ${number}/${total} ]`)
  }
  const quarter = () => Math.floor((4 * done) / total)

  return {
    start(count: number): void {
      total = count
      if (stream.isTTY) write()
    },

    advance(): void {
      const before = quarter()
      done += 1
      if (stream.isTTY || quarter() > before) write()
      if (!stream.isTTY && quarter() > before) stream.write('\n')
    },

    finish(): void {
      if (stream.isTTY) stream.write(eraseLine)
    },
  }
}

export type Progress = ReturnType<typeof createProgress>
