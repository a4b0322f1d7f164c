import { Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import type { Reporter, Vitest } from 'vitest/node'
import type { RunSettings } from '../conformance/run.ts'
import { conformance, inSuiteThread } from '../conformance/vitest-config.ts'
import type { ConformanceReporter } from '../reports/run-evidence.ts'
import { SuiteThread } from './suite-thread.ts'

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

/** Who hears of a run. */
interface Listener {
  reporter: ConformanceReporter
  tell: Tell
}

/** Vitest with the suites, in a thread of their own: for one run after the other. */
export interface Suites {
  /** The reporter gathers what the checks tell. */
  run(settings: RunSettings, reporter: ConformanceReporter, tell: Tell): Promise<void>
  /** Another run would begin anew, as is needed behind one that came to no end. */
  close(): Promise<void>
}

/**
 * One run is over before it pays to let memory grow, or to optimize the WebAssembly with which undici
 * reads HTTP: that alone takes 30 MB and a fourth of a second.
 */
const V8_FLAGS_FOR_ONE = [
  '--max-semi-space-size=4',
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
]

/** What many runs keep, they keep to their end: room for it saves copying it again and again. */
const YOUNG_GENERATION_OF_MANY = { maxYoungGenerationSizeMb: 96 }

/** @param manyRuns whether they share most modules; otherwise the thread starts at once */
export function openSuites({ manyRuns = false } = {}): Suites {
  let opened: { vitest: Promise<Vitest>; listener: Listener } | undefined
  /** What the thread says before its run. */
  let early = ''
  const tell = (text: string): void => {
    if (opened === undefined) early += text
    else opened.listener.tell(text)
  }
  const thread = new SuiteThread(tell, manyRuns ? YOUNG_GENERATION_OF_MANY : {})
  if (!manyRuns) {
    for (const flag of V8_FLAGS_FOR_ONE) setFlagsFromString(flag)
    thread.start()
  }
  const create = async (listener: Listener): Promise<Vitest> => {
    const { createVitest } = await import('vitest/node')
    const { pool } = thread
    const test = { ...conformance.test, ...inSuiteThread({ manyRuns }), pool }
    const reporter: Reporter = {
      onTestCaseResult: (testCase) => listener.reporter.onTestCaseResult(testCase),
      onTestModuleEnd: (module) => listener.reporter.onTestModuleEnd(module),
      onTestRunEnd: (modules, errors) => listener.reporter.onTestRunEnd(modules, errors),
    }
    const write = (chunk: unknown, _encoding: string, done: () => void) => {
      listener.tell(String(chunk))
      done()
    }
    const terminal = { stdout: new Writable({ write }), stderr: new Writable({ write }) }
    const options = { config: false as const, watch: false, reporters: [reporter] }
    return keepingProcess(() => createVitest('test', options, { ...conformance, test }, terminal))
  }
  const open = (listener: Listener) => ({ listener, vitest: create(listener) })
  return {
    async run(settings, reporter, tell) {
      opened ??= open({ reporter, tell })
      // One Vitest for one run after the other: what another still says is not for this run.
      Object.assign(opened.listener, { reporter, tell })
      if (early !== '') tell(early)
      early = ''
      const vitest = await opened.vitest
      vitest.provide('run', settings)
      try {
        await vitest.runTestSpecifications(await vitest.globTestSpecifications())
      } finally {
        // Vitest sets it for failed tests; what they mean is for the caller to say.
        process.exitCode = undefined
      }
    },
    async close() {
      const closing = opened
      opened = undefined
      await thread.close()
      // That it could not be created was told by the run.
      const vitest = await closing?.vitest.catch(() => undefined)
      await vitest?.close()
    },
  }
}
