import { expect, it } from 'vitest'
import { createProgress } from './progress.ts'

const erase = '\r\u001b[2K'

function writtenBy(isTTY: boolean, total: number): string {
  let written = ''
  const progress = createProgress({ isTTY, write: (text) => (written += text) })
  progress.start(total)
  for (let count = 0; count < total; count += 1) progress.advance(count === 1)
  progress.finish()
  return written
}

it('rewrites one line of a terminal and erases it at the end', () => {
  const rows = ['[ 0/2 ]', '[ 1/2 ]', '[ 2/2 ] 1 deviating', '']
  expect(writtenBy(true, 2)).toBe(rows.map((row) => erase + row).join(''))
})

it('writes a line for each quarter elsewhere', () => {
  expect(writtenBy(false, 10)).toBe(
    '[  3/10 ] 1 deviating\n[  5/10 ] 1 deviating\n[  8/10 ] 1 deviating\n[ 10/10 ] 1 deviating\n',
  )
})
