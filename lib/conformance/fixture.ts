import { createScope, currentScope, runInScope } from './evidence-scope.ts'
import { currentRun, type Run } from './run.ts'

/**
 * Something that checks share, made when the first of them asks. The exchanges that made it are evidence
 * of each of them, and so is the error where it cannot be made.
 */
export function fixture<T>(name: string, make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  const scope = createScope(name)
  return async () => {
    made ??= runInScope(scope, make)
    return made.finally(() => {
      for (const id of scope.exchanges) currentScope()?.exchanges.add(id)
    })
  }
}

/** A fixture for each key, such as a token for each set of scopes. What else is given goes with the key. */
export function fixtureFor<Key extends string, Rest extends unknown[], T>(
  name: string,
  make: (key: Key, ...rest: Rest) => Promise<T>,
): (key: Key, ...rest: Rest) => Promise<T> {
  const fixtures = new Map<Key, () => Promise<T>>()
  return (key, ...rest) => {
    const known = fixtures.get(key) ?? fixture(`${name} ${key}`, () => make(key, ...rest))
    fixtures.set(key, known)
    return known()
  }
}

/** What each run has of its own, where modules outlive it: made when it is first asked for. */
export function ofRun<T>(make: () => T): () => T {
  const made = new WeakMap<Run, { value: T }>()
  return () => {
    const run = currentRun()
    const known = made.get(run) ?? { value: make() }
    made.set(run, known)
    return known.value
  }
}
