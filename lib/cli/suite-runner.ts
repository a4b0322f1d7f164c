import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import {
  createVitest,
  type PoolRunnerInitializer,
  type Reporter,
  type TestCase,
  type TestModule,
  type TestSpecification,
  ThreadsPoolWorker,
  type Vitest,
} from 'vitest/node'
import { type CheckReport, reportOf } from '../conformance/check-report.ts'
import type { RunSettings } from '../conformance/run.ts'
import { describeInternalError } from '../conformance/run-check.ts'
import { conformance } from '../conformance/vitest-config.ts'

/** Who hears of a run. */
export interface Listeners {
  /** What a check, or the end of the run, tells. */
  onReport: (report: CheckReport) => void
  /** What a library in the thread of the suites says on a terminal. */
  tell: (text: string) => void
}

/** Hands on what Vitest reports of the suites. */
export class SuiteReporter implements Reporter {
  onReport: Listeners['onReport'] = () => {}

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

/** Of Node.js, when the memory that a thread may use is used up; Vitest wraps it. */
function isOutOfMemory(error: unknown): boolean {
  const { code, cause, errors = [] } = (error ?? {}) as VitestError
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || [cause ?? [], errors].flat().some(isOutOfMemory)
}

/** The thread of the suites has ended for want of memory. */
export class OutOfMemory extends Error {}

/** Vitest ends the process on these: what to do then is up to the command. */
const endings = ['SIGINT', 'SIGTERM', 'unhandledRejection'] as const

/** Calls `create`, which adds listeners at once, and takes those for the ends of the process off. */
function keepingProcess<T>(create: () => T): T {
  const before = endings.map((event) => process.listeners(event as NodeJS.Signals))
  const created = create()
  for (const [index, event] of endings.entries()) {
    for (const listener of process.listeners(event as NodeJS.Signals)) {
      if (!before[index]?.includes(listener)) process.off(event, listener)
    }
  }
  return created
}

/** A worker that outlives a run, so that what suites import is loaded and compiled once for many. */
class LastingWorker extends ThreadsPoolWorker {
  override readonly name = 'suites'
  override readonly entrypoint = fileURLToPath(new URL('suites-worker.js', import.meta.url))
  #isStarted = false
  /** Vitest begins a run while it still stops the worker for the one before. */
  #stopped = Promise.resolve()
  #tellStopped = (): void => {}
  readonly #listeners: Parameters<ThreadsPoolWorker['on']>[] = []

  override async start(): Promise<void> {
    await this.#stopped
    this.#stopped = new Promise((resolve) => {
      this.#tellStopped = resolve
    })
    if (!this.#isStarted) await super.start()
    this.#isStarted = true
  }

  override on(...listener: Parameters<ThreadsPoolWorker['on']>): void {
    this.#listeners.push(listener)
    super.on(...listener)
  }

  override async stop(): Promise<void> {
    for (const listener of this.#listeners.splice(0)) this.off(...listener)
    this.#tellStopped()
  }

  end(): Promise<void> {
    return super.stop()
  }
}

/**
 * What suites import is left to Node.js, which evaluates it once. Suites register their tests when they are
 * evaluated: for another run Vitest does that anew, which takes a tenth of a run longer.
 */
const inWorker = (manyRuns: boolean) => ({
  server: {
    deps: {
      inline: manyRuns ? [/\.suite\.[jt]s$/, /\/vitest-setup\.[jt]s$/] : [],
      external: [/\/(?:lib|suites)\//],
    },
  },
  execArgv: import.meta.url.endsWith('.ts')
    ? ['--import', new URL('../../config/package/typescript.js', import.meta.url).href]
    : [],
})

/** One Vitest with its worker. */
class Session {
  /** Its run has not come to its end. */
  isBusy = false
  #isClosed = false
  #tell: Listeners['tell'] = () => {}
  #worker: LastingWorker | undefined
  #suites: TestSpecification[] | undefined
  readonly #reporter = new SuiteReporter()
  readonly #vitest: Promise<Vitest>

  constructor(manyRuns: boolean) {
    const pool: PoolRunnerInitializer = {
      name: 'suites',
      createPoolWorker: (options) => {
        this.#worker ??= new LastingWorker(options)
        return this.#worker
      },
    }
    const write = (chunk: unknown, _encoding: string, done: () => void) => {
      this.#tell(String(chunk))
      done()
    }
    const terminal = { stdout: new Writable({ write }), stderr: new Writable({ write }) }
    const options = { config: false as const, watch: false, reporters: [this.#reporter] }
    const config = { ...conformance, test: { ...conformance.test, ...inWorker(manyRuns), pool } }
    this.#vitest = keepingProcess(() => createVitest('test', options, config, terminal))
  }

  async run(settings: RunSettings, { onReport, tell }: Listeners): Promise<void> {
    this.isBusy = true
    this.#tell = tell
    this.#reporter.onReport = onReport
    try {
      const vitest = await this.#vitest
      if (this.#isClosed) throw new Error('the suites were closed before their run was over')
      vitest.provide('run', settings)
      this.#suites ??= await vitest.globTestSpecifications()
      const { unhandledErrors } = await vitest.runTestSpecifications(this.#suites)
      if (unhandledErrors.some(isOutOfMemory)) throw new OutOfMemory()
      if (unhandledErrors.length > 0) {
        throw new Error(unhandledErrors.map(describeInternalError).join('\n'))
      }
    } finally {
      // Vitest sets it for failed tests; what they mean is for the caller to say.
      process.exitCode = undefined
      this.isBusy = false
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const { isBusy } = this
    // Vitest would wait for a check that waits for what never comes.
    if (isBusy) await this.#worker?.end()
    // That it could not be created was told by the run.
    await this.#vitest.then((vitest) => vitest.close()).catch(() => {})
    if (!isBusy) await this.#worker?.end()
  }
}

/** Vitest with the suites: for one run after the other. */
export class Suites {
  #session: Session | undefined
  readonly #manyRuns: boolean

  constructor({ manyRuns = true } = {}) {
    this.#manyRuns = manyRuns
    // One run is over before it pays to let memory grow.
    if (!manyRuns) setFlagsFromString('--max-semi-space-size=4')
  }

  /** @throws what has broken the run off */
  async run(settings: RunSettings, listeners: Listeners): Promise<void> {
    // A run that was given up is still under way.
    if (this.#session?.isBusy) await this.close()
    this.#session ??= new Session(this.#manyRuns)
    await this.#session.run(settings, listeners).catch(async (error) => {
      await this.close()
      throw error
    })
  }

  /** Another run begins anew, as is needed behind one that came to no end. */
  async close(): Promise<void> {
    const closing = this.#session
    this.#session = undefined
    await closing?.close()
  }
}
