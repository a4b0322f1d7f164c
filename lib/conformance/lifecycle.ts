import { afterAll, afterEach, type RunnerTestFile } from 'vitest'
import { CLEAN_UP, closeScopes, createScope, runInScope } from './evidence-scope.ts'
import { ofRun } from './fixture.ts'
import { currentRun } from './run.ts'
import { channelOf, interruptRun } from './run-channel.ts'
import { describeInternalError } from './run-check.ts'

/**
 * Tells the command of what nobody catches in this thread. After an exception a check may wait for what
 * never comes: the run then ends with what it has.
 */
function watchUncaught(): void {
  const { redactor, settings } = currentRun()
  const channel = channelOf('uncaught', settings.runId)
  const tell = (error: unknown, fatal: boolean): void => {
    channel.tell({ defect: redactor.redact(describeInternalError(error)), fatal })
    if (fatal) interruptRun(settings.runId, 'internal error')
  }
  const onRejection = (reason: unknown): void => tell(reason, false)
  const onException = (error: unknown): void => tell(error, true)
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  afterAll(() => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
    channel.close()
  })
}

const state = ofRun(() => {
  let tellChecked = (): void => {}
  const checked = new Promise<void>((resolve) => {
    tellChecked = resolve
  })
  return { ended: new Set<string>(), checked, tellChecked }
})

/** Takes away what the checks have made. */
const cleanUp = ofRun(() =>
  runInScope(createScope(CLEAN_UP), () =>
    Promise.allSettled(currentRun().closings.map((work) => work())),
  ),
)

/** Vitest skips what it was not asked for. */
const isChecked = ({ tasks }: RunnerTestFile) =>
  tasks.every(({ id, mode, meta }) => mode === 'skip' || meta.afterChecks || state().ended.has(id))

/** Resolves when every check of a test file has come to its end, and what they made is taken away. */
export function everythingChecked(file: RunnerTestFile): Promise<unknown> {
  const { checked, tellChecked } = state()
  if (isChecked(file)) tellChecked()
  return checked.then(cleanUp)
}

/** Follows a test file from its beginning to its end: called before its tests are registered. */
export function followRun(): void {
  watchUncaught()
  let file: RunnerTestFile | undefined
  afterEach(({ task }) => {
    file = task.file
    state().ended.add(task.id)
    if (isChecked(file)) state().tellChecked()
  })
  afterAll(async () => {
    await cleanUp()
    const run = currentRun()
    run.ledger.close()
    const told = { exchanges: run.takeUnreported(), leftBehind: run.leftBehind }
    if (file !== undefined) file.meta.plumbline = told
    await run.close()
    closeScopes()
  })
}
