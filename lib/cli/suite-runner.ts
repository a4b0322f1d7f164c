import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Writable } from 'node:stream'
import type { TaskMeta } from 'vitest'
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node'
import type { RunSettings } from '../conformance/probe-run.ts'
import { describeInternalError } from '../conformance/run-check.ts'
import { conformance } from '../conformance/vitest-config.ts'
import type { CheckReport } from '../results/run-evidence.ts'
import { SuitesThread } from './suites-thread.ts'

export interface RunListeners {
  /** Receives the report of each check and of the end of the run. */
  onReport: (report: CheckReport) => void
  /** Receives what the worker thread of the suites writes to stdout and stderr. */
  log: (text: string) => void
}

/** Returns the report of a test or test file; errors without a check result are internal errors. */
function reportOf(
  { plumbline: report = { exchanges: [] } }: TaskMeta,
  errors: readonly unknown[] = [],
): CheckReport {
  if (report.judgement !== undefined || errors.length === 0) return report
  return { ...report, internalError: errors.map(describeInternalError).join('\n') }
}

/** Passes the reports of the suites from Vitest to a listener. */
export class SuiteReporter implements Reporter {
  onReport: RunListeners['onReport'] = () => {}

  onTestCaseResult(test: TestCase): void {
    this.onReport(reportOf(test.meta(), test.result().errors))
  }

  onTestModuleEnd(module: TestModule): void {
    this.onReport(reportOf(module.meta(), module.errors()))
  }
}

interface VitestError {
  code?: string
  cause?: unknown
  errors?: unknown[]
}

/** Returns true for the error of Node.js when a thread exceeds its memory limit; Vitest wraps it. */
function isOutOfMemory(error: unknown): boolean {
  const { code, cause, errors = [] } = (error ?? {}) as VitestError
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || [cause ?? [], errors].flat().some(isOutOfMemory)
}

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

/**
 * Returns the path of a link to a folder whose path has characters that Vite takes for parts of a URL; otherwise its
 * own path. The link is deleted when the process ends.
 */
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

class Session {
  isBusy = false
  #isClosed = false
  #log: RunListeners['log'] = () => {}
  #suites: TestSpecification[] | undefined
  readonly #thread: SuitesThread
  readonly #reporter = new SuiteReporter()
  readonly #vitest: Promise<Vitest>

  constructor() {
    const write = (chunk: unknown, _encoding: string, done: () => void) => {
      this.#log(String(chunk))
      done()
    }
    const terminal = { stdout: new Writable({ write }), stderr: new Writable({ write }) }
    this.#thread = new SuitesThread(terminal.stdout)
    const pool = { name: this.#thread.name, createPoolWorker: () => this.#thread }
    const options = { config: false as const, watch: false, reporters: [this.#reporter] }
    const root = plainPath(conformance.root)
    const setupFiles = conformance.test.setupFiles.map((path) =>
      join(root, relative(conformance.root, path)),
    )
    const test = { ...conformance.test, server, setupFiles, pool }
    // Otherwise Vite resolves the link.
    const resolve = { preserveSymlinks: root !== conformance.root }
    const config = { ...conformance, root, resolve, test }
    this.#vitest = import('vitest/node').then(({ createVitest }) =>
      withoutExitListeners(() => createVitest('test', options, config, terminal)),
    )
  }

  async run(settings: RunSettings, { onReport, log }: RunListeners): Promise<void> {
    this.isBusy = true
    this.#log = log
    this.#reporter.onReport = onReport
    try {
      const vitest = await this.#vitest
      if (this.#isClosed) throw new Error('the suites were closed before their run was over')
      vitest.provide('run', settings)
      this.#suites ??= await vitest.globTestSpecifications()
      const { unhandledErrors } = await vitest.runTestSpecifications(this.#suites)
      if (unhandledErrors.some(isOutOfMemory)) throw new OutOfMemoryError()
      if (unhandledErrors.length > 0) {
        throw new Error(unhandledErrors.map(describeInternalError).join('\n'))
      }
    } finally {
      // Vitest sets it for failed tests, which the caller evaluates.
      process.exitCode = undefined
      this.isBusy = false
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // Vitest would wait for checks that never end.
    if (this.isBusy) await this.#thread.end()
    // The run has reported if Vitest could not be created.
    await this.#vitest.then((vitest) => vitest.close()).catch(() => {})
    await this.#thread.end()
  }
}

/** Runs the suites with Vitest, one run after the other. */
export class Suites {
  #session: Session | undefined

  /** @throws the error that aborted the run */
  async run(settings: RunSettings, listeners: RunListeners): Promise<void> {
    // An aborted run may still be active.
    if (this.#session?.isBusy) await this.close()
    this.#session ??= new Session()
    await this.#session.run(settings, listeners).catch(async (error) => {
      await this.close()
      throw error
    })
  }

  /** Ends the worker; the next run starts a new one. */
  async close(): Promise<void> {
    const closing = this.#session
    this.#session = undefined
    await closing?.close()
  }
}
