export interface ProgressStream {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

const eraseLine = '\r\u001b[2K'

/**
 * Returns functions that write how much is done, and how much of it deviates, whether or not a waiver allows it: on a
 * terminal in one line that is rewritten in place, elsewhere a line for each quarter, without control sequences.
 */
export function createProgress(stream: ProgressStream) {
  let [done, deviating, total] = [0, 0, 0]
  const write = () => {
    const number = String(done).padStart(String(total).length)
    const further = deviating === 0 ? '' : ` ${deviating} deviating`
    stream.write(`${stream.isTTY ? eraseLine : ''}[ ${number}/${total} ]${further}`)
  }
  const quarter = () => Math.floor((4 * done) / total)

  return {
    start(count: number): void {
      total = count
      if (stream.isTTY) write()
    },

    advance(isDeviating: boolean): void {
      const before = quarter()
      done += 1
      deviating += Number(isDeviating)
      if (stream.isTTY || quarter() > before) write()
      if (!stream.isTTY && quarter() > before) stream.write('\n')
    },

    finish(): void {
      if (stream.isTTY) stream.write(eraseLine)
    },
  }
}

export type Progress = ReturnType<typeof createProgress>
