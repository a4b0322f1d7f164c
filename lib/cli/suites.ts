import { Writable } from 'node:stream'
import { createVitest, type PoolRunnerInitializer, type Reporter } from 'vitest/node'
import { conformance, sharingThread } from '../../config/conformance.config.ts'
import type { RunSettings } from '../conformance/run.ts'
import { SharedThread } from '../prove/shared-thread.ts'
import type { ConformanceReporter } from '../reports/run-evidence.ts'

/**
 * Vitest ends the process on a signal and on an error that nobody catches, before anything is taken
 * away or reported: what to do is up to the command. Signals come between tasks only, so that a
 * listener which is gone by the end of the task that added it never hears one.
 */
async function keepingProcess<T>(create: () => Promise<T>): Promise<T> {
  const forget = (event: string | symbol, listener: () => void) => {
    const isOurs = /^(SIGINT|SIGTERM|unhandledRejection)$/.test(String(event))
    if (isOurs) queueMicrotask(() => process.off(event, listener))
  }
  process.on('newListener', forget)
  try {
    return await create()
  } finally {
    process.off('newListener', forget)
  }
}

/** Is handed what Vitest, or a library in the thread of the suites, says on a terminal. */
type Tell = (text: string) => void

/** Vitest, with the suites: for one run after the other. */
export interface Suites {
  /** The reporter gathers what the checks tell. */
  run(settings: RunSettings, reporter: ConformanceReporter, tell: Tell): Promise<void>
  close(): Promise<void>
}

/** @param pool where they run, when not in a thread of their own */
export async function openSuites(pool?: PoolRunnerInitializer): Promise<Suites> {
  const shared = pool === undefined ? {} : { pool, ...sharingThread }
  const config = { ...conformance, test: { ...conformance.test, ...shared } }
  let current: { reporter: ConformanceReporter; tell: Tell } | undefined
  const reporter: Reporter = {
    onTestCaseResult: (testCase) => current?.reporter.onTestCaseResult(testCase),
    onTestModuleEnd: (module) => current?.reporter.onTestModuleEnd(module),
    onTestRunEnd: (modules, errors) => current?.reporter.onTestRunEnd(modules, errors),
  }
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    current?.tell(String(chunk))
    done()
  }
  const terminal = { stdout: new Writable({ write }), stderr: new Writable({ write }) }
  const vitest = await keepingProcess(() =>
    createVitest('test', { config: false, watch: false, reporters: [reporter] }, config, terminal),
  )
  return {
    async run(settings, reporter, tell) {
      current = { reporter, tell }
      vitest.provide('run', settings)
      try {
        await vitest.runTestSpecifications(await vitest.globTestSpecifications())
      } finally {
        // Vitest sets it for failed tests; what they mean is for the caller to say.
        process.exitCode = undefined
      }
    },
    close: () => vitest.close(),
  }
}

/**
 * For many runs: they share a thread, and most modules. Closed, it begins anew with the next run, as is
 * needed behind one that came to no end.
 */
export function sharedSuites(): Suites {
  const thread = new SharedThread()
  let opened: Promise<Suites> | undefined
  return {
    async run(...run) {
      opened ??= openSuites(thread.pool)
      await (await opened).run(...run)
    },
    async close() {
      const closing = opened
      opened = undefined
      await thread.close()
      await (await closing)?.close()
    },
  }
}
