import { afterAll } from 'vitest'
import { describeDefect } from './judgement.ts'
import { currentRun } from './run.ts'
import { interruptRun, tellerOf } from './run-channel.ts'

/**
 * Tells the command of what nobody catches in this thread, redacted, for as long as the run judges.
 * After an exception a check may wait for what never comes: the run then ends with what it has. Call
 * it before the suites are loaded.
 */
export function watchUncaught(): void {
  const { redactor, settings } = currentRun()
  const channel = tellerOf('uncaught', settings.runId)
  const tell = (error: unknown, fatal: boolean): void => {
    channel.tell({ defect: redactor.redact(describeDefect(error)), fatal })
  }
  const onRejection = (reason: unknown): void => tell(reason, false)
  const onException = (error: unknown): void => {
    tell(error, true)
    interruptRun(settings.runId, 'the run broke off because of a defect of Plumbline')
  }
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  afterAll(() => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
    channel.close()
  })
}
