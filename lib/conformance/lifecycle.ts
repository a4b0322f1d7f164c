import { afterAll, afterEach, type RunnerTestFile } from 'vitest'
import { CLEAN_UP, closeScopes, createScope, runInScope } from './evidence-scope.ts'
import { ofRun } from './fixture.ts'
import { currentRun } from './run.ts'
import { channelOf, interruptRun } from './run-channel.ts'
import { describeInternalError } from './run-check.ts'

/** Reports uncaught errors of this thread to the command. An exception ends the run, since a check may hang. */
function watchUncaught(): void {
  const { redactor, settings } = currentRun()
  const channel = channelOf('uncaught', settings.runId)
  const postError = (error: unknown, fatal: boolean): void => {
    channel.post({ internalError: redactor.redact(describeInternalError(error)), fatal })
    if (fatal) interruptRun(settings.runId, 'internal error')
  }
  const onRejection = (reason: unknown): void => postError(reason, false)
  const onException = (error: unknown): void => postError(error, true)
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  afterAll(() => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
    channel.close()
  })
}

const state = ofRun(() => {
  let resolveChecked = (): void => {}
  const checked = new Promise<void>((resolve) => {
    resolveChecked = resolve
  })
  return { ended: new Set<string>(), checked, resolveChecked }
})

const cleanUp = ofRun(() =>
  runInScope(createScope(CLEAN_UP), () =>
    Promise.allSettled(currentRun().closings.map((work) => work())),
  ),
)

const isChecked = ({ tasks }: RunnerTestFile) =>
  tasks.every(({ id, mode, meta }) => mode === 'skip' || meta.afterChecks || state().ended.has(id))

/** Resolves after all checks of a test file and the cleanup have ended. */
export function everythingChecked(file: RunnerTestFile): Promise<unknown> {
  const { checked, resolveChecked } = state()
  if (isChecked(file)) resolveChecked()
  return checked.then(cleanUp)
}

/** Registers the hooks that clean up and report a run; must be called before its tests are registered. */
export function followRun(): void {
  watchUncaught()
  let file: RunnerTestFile | undefined
  afterEach(({ task }) => {
    file = task.file
    state().ended.add(task.id)
    if (isChecked(file)) state().resolveChecked()
  })
  afterAll(async () => {
    await cleanUp()
    const run = currentRun()
    run.ledger.close()
    const report = { exchanges: run.takeUnreported(), leakedResources: run.leakedResources }
    if (file !== undefined) file.meta.plumbline = report
    await run.close()
    closeScopes()
  })
}
