import { appendFileSync, closeSync, constants, openSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import type { LeakedResource } from '../results/run-report.ts'

export interface CreatedResource extends LeakedResource {
  service: string
  baseUrl: string
}

/** Replaces the name of a token that was requested without a name, or with one that is not of the run. */
export const UNNAMED = '(without a name)'

/** Returns true for a name that only this run gives. */
export function isNameOf(run: string, name: string): boolean {
  const prefix = `plumbline-${run}-`
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : ''
  return /^[\w-]+$/.test(rest) && /[\da-z]/i.test(rest)
}

/** Members of a ledger line; a creation may have others, such as secrets. */
const FIELDS = 'run at event process host embedded service baseUrl kind name account deletedBy'

/** Rejects a symbolic link, which another user may have created in a shared folder. */
const TO_APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

export function appendLine(file: string, run: string, event: string, details: object): void {
  const line = { run, at: new Date().toISOString(), event, ...details }
  const opened = openSync(file, TO_APPEND)
  try {
    appendFileSync(opened, `${JSON.stringify(line, FIELDS.split(' '))}\n`)
  } finally {
    closeSync(opened)
  }
}

export interface Ledger {
  /** Records a resource before its creation. @throws if that fails, to prevent the creation */
  recordIntent(creation: CreatedResource): void
  /** Records that the resource was not created, or is deleted. */
  recordDeleted(creation: CreatedResource): void
  /** Records that the resource was created; before, it is unconfirmed. */
  recordCreated(creation: CreatedResource): void
  outstanding(service: string): CreatedResource[]
  close(): void
}

/**
 * Opens the ledger (NDJSON), in which a run records each resource before it is created. `close` deletes
 * the file if no resource is left, or if the target was the reference server.
 *
 * @param fail throws the error of a ledger that cannot be written
 */
export function openLedger(
  file: string | undefined,
  runId: string,
  embedded = false,
  fail = (text: string): never => {
    throw new Error(text)
  },
): Ledger {
  const outstanding = new Set<CreatedResource>()
  let hasStarted = false

  function write(event: string, creation: CreatedResource): void {
    if (file === undefined) return
    const writer = { process: process.pid, host: hostname(), embedded: embedded || undefined }
    if (!hasStarted) appendLine(file, runId, 'started', writer)
    hasStarted = true
    // A sweep deletes no resource that others may have created.
    const name = isNameOf(runId, creation.name) ? creation.name : UNNAMED
    appendLine(file, runId, event, { ...creation, name })
  }

  function note(event: string, creation: CreatedResource): void {
    try {
      write(event, creation)
    } catch {
      // A resource that is listed although it is deleted does no harm.
    }
  }

  return {
    recordIntent(creation) {
      try {
        write('intended', creation)
      } catch (error) {
        const { message } = error as Error
        fail(`nothing is created that cannot be noted in ${file} first: ${message}`)
      }
      outstanding.add(creation)
    },
    recordDeleted(creation) {
      if (outstanding.delete(creation)) note('deleted', creation)
    },
    recordCreated: (creation) => note('created', creation),
    outstanding: (service) => [...outstanding].filter((one) => one.service === service),
    close() {
      const isClean = embedded || outstanding.size === 0
      if (hasStarted && isClean && file !== undefined) rmSync(file, { force: true })
    },
  }
}
