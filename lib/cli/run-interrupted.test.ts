import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { interruptionSignal } from '../conformance/run-channel.ts'
import { reportModel } from '../reports/facts.ts'
import { reportFiles } from '../reports/report-files.ts'
import {
  type CommandOutcome,
  filesOf,
  onErrorOutput,
  plumbline,
  referenceEnvironment,
  temporaryDirectory,
  withVerdict,
} from './command.fixture.ts'
import { createNestedContext } from './context.fixture.ts'
import { executeRun } from './execute-run.ts'
import { prepareTarget } from './prepare-run.ts'
import type { Suites } from './suite-runner.ts'
import { action as sweep } from './sweep.ts'

/** Few tokens, which even a slow machine deletes in time. */
const args = ['run', '--har', '--requirement', 'code-hosting/scopes']
/** A request after the first tokens. */
const MIDDLE = 60

/** Starts a server whose responses wait for the promise of a request number. */
function deployment(until: (request: number) => Promise<void> | undefined) {
  let requests = 0
  return referenceEnvironment({
    intermediary: () => async (request, respond) => {
      requests += 1
      await until(requests)
      return respond(request)
    },
  })
}

const ledgersOf = (outcome: CommandOutcome) =>
  filesOf(outcome).filter((name) => name.startsWith('ledger-'))

function expectInterrupted(outcome: CommandOutcome): void {
  expect(outcome.status).toBe(3)
  expect(outcome.report.run.interrupted).toBe(true)
  expect(withVerdict(outcome, 'fail')).toEqual([])
  expect(withVerdict(outcome, 'inconclusive').length).toBeGreaterThan(0)
  expect(outcome.text).toContain('interrupted')
  expect(outcome.errors).not.toMatch(/internal error|Warning/)
  expect(filesOf(outcome)).toEqual(
    expect.arrayContaining(reportFiles(reportModel(outcome.report)).map(({ name }) => name)),
  )
}

type Running = Parameters<NonNullable<Parameters<typeof plumbline>[2]>>[0]

/** Interrupts a run, and waits until it has reacted. */
function saysInterrupted(child: Running): Promise<void> {
  return new Promise((resolve) => {
    onErrorOutput(child, 'Interrupted', resolve)
    child.kill('SIGINT')
  })
}

// Not concurrent, because its time is short.
it('an interrupted run deletes its resources if the server responds', async () => {
  let child: Running | undefined
  let held: Promise<void> | undefined
  const environment = await deployment((request) => {
    // Without a pause, the run could end before the signal arrives.
    if (request === MIDDLE && child !== undefined) held = saysInterrupted(child)
    return held
  })
  const outcome = await plumbline(args, environment, (started) => {
    child = started
  })

  expectInterrupted(outcome)
  const { exchanges } = outcome
  const { leakedResources } = outcome.report
  const made = exchanges.filter(({ response }) => response?.status === 201)
  const deleted = exchanges.filter(({ request }) => request.method === 'DELETE')
  expect(leakedResources).toEqual([])
  expect(made.length).toBeGreaterThan(0)
  expect(deleted.filter(({ response }) => response?.status === 204)).toHaveLength(made.length)
  expect(ledgersOf(outcome)).toEqual([])
})

it('an interruption reaches suites that are still starting', async () => {
  const context = createNestedContext(temporaryDirectory())
  const operator = new AbortController()
  let isReached = false
  const run: Suites['run'] = async ({ runId }) => {
    operator.abort()
    await setImmediate()
    await once(interruptionSignal(runId), 'abort')
    isReached = true
  }
  const options = { requirements: [], directory: context.directory, log() {} }
  const interruption = once(operator.signal, 'abort')
  const suites = { run } as Suites
  await executeRun(await prepareTarget({}, context), { ...options, interruption, suites })
  expect(isReached).toBe(true)
})

describe.concurrent('an interrupted run', () => {
  it('that waits for its first response does not blame the address', async () => {
    let child: Running | undefined
    const environment = await deployment((request) => {
      // A later signal would end it at once.
      if (request === 1) child?.kill('SIGINT')
      return new Promise(() => {})
    })
    const outcome = await plumbline(['run'], environment, (started) => {
      child = started
    })

    expectInterrupted(outcome)
    const kinds = outcome.report.results.flatMap(({ noVerdict }) => noVerdict?.kind ?? [])
    expect(kinds).toContain('interrupted')
    expect(kinds).not.toContain('no service')
  })

  it('does not wait for a hanging server, and reports leaked resources', async () => {
    let child: Running | undefined
    let hangs = false
    const environment = await deployment((request) => {
      if (request === MIDDLE) hangs = child?.kill('SIGTERM') === true
      return hangs ? new Promise(() => {}) : undefined
    })
    // A hanging request outlives the test.
    const patient = { ...environment, PROBE_TIMEOUT_MS: '3600000' }
    const outcome = await plumbline(args, patient, (started) => {
      child = started
    })

    expectInterrupted(outcome)
    expect(outcome.report.leakedResources.length).toBeGreaterThan(0)
    expect(outcome.text).toMatch(/"\S.*plumbline\.js sweep --reports reports"/)
    hangs = false
    const context = createNestedContext(outcome.directory)
    const status = await sweep({ reports: 'reports' }, { ...context, environment })
    expect(context.reported.output).toMatch(/[1-9]\d* removed, \d+ not found,.* 0 left/)
    expect(status, context.reported.output).toBe(0)
    expect(ledgersOf(outcome)).toEqual([])
  })
})
