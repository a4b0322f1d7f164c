import { AsyncLocalStorage } from 'node:async_hooks'
import type { Redactor } from '../probe/redaction.ts'
import type { Reason } from '../results/reason.ts'
import type { InspectedPart, LeftOutPart } from '../results/run-report.ts'
import { pointerNames, toPointer } from './json-pointer.ts'

export function redactedReads(
  part: InspectedPart | undefined,
  redactor: Pick<Redactor, 'redact'>,
): InspectedPart | undefined {
  if (part === undefined || 'status' in part) return part
  if ('header' in part) return { header: redactor.redact(part.header) }
  // Redaction would not find a secret with pointer escapes.
  const names = pointerNames(part.pointer).map((name) => redactor.redact(name))
  return { pointer: toPointer(names) }
}

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
  currentScope()?.notes.push({ part, noVerdict })
}

/** Adds a note to a check; a pass is partial then. */
export function note(text: string): void {
  currentScope()?.notes.push({ noVerdict: { kind: 'note', text } })
}
