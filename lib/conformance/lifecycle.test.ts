import { beforeEach, describe, expect, it, vi } from 'vitest'
import { atClose, cleanUp, closeRun } from './lifecycle.ts'
import type { RowReport } from './row-report.ts'
import { currentScope } from './scope.ts'

interface Task {
  meta: { plumbline?: RowReport }
}

const fake = vi.hoisted(() => ({
  tests: [] as { name: string; body: unknown }[],
  run: undefined as unknown,
}))

vi.mock('vitest', async (original) => ({
  ...(await original<typeof import('vitest')>()),
  test: { sequential: (name: string, body: unknown) => fake.tests.push({ name, body }) },
}))
vi.mock('./run.ts', () => ({ currentRun: () => fake.run }))

const ledger = { close: vi.fn() }
const run = {
  ledger,
  leftBehind: [{ kind: 'access token', name: 'plumbline-run7-all', account: 'maria' }],
  takeUnreported: () => [],
  close: vi.fn(async () => {}),
}

beforeEach(() => {
  fake.tests.length = 0
  fake.run = run
  vi.clearAllMocks()
})

async function runLast(): Promise<RowReport | undefined> {
  const task: Task = { meta: {} }
  const body = fake.tests.at(-1)?.body as ((context: { task: Task }) => Promise<void>) | undefined
  await body?.({ task })
  return task.meta.plumbline
}

describe('the end of a run', () => {
  it('does all that was left for it, whatever fails, for the purpose of cleaning up', async () => {
    const purposes: (string | undefined)[] = []
    atClose(async () => {
      throw new Error('the connection broke')
    })
    atClose(async () => void purposes.push(currentScope()?.purpose))
    cleanUp()
    await runLast()
    expect(purposes).toEqual(['clean up'])
    expect(run.close).not.toHaveBeenCalled()
  })

  it('tells what is left behind, after the ledger and before the connections are closed', async () => {
    run.close.mockImplementation(async () => {
      expect(ledger.close).toHaveBeenCalledTimes(1)
    })
    closeRun()
    expect(await runLast()).toEqual({ exchanges: [], leftBehind: run.leftBehind })
    expect(run.close).toHaveBeenCalledTimes(1)
  })
})
