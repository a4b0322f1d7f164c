import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LeftBehind } from './result.ts'

/** Something that the run makes on the target. */
export interface Creation extends LeftBehind {
  service: string
  baseUrl: string
}

/**
 * Notes what a run creates before it is made, one JSON object a line, so that a run that is killed
 * leaves a trace of what it left behind. When everything has gone again the file goes too.
 */
export interface Ledger {
  intend(creation: Creation): void
  /** It was not made after all, or it has been taken away. */
  settle(creation: Creation): void
  outstanding(): Creation[]
  close(): void
}

export function openLedger(file: string | undefined, runId: string): Ledger {
  const outstanding = new Set<Creation>()
  let written = false

  function write(event: string, { service, baseUrl, kind, name, account }: Creation): void {
    if (file === undefined) return
    if (!written) mkdirSync(dirname(file), { recursive: true })
    written = true
    const at = new Date().toISOString()
    const line = { run: runId, at, event, service, baseUrl, kind, name, account }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
  }

  return {
    intend(creation) {
      outstanding.add(creation)
      write('intended', creation)
    },
    settle(creation) {
      if (outstanding.delete(creation)) write('gone', creation)
    },
    outstanding: () => [...outstanding],
    close() {
      if (written && outstanding.size === 0 && file !== undefined) rmSync(file, { force: true })
    },
  }
}
