import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Writable } from 'node:stream'
import { inspect } from 'node:util'
import type { TaskMeta } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { RunSettings } from '../conformance/probe-run.ts'
import { describeInternalError } from '../conformance/run-check.ts'
import { conformance } from '../conformance/vitest-config.ts'
import { type CheckResult, noEvidence, type RunEvidence } from '../results/run-evidence.ts'
import { SuitesThread } from './suites-thread.ts'

interface RunListeners {
  /** Receives what the checks found, also of a run that is aborted. */
  evidence: RunEvidence
  /** Called for the result of each check. */
  onJudged?: ((result: CheckResult) => void) | undefined
  /** Receives what the worker thread of the suites writes to stdout and stderr. */
  log: (text: string) => void
}

/** Gathers the reports of tests and of the test file; errors without a check result are internal errors. */
export class SuiteReporter implements Reporter, RunListeners {
  evidence = noEvidence()
  onJudged: RunListeners['onJudged']
  log: RunListeners['log'] = () => {}

  onTestCaseResult(test: TestCase): void {
    this.#gather(test.meta(), test.result().errors)
  }

  onTestModuleEnd(module: TestModule): void {
    this.#gather(module.meta(), module.errors())
  }

  #gather({ plumbline: report = {} }: TaskMeta, errors: readonly unknown[] = []): void {
    for (const [name, found] of Object.entries(report))
      this.evidence[name as keyof RunEvidence].push(...(found as never[]))
    for (const result of report.judgements ?? []) this.onJudged?.(result)
    if (report.judgements === undefined && errors.length > 0)
      this.evidence.internalErrors.push(errors.map(describeInternalError).join('\n'))
  }
}

/** Returns true for the error of Node.js when a thread exceeds its memory limit; Vitest wraps it. */
const isOutOfMemory = (error: unknown) =>
  inspect(error, { depth: 5 }).includes('ERR_WORKER_OUT_OF_MEMORY')

export class OutOfMemoryError extends Error {}

/** Events on which Vitest ends the process; here the command handles them. */
const exitEvents = ['SIGINT', 'SIGTERM', 'unhandledRejection'] as const

/** Calls `create`, and removes the exit listeners that it adds synchronously. */
function withoutExitListeners<T>(create: () => T): T {
  const before = exitEvents.map((event) => process.listeners(event as NodeJS.Signals))
  const created = create()
  for (const [index, event] of exitEvents.entries()) {
    for (const listener of process.listeners(event as NodeJS.Signals)) {
      if (!before[index]?.includes(listener)) process.off(event, listener)
    }
  }
  return created
}

/** Returns a temporary link to a folder whose path has characters that Vite takes for parts of a URL; otherwise its own path. */
function plainPath(folder: string): string {
  if (!/[%#?]/.test(folder)) return folder
  const temporary = mkdtempSync(join(tmpdir(), 'plumbline-'))
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
  const link = join(temporary, 'package')
  symlinkSync(folder, link)
  return link
}

/** Modules that Vitest evaluates for each run, because they register its tests. Node.js evaluates the others once. */
const inline = [/\/all\.suite\.[jt]s$/, /\/vitest-setup\.[jt]s$/]
const server = { deps: { inline, external: [/\/(?:lib|suites)\//] } }

/** Starts Vitest, which runs the suites in one thread. */
function openSession() {
  const reporter = new SuiteReporter()
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    reporter.log(String(chunk))
    done()
  }
  const terminal = { stdout: new Writable({ write }), stderr: new Writable({ write }) }
  const thread = new SuitesThread(terminal.stdout)
  const pool = { name: thread.name, createPoolWorker: () => thread }
  const options = { config: false as const, watch: false, reporters: [reporter] }
  const root = plainPath(conformance.root)
  const setupFiles = conformance.test.setupFiles.map((path) =>
    join(root, relative(conformance.root, path)),
  )
  const test = { ...conformance.test, server, setupFiles, pool }
  // Otherwise Vite resolves the link.
  const resolve = { preserveSymlinks: root !== conformance.root }
  const config = { ...conformance, root, resolve, test }
  const starting = import('vitest/node').then(async ({ createVitest }) => {
    const create = () => createVitest('test', options, config, terminal)
    const vitest = await withoutExitListeners(create)
    return { vitest, suites: await vitest.globTestSpecifications() }
  })
  return { reporter, thread, starting, isBusy: false, isClosed: false }
}

/** Runs the suites with Vitest, one run after the other. */
export class Suites {
  #session: ReturnType<typeof openSession> | undefined

  /** @throws the error that aborted the run */
  async run(settings: RunSettings, listeners: RunListeners): Promise<void> {
    // An aborted run may still be active.
    if (this.#session?.isBusy) await this.close()
    this.#session ??= openSession()
    const session = this.#session
    session.isBusy = true
    Object.assign(session.reporter, listeners)
    try {
      const { vitest, suites } = await session.starting
      if (session.isClosed) throw new Error('the suites were closed before their run was over')
      vitest.provide('run', settings)
      const { unhandledErrors } = await vitest.runTestSpecifications(suites)
      if (unhandledErrors.some(isOutOfMemory)) throw new OutOfMemoryError()
      if (unhandledErrors.length > 0) {
        throw new Error(unhandledErrors.map(describeInternalError).join('\n'))
      }
      session.isBusy = false
    } catch (error) {
      session.isBusy = false
      if (!session.isClosed) await this.close()
      throw error
    } finally {
      // Vitest sets it for failed tests, which the caller evaluates.
      process.exitCode = undefined
    }
  }

  /** Ends the worker; the next run starts a new one. */
  async close(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    if (session === undefined) return
    session.isClosed = true
    // Vitest would wait for checks that never end.
    if (session.isBusy) await session.thread.end()
    // The run has reported if Vitest could not be created.
    await session.starting.then(({ vitest }) => vitest.close()).catch(() => {})
    await session.thread.end()
  }
}
