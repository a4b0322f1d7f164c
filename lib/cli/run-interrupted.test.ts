import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type RunningReference, startReference } from '../reference/index.ts'
import { reportFiles } from '../reports/report-files.ts'
import { atTheEnd, type CommandOutcome, plumbline, withVerdict } from './command.fixture.ts'
import { enclosedContext } from './context.ts'
import { sweep } from './sweep.ts'

/** Nothing that hangs is over before the test is. */
const PATIENT = { PROBE_TIMEOUT_MS: '3600000' }

interface Deployment extends RunningReference {
  /** While it hangs it answers nothing, and what was asked then never. */
  hang(yes: boolean): void
  /**
   * Holds this request and all that come behind it, and says so; `release` answers them, and what
   * follows at once.
   */
  holdFrom(number: number, held: (release: () => void) => void): void
}

async function deployment(latencyMs = 0): Promise<Deployment> {
  let hanging = false
  let held: Promise<void> | undefined
  let requests = 0
  let beforeAnswer = () => {}
  const reference = await startReference({
    latencyMs,
    intermediary: () => async (request, answer) => {
      if (hanging) return new Promise(() => {})
      requests += 1
      beforeAnswer()
      await held
      return answer(request)
    },
  })
  atTheEnd(() => reference.close())
  return {
    ...reference,
    hang(yes) {
      hanging = yes
    },
    holdFrom(number, tell) {
      beforeAnswer = () => {
        if (requests !== number) return
        held = new Promise((resolve) => {
          tell(() => {
            held = undefined
            resolve()
          })
        })
      }
    },
  }
}

type Running = Parameters<NonNullable<Parameters<typeof plumbline>[2]>>[0]

/** Calls back once, as soon as the run says this. */
function whenItSays(child: Running, text: string, then: () => void): void {
  let said = ''
  const listen = (chunk: unknown) => {
    said += String(chunk)
    if (!said.includes(text)) return
    child.stderr?.off('data', listen)
    then()
  }
  child.stderr?.on('data', listen)
}

function filesOf({ directory }: CommandOutcome): string[] {
  return readdirSync(join(directory, 'reports')).sort()
}

function expectInterrupted(outcome: CommandOutcome): void {
  expect(outcome.status).toBe(3)
  expect(outcome.report.run.interrupted).toBe(true)
  expect(withVerdict(outcome, 'fail')).toEqual([])
  expect(withVerdict(outcome, 'inconclusive').length).toBeGreaterThan(0)
  expect(outcome.text).toContain('interrupted')
  expect(outcome.errors).not.toMatch(/defect|Warning/)
  expect(filesOf(outcome)).toEqual(
    expect.arrayContaining(reportFiles(outcome.report).map(({ name }) => name)),
  )
}

describe('a run that is interrupted where the deployment answers at once', () => {
  it('leaves nothing behind', async () => {
    const { environment, holdFrom } = await deployment()
    const outcome = await plumbline(['run'], environment, (child) => {
      // A quick run would be at its end before the signal is there.
      holdFrom(60, (release) => {
        whenItSays(child, 'Interrupted', release)
        child.kill('SIGINT')
      })
    })

    expectInterrupted(outcome)
    const { exchanges, leftBehind } = outcome.report
    const made = exchanges.filter(({ response }) => response?.status === 201)
    const deleted = exchanges.filter(({ request }) => request.method === 'DELETE')
    expect(leftBehind).toEqual([])
    expect(made.length).toBeGreaterThan(0)
    expect(deleted.filter(({ response }) => response?.status === 204)).toHaveLength(made.length)
    expect(filesOf(outcome).filter((name) => name.startsWith('ledger-'))).toEqual([])
  })
})

describe.concurrent('a run that is interrupted', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('takes away what it made: %s', async (signal) => {
    const { environment } = await deployment(50)
    const outcome = await plumbline(['run'], environment, (child) => {
      whenItSays(child, '[  27', () => child.kill(signal))
    })

    expectInterrupted(outcome)
    const { exchanges, leftBehind } = outcome.report
    const made = exchanges.filter(({ response }) => response?.status === 201)
    const deleted = exchanges.filter(
      ({ request, response }) => request.method === 'DELETE' && response?.status === 204,
    )
    expect(made.length).toBeGreaterThan(0)
    // A machine that is slow enough has no time for some of them, and says so.
    expect(deleted.length + leftBehind.length).toBeGreaterThanOrEqual(made.length)
    expect(filesOf(outcome).some((name) => name.startsWith('ledger-'))).toBe(leftBehind.length > 0)
  })

  it('does not wait for a deployment that hangs, and tells what is left to sweep', async () => {
    const { environment, hang } = await deployment(20)
    const outcome = await plumbline(['run'], { ...environment, ...PATIENT }, (child) => {
      whenItSays(child, '[  27', () => {
        hang(true)
        child.kill('SIGTERM')
      })
    })

    expectInterrupted(outcome)
    expect(outcome.report.leftBehind.length).toBeGreaterThan(0)
    expect(outcome.text).toContain('"plumbline sweep" takes these away')
    hang(false)
    const context = enclosedContext(outcome.directory)
    const status = await sweep({ reports: 'reports' }, { ...context, environment })
    expect(context.told.output).toMatch(/[1-9]\d* removed, \d+ gone already,.* 0 left/)
    expect(status).toBe(0)
    expect(filesOf(outcome).filter((name) => name.startsWith('ledger-'))).toEqual([])
  })

  it('sends nothing when that happens before its first request', async () => {
    const reference = await deployment()
    const outcome = await plumbline(['run'], {}, (child) => {
      whenItSays(child, 'probing the embedded', () => child.kill('SIGINT'))
    })

    expectInterrupted(outcome)
    expect(outcome.report.exchanges.length).toBeLessThan(20)
    expect(outcome.report.leftBehind).toEqual([])
    expect(reference.requests()).toBe(0)
  })
})
