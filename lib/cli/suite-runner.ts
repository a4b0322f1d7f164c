import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { TaskMeta } from 'vitest'
import type {
  PoolWorker,
  Reporter,
  TestCase,
  TestModule,
  TestSpecification,
  Vitest,
} from 'vitest/node'
import type { RunSettings } from '../conformance/probe-run.ts'
import { describeInternalError } from '../conformance/run-check.ts'
import { conformance } from '../conformance/vitest-config.ts'
import type { CheckReport } from '../results/run-evidence.ts'

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

/** A thread that serves several runs, so that modules are loaded and compiled once. Starts while Vitest is loaded. */
class SuitesThread implements PoolWorker {
  readonly name = 'suites'
  readonly #thread: Worker
  /** Vitest starts a run while it still stops the worker for the previous one. */
  #stopped = Promise.resolve()
  #resolveStopped = (): void => {}
  #listeners: Parameters<PoolWorker['on']>[] = []
  readonly #early = new Map<string, unknown>()

  constructor(execArgv: string[], output: Writable) {
    const entry = new URL('suites-worker.js', import.meta.url)
    this.#thread = new Worker(entry, { execArgv, stdout: true, stderr: true })
    this.#thread.stdout.pipe(output)
    this.#thread.stderr.pipe(output)
    for (const event of ['error', 'exit'] as const) {
      this.#thread.on(event, (value: unknown) => this.#early.set(event, value))
    }
  }

  async start(): Promise<void> {
    await this.#stopped
    this.#stopped = new Promise((resolve) => {
      this.#resolveStopped = resolve
    })
  }

  on(...listener: Parameters<PoolWorker['on']>): void {
    const [event, callback] = listener
    this.#listeners.push(listener)
    this.#thread.on(event, callback)
    if (this.#early.has(event)) callback(this.#early.get(event))
  }

  off(event: string, callback: (value: unknown) => void): void {
    this.#thread.off(event, callback)
  }

  send(message: unknown): void {
    this.#thread.postMessage(message)
  }

  deserialize(data: unknown): unknown {
    return data
  }

  async stop(): Promise<void> {
    for (const listener of this.#listeners.splice(0)) this.off(...listener)
    this.#resolveStopped()
  }

  async end(): Promise<void> {
    await this.#thread.terminate()
  }
}

/**
 * Returns the options of the module runner. Node.js evaluates modules once; for several runs, Vitest evaluates suites
 * for each run, because they register their tests then.
 */
const serverOptions = (manyRuns: boolean) => ({
  deps: {
    inline: manyRuns ? [/\.suite\.[jt]s$/, /\/vitest-setup\.[jt]s$/] : [],
    external: [/\/(?:lib|suites)\//],
  },
})

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

/** Options of Node.js in the thread: that of Vitest, and in a checkout TypeScript. */
const execArgv = [
  '--experimental-import-meta-resolve',
  ...(import.meta.url.endsWith('.ts')
    ? ['--import', new URL('../../config/package/typescript.js', import.meta.url).href]
    : []),
]

class Session {
  isBusy = false
  #isClosed = false
  #log: RunListeners['log'] = () => {}
  readonly #thread: SuitesThread
  #suites: TestSpecification[] | undefined
  readonly #reporter = new SuiteReporter()
  readonly #vitest: Promise<Vitest>

  constructor(manyRuns: boolean) {
    const write = (chunk: unknown, _encoding: string, done: () => void) => {
      this.#log(String(chunk))
      done()
    }
    const terminal = { stdout: new Writable({ write }), stderr: new Writable({ write }) }
    this.#thread = new SuitesThread(execArgv, terminal.stdout)
    const pool = { name: 'suites', createPoolWorker: () => this.#thread }
    const options = { config: false as const, watch: false, reporters: [this.#reporter] }
    const root = plainPath(conformance.root)
    const setupFiles = conformance.test.setupFiles.map((path) =>
      join(root, relative(conformance.root, path)),
    )
    const test = { ...conformance.test, server: serverOptions(manyRuns), setupFiles, pool }
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
    const { isBusy } = this
    // Vitest would wait for checks that never end.
    if (isBusy) await this.#thread.end()
    // The run has reported if Vitest could not be created.
    await this.#vitest.then((vitest) => vitest.close()).catch(() => {})
    if (!isBusy) await this.#thread.end()
  }
}

export class Suites {
  #session: Session | undefined
  readonly #manyRuns: boolean

  constructor({ manyRuns = true } = {}) {
    this.#manyRuns = manyRuns
    // A single run is too short to benefit from a larger young generation.
    if (!manyRuns) setFlagsFromString('--max-semi-space-size=4')
  }

  /** @throws the error that aborted the run */
  async run(settings: RunSettings, listeners: RunListeners): Promise<void> {
    // An aborted run may still be active.
    if (this.#session?.isBusy) await this.close()
    this.#session ??= new Session(this.#manyRuns)
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
