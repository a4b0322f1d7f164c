import type { Writable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { PoolWorker } from 'vitest/node'

/** In a checkout, the thread reads TypeScript. */
const typescript = import.meta.url.endsWith('.ts')
  ? ['--import', new URL('../../config/package/typescript.js', import.meta.url).href]
  : []

/**
 * A thread that serves several runs. Vitest's own thread ends with each run, so that the next one loads and compiles
 * all modules again: `prove` needs 5.4 instead of 3.3 seconds of processor time for a scenario with it.
 */
export class SuitesThread implements PoolWorker {
  readonly name = 'suites'
  readonly #output: Writable
  #thread: Worker | undefined
  /** Vitest starts a run while it still stops the worker for the previous one. */
  #stopped = Promise.resolve()
  #resolveStopped = (): void => {}
  #listeners: Parameters<PoolWorker['on']>[] = []

  constructor(output: Writable) {
    this.#output = output
  }

  async start(): Promise<void> {
    await this.#stopped
    this.#stopped = new Promise((resolve) => {
      this.#resolveStopped = resolve
    })
    if (this.#thread !== undefined) return
    const execArgv = ['--experimental-import-meta-resolve', ...typescript]
    const entry = new URL('suites-worker.js', import.meta.url)
    this.#thread = new Worker(entry, { execArgv, stdout: true, stderr: true })
    this.#thread.stdout.pipe(this.#output)
    this.#thread.stderr.pipe(this.#output)
  }

  on(...listener: Parameters<PoolWorker['on']>): void {
    this.#listeners.push(listener)
    this.#thread?.on(...listener)
  }

  off(...listener: Parameters<PoolWorker['off']>): void {
    this.#thread?.off(...listener)
  }

  send(message: unknown): void {
    this.#thread?.postMessage(message)
  }

  deserialize = (data: unknown): unknown => data

  async stop(): Promise<void> {
    for (const listener of this.#listeners.splice(0)) this.off(...listener)
    this.#resolveStopped()
  }

  async end(): Promise<void> {
    await this.#thread?.terminate()
  }
}
