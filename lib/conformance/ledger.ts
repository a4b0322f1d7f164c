import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { inconclusive } from './outcome.ts'
import type { LeftBehind } from './result.ts'

/** Something that the run makes on the target. */
export interface Creation extends LeftBehind {
  service: string
  baseUrl: string
}

/**
 * Notes what a run creates before it is made, one JSON object a line, so that a run that is killed
 * leaves a trace of what it left behind. The first line says whose it is. When everything has gone
 * again the file goes too.
 */
export interface Ledger {
  /** @throws Inconclusive when it cannot be noted: then it must not be made */
  intend(creation: Creation): void
  /** It was made: until then it only may exist. */
  confirm(creation: Creation): void
  /** It was not made after all, or it has been taken away. */
  settle(creation: Creation): void
  outstanding(): Creation[]
  close(): void
}

function appendLine(file: string, run: string, event: string, told: object): void {
  const at = new Date().toISOString()
  appendFileSync(file, `${JSON.stringify({ run, at, event, ...told })}\n`)
}

/** Notes in the ledger of a run that has ended that something of it has gone since. */
export function noteSwept(file: string, runId: string, creation: Creation): void {
  const { service, baseUrl, kind, name, account } = creation
  appendLine(file, runId, 'swept', { service, baseUrl, kind, name, account })
}

/** @param embedded whether the deployment ends with the run */
export function openLedger(file: string | undefined, runId: string, embedded = false): Ledger {
  const outstanding = new Set<Creation>()
  let written = false
  let begun = false

  function write(event: string, { service, baseUrl, kind, name, account }: Creation): void {
    if (file === undefined) return
    if (!written) mkdirSync(dirname(file), { recursive: true })
    written = true
    if (!begun) {
      const writer = { process: process.pid, host: hostname(), ...(embedded ? { embedded } : {}) }
      appendLine(file, runId, 'begun', writer)
    }
    begun = true
    appendLine(file, runId, event, { service, baseUrl, kind, name, account })
  }

  function note(event: string, creation: Creation): void {
    try {
      write(event, creation)
    } catch {
      // A file that names too much does no harm: what is gone cannot be deleted twice.
    }
  }

  return {
    intend(creation) {
      try {
        write('intended', creation)
      } catch (error) {
        const { message } = error as Error
        inconclusive(`nothing is created that cannot be noted in ${file} first: ${message}`)
      }
      outstanding.add(creation)
    },
    settle(creation) {
      if (outstanding.delete(creation)) note('gone', creation)
    },
    confirm: (creation) => note('made', creation),
    outstanding: () => [...outstanding],
    close() {
      if (written && outstanding.size === 0 && file !== undefined) rmSync(file, { force: true })
    },
  }
}
