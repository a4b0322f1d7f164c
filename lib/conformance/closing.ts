import { test } from 'vitest'
import { currentRun } from './run.ts'
import { CLEAN_UP, closeScopes, createScope, runInScope } from './scope.ts'

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
