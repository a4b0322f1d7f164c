import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import type { Reason } from '../results/reason.ts'
import type { LeftOutPart } from '../results/run-report.ts'

/** Collects the evidence of one check or fixture. */
export interface EvidenceScope {
  /** Requirement id or name of a fixture. */
  purpose: string
  exchanges: Set<string>
  notes: LeftOutPart[]
  requests: number
}

/** Purpose of requests that delete the resources of a run. */
export const CLEAN_UP = 'clean up'

const storage = new AsyncLocalStorage<EvidenceScope>()

export function createScope(purpose: string): EvidenceScope {
  return { purpose, exchanges: new Set(), notes: [], requests: 0 }
}

export const runInScope = <T>(scope: EvidenceScope, work: () => Promise<T>) =>
  storage.run(scope, work)

export const currentScope = () => storage.getStore()

/** Disables the storage of scopes, which would slow down later runs in the same thread. */
export function closeScopes(): void {
  storage.disable()
}

/** Notes a part that was not checked; a pass is partial then. */
export function noteLeftOut(part: string, noVerdict: Reason): void {
  const { notes = [] } = currentScope() ?? {}
  const isNoted = notes.some((note) => isDeepStrictEqual(note, { part, noVerdict }))
  if (!isNoted) notes.push({ part, noVerdict })
}

/** Adds a note to a check; a pass is partial then. */
export function note(text: string): void {
  currentScope()?.notes.push({ noVerdict: { kind: 'note', text } })
}
