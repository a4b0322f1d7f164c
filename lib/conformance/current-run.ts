import { inject } from 'vitest'
import { getOrCreate } from '../text/group-by.ts'
import { createRun, type Run, type RunSettings } from './probe-run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    run: RunSettings
    /** Value for the setup file of changed suites. */
    changes: Record<string, unknown>
  }
}

let current: { runId: string; run: Run } | undefined

/** Returns the run of this thread. The thread may execute several runs, one after the other. */
export function currentRun(): Run {
  const settings = inject('run')
  const { runId } = settings
  if (current?.runId !== runId) current = { runId, run: createRun(settings) }
  return current.run
}

/** Returns a getter that creates its value once per run. Modules are loaded once and serve many runs. */
export function ofRun<T>(create: (run: Run) => T): () => T {
  const values = new WeakMap<Run, { value: T }>()
  return () => {
    const run = currentRun()
    return getOrCreate(values, run, () => ({ value: create(run) })).value
  }
}
