import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PoolRunnerInitializer, PoolWorker } from 'vitest/node'

/** What a run keeps, it keeps to its end: room for it saves copying it again and again. */
const YOUNG_GENERATION_MEGABYTES = 96

/** What lets Node.js load TypeScript; a package, which has none, does without. */
const loader = extname(import.meta.url) === '.ts' ? 'tsx/esm/api' : undefined

/**
 * A thread in which many runs take place one after the other: it is started once, and what Vitest leaves
 * to Node.js is loaded and compiled once.
 */
export class SharedThread {
  #thread: Worker | undefined

  /** For Vitest's `pool`. One run at a time. */
  readonly pool: PoolRunnerInitializer = {
    name: 'shared-thread',
    createPoolWorker: () => this.#poolWorker(),
  }

  #poolWorker(): PoolWorker {
    const thread = this.#threadOfNextRun()
    const listeners: [event: string, listener: (argument: unknown) => void][] = []
    return {
      name: this.pool.name,
      on(event, listener) {
        listeners.push([event, listener])
        thread.on(event, listener)
      },
      off: (event, listener) => thread.off(event, listener),
      send: (message) => thread.postMessage(message),
      deserialize: (data) => data,
      start: async () => {},
      stop: async () => {
        for (const [event, listener] of listeners) thread.off(event, listener)
      },
    }
  }

  #threadOfNextRun(): Worker {
    if (this.#thread !== undefined) return this.#thread
    const thread = new Worker(new URL('shared-thread-worker.js', import.meta.url), {
      workerData: { loader },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MEGABYTES },
    })
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    this.#thread = thread
    return thread
  }

  /** Ends the thread; another run would start a new one. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }
}
