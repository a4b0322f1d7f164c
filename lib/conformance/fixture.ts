import { getOrCreate } from '../text/group-by.ts'
import { createScope, currentScope, runInScope } from './check-scope.ts'

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
