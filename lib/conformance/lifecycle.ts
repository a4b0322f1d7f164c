import { afterAll, test } from 'vitest'
import { describeDefect } from './judgement.ts'
import { currentRun } from './run.ts'
import { channelOf, interruptRun } from './run-channel.ts'
import { CLEAN_UP, closeScopes, createScope, runInScope } from './scope.ts'

/**
 * Tells the command of what nobody catches in this thread. After an exception a check may wait for what
 * never comes: the run then ends with what it has. Call it before the suites are loaded.
 */
export function watchUncaught(): void {
  const { redactor, settings } = currentRun()
  const channel = channelOf('uncaught', settings.runId)
  const tell = (error: unknown, fatal: boolean): void => {
    channel.tell({ defect: redactor.redact(describeDefect(error)), fatal })
    if (fatal) interruptRun(settings.runId, 'the run broke off because of a defect of Plumbline')
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

const closings: (() => Promise<void>)[] = []

/** Registers what is to be done when everything has been judged, such as taking away what was made. */
export function atClose(work: () => Promise<void>): void {
  closings.push(work)
}

/** Takes away what the checks have made. Call it when every suite is registered. */
export function cleanUp(): void {
  test.sequential('clean up', async () => {
    await runInScope(createScope(CLEAN_UP), async () => {
      await Promise.allSettled(closings.map((work) => work()))
    })
  })
}

/** Ends the run and tells the reporter what is left behind. Call it last. */
export function closeRun(): void {
  test.sequential('close', async ({ task }) => {
    const run = currentRun()
    run.ledger.close()
    task.meta.plumbline = { exchanges: run.takeUnreported(), leftBehind: run.leftBehind }
    await run.close()
    closeScopes()
  })
}
