import { AsyncLocalStorage } from 'node:async_hooks'
import type { Redactor } from '../probe/redaction.ts'
import type { Reason } from '../results/reason.ts'
import type { InspectedPart, LeftOutPart } from '../results/run-report.ts'
import { pointerNames, toPointer } from './json-pointer.ts'

/** Returns the part without secrets: a server may put one into the name of a header field or a member. */
export function redactedReads(
  reads: InspectedPart | undefined,
  redactor: Pick<Redactor, 'redact'>,
): InspectedPart | undefined {
  if (reads === undefined || 'status' in reads) return reads
  if ('header' in reads) return { header: redactor.redact(reads.header) }
  // Escapes within a name would hide a secret.
  const names = pointerNames(reads.pointer).map((name) => redactor.redact(name))
  return { pointer: toPointer(names) }
}

/** Gathers what happens while one check runs or one fixture is made. */
export interface EvidenceScope {
  /** A requirement id, or the name of a fixture. */
  purpose: string
  /** Ids of the exchanges seen, in order, each once. */
  exchanges: Set<string>
  /** Parts that the check left out, and sentences about what it did. */
  notes: LeftOutPart[]
  /** How many it has sent. */
  requests: number
}

/** The purpose of requests that take away what a run has made. */
export const CLEAN_UP = 'clean up'

const storage = new AsyncLocalStorage<EvidenceScope>()

export function createScope(purpose: string): EvidenceScope {
  return { purpose, exchanges: new Set(), notes: [], requests: 0 }
}

export const runInScope = <T>(scope: EvidenceScope, work: () => Promise<T>) =>
  storage.run(scope, work)

export const currentScope = () => storage.getStore()

/** Ends all scopes. In a thread where many runs take place, each would slow down those behind it. */
export function closeScopes(): void {
  storage.disable()
}

/** Records a part that a check left out, and why: its pass is partial then. */
export function noteLeftOut(part: string, unjudged: Reason): void {
  currentScope()?.notes.push({ part, unjudged })
}

/** Records a sentence about a check, whose pass is partial then. */
export function note(text: string): void {
  currentScope()?.notes.push({ unjudged: { kind: 'note', text } })
}
