/** The run of this thread, from its start to its end. */
import { afterAll, afterEach, inject, type RunnerTestCase, type RunnerTestFile } from 'vitest'
import { getOrCreate } from '../text/group-by.ts'
import { CLEAN_UP, closeScopes, createScope, runInScope } from './check-scope.ts'
import { createRun, type Run, type RunSettings } from './probe-run.ts'
import { channelOf, interruptRun } from './run-channel.ts'
import { describeInternalError } from './run-check.ts'

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

/** Reports uncaught errors of this thread to the command. An exception ends the run, since a check may hang. */
function watchUncaught({ redactor, settings }: Run): void {
  const channel = channelOf('uncaught', settings.runId)
  const posting = (fatal: boolean) => (error: unknown) => {
    channel.post({ internalError: redactor.redact(describeInternalError(error)), fatal })
    if (fatal) interruptRun(settings.runId, 'internal error')
  }
  const [onRejection, onException] = [posting(false), posting(true)]
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  afterAll(() => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
    channel.close()
  })
}

/** Returns the end of a run: its checks end, then created resources are deleted, then invariants judge. */
function createEnd(run: Run) {
  let resolveChecked = (): void => {}
  const checked = new Promise<void>((resolve) => {
    resolveChecked = resolve
  })
  let cleaning: Promise<unknown> | undefined
  const cleanUp = (): Promise<unknown> => {
    const work = () => Promise.allSettled(run.closings.map((close) => close()))
    cleaning ??= runInScope(createScope(CLEAN_UP), work)
    return cleaning
  }
  const ended = new Set<string>()
  return { run, checked, resolveChecked, cleanUp, ended }
}

const end = ofRun(createEnd)

/** Ends the requests of a test, and resolves after those of all tests of its file and the cleanup have ended. */
export function everythingChecked({ id, file }: RunnerTestCase): Promise<unknown> {
  const { checked, resolveChecked, cleanUp, ended } = end()
  ended.add(id)
  const isEnded = file.tasks.every((one) => one.mode === 'skip' || ended.has(one.id))
  if (isEnded) resolveChecked()
  return checked.then(cleanUp)
}

/** Registers the hooks that clean up and report a run; must be called before its tests are registered. */
export function followRun(): void {
  const { run, cleanUp } = end()
  watchUncaught(run)
  let file: RunnerTestFile | undefined
  afterEach(({ task }) => {
    file = task.file
    void everythingChecked(task)
  })
  afterAll(async () => {
    await cleanUp()
    run.ledger.close()
    const report = { exchanges: run.takeUnreported(), leakedResources: run.leakedResources }
    if (file !== undefined) file.meta.plumbline = report
    await run.close()
    closeScopes()
  })
}
