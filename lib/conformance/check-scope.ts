/** The evidence of checks, and of fixtures: values that checks share. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { CaseResult } from '../results/run-evidence.ts'
import { getOrCreate } from '../text/group-by.ts'

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

/** Returns a getter for a value that checks share, with the exchanges and the error of its creation. */
export function fixture<T>(name: string, make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  const scope = createScope(name)
  return async () => {
    value ??= runInScope(scope, make)
    return value.finally(() => {
      for (const id of scope.exchanges) currentScope()?.exchanges.add(id)
    })
  }
}

/** Returns a getter for a fixture per key, such as a token per set of scopes. */
export function fixtureFor<Key extends string | undefined, Rest extends unknown[], T>(
  name: string,
  make: (key: Key, ...rest: Rest) => Promise<T>,
): (key: Key, ...rest: Rest) => Promise<T> {
  const fixtures = new Map<Key, () => Promise<T>>()
  return (key, ...rest) => {
    const create = () => fixture([name, key].join(' ').trim(), () => make(key, ...rest))
    return getOrCreate(fixtures, key, create)()
  }
}
