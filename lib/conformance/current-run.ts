import { randomBytes } from 'node:crypto'
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

/** Returns the settings with a new run id, which names created resources and the ledger. */
function withNewRunId({ runId: oldRunId, ledgerFile, ...settings }: RunSettings): RunSettings {
  const runId = oldRunId.replace(/.{6}$/, randomBytes(3).toString('hex'))
  return { ...settings, runId, ledgerFile: ledgerFile?.replace(oldRunId, runId) }
}

let current: { runId: string; run: Run } | undefined

/** Returns the run of this thread. The thread may execute several runs, one after the other. */
export function currentRun(): Run {
  const settings = inject('run')
  const { runId, perFile } = settings
  if (current?.runId !== runId) {
    current = { runId, run: createRun(perFile ? withNewRunId(settings) : settings) }
  }
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
