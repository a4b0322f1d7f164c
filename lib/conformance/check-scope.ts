import { AsyncLocalStorage } from 'node:async_hooks'
import type { CaseResult } from '../results/run-evidence.ts'

/** Collects the evidence of one check or fixture. */
export interface CheckScope {
  /** Requirement id or name of a fixture. */
  purpose: string
  exchanges: Set<string>
  cases: Map<string, CaseResult>
  /** True if the check judges several cases; otherwise it is a case itself. */
  hasTable: boolean
  notes: Set<string>
  requests: number
  /** State of the current judgment, which a service sets with `runWith`. */
  state?: unknown
}

/** Purpose of requests that delete the resources of a run. */
export const CLEAN_UP = 'clean up'

const storage = new AsyncLocalStorage<CheckScope>()

export function createScope(purpose: string): CheckScope {
  return {
    purpose,
    exchanges: new Set(),
    cases: new Map(),
    hasTable: false,
    notes: new Set(),
    requests: 0,
  }
}

export const runInScope = <T>(scope: CheckScope, work: () => Promise<T>) => storage.run(scope, work)

export const currentScope = () => storage.getStore()

/** Runs a part of the current check with a state, which `currentScope` returns in it. */
export function runWith<T>(state: unknown, work: () => Promise<T>): Promise<T> {
  const scope = storage.getStore() ?? createScope('run')
  return storage.run({ ...scope, state }, work)
}

/** Disables the storage of scopes, which would slow down later runs in the same thread. */
export function closeScopes(): void {
  storage.disable()
}

/** Records the result of a case for the current check. A deviation stays; any other result is replaced. */
export function recordCase(id: string, result: CaseResult): void {
  const cases = currentScope()?.cases
  if (cases?.get(id) !== 'deviates') cases?.set(id, result)
}

/** Adds a sentence that qualifies the verdict of the current check. */
export function note(text: string): void {
  currentScope()?.notes.add(text)
}
