import { createScope, currentScope, runInScope } from './scope.ts'

/**
 * Something that checks share and that is made once a run, when the first check asks for it. The
 * exchanges that made it count as evidence of every check that uses it. When making it fails, every
 * check that asks gets the same error.
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
