import { test } from 'vitest'
import { currentRun } from './run.ts'
import { createScope, runInScope } from './scope.ts'

const closings: (() => Promise<void>)[] = []

/** Registers what is to be done when everything has been judged, such as taking away what was made. */
export function atClose(work: () => Promise<void>): void {
  closings.push(work)
}

/** Ends the run: cleans up, and tells the reporter what is left. Call it after everything else. */
export function closeRun(): void {
  test.sequential('clean up', async ({ task }) => {
    const run = currentRun()
    await runInScope(createScope('clean up'), async () => {
      await Promise.allSettled(closings.map((work) => work()))
    })
    run.ledger.close()
    task.meta.plumbline = { exchanges: run.takeUnreported(), leftBehind: run.leftBehind }
    await run.close()
  })
}
