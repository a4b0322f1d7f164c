import { appendFileSync, closeSync, constants, openSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import type { LeakedResource } from '../results/run-report.ts'
import { inconclusive } from './check-errors.ts'

export interface Creation extends LeakedResource {
  service: string
  baseUrl: string
}

/** In place of the name of a token that was asked for without one. */
export const NAMELESS = '(without a name)'

/** What a line of a ledger has, and nothing else that a creation may carry. */
const FIELDS = 'run at event process host embedded service baseUrl kind name account deletedBy'

/** Fails at a symbolic link: in a shared folder, another user may have put it there. */
const TO_APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

/** Appends an event to a ledger. */
export function appendLine(file: string, run: string, event: string, details: object): void {
  const line = { run, at: new Date().toISOString(), event, ...details }
  const opened = openSync(file, TO_APPEND)
  try {
    appendFileSync(opened, `${JSON.stringify(line, FIELDS.split(' '))}\n`)
  } finally {
    closeSync(opened)
  }
}

/** Creations of one run. */
export interface Ledger {
  /** Notes what is to be made. @throws Inconclusive if it cannot be noted: then it must not be made */
  intend(creation: Creation): void
  /** Notes that it was not made after all, or is deleted. */
  settle(creation: Creation): void
  /** Notes that it was made: until then it only may exist. */
  confirm(creation: Creation): void
  outstanding(): Creation[]
  close(): void
}

/**
 * Notes what a run creates before it is made, one JSON object a line, so that a run that is killed
 * leaves a trace. The file goes when everything has gone again, or the embedded deployment with all of it.
 */
export function openLedger(file: string | undefined, runId: string, embedded = false): Ledger {
  const outstanding = new Set<Creation>()
  let begun = false

  function write(event: string, creation: Creation): void {
    if (file === undefined) return
    const writer = { process: process.pid, host: hostname(), embedded: embedded || undefined }
    if (!begun) appendLine(file, runId, 'begun', writer)
    begun = true
    appendLine(file, runId, event, creation)
  }

  function note(event: string, creation: Creation): void {
    try {
      write(event, creation)
    } catch {
      // A file that names too much does no harm: what is gone cannot be deleted twice.
    }
  }

  return {
    intend(creation: Creation): void {
      try {
        write('intended', creation)
      } catch (error) {
        const { message } = error as Error
        inconclusive(`nothing is created that cannot be noted in ${file} first: ${message}`)
      }
      outstanding.add(creation)
    },
    settle(creation: Creation): void {
      if (outstanding.delete(creation)) note('gone', creation)
    },
    confirm: (creation: Creation): void => note('made', creation),
    outstanding: (): Creation[] => [...outstanding],
    close(): void {
      const isGone = embedded || outstanding.size === 0
      if (begun && isGone && file !== undefined) rmSync(file, { force: true })
    },
  }
}
