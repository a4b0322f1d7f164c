import { readdirSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { PoolRunnerInitializer, PoolWorker } from 'vitest/node'

/** `.js` where everything is compiled, as in a package. */
const extension = extname(import.meta.url)

/** What lets Node.js load TypeScript; a package, which has none, does without. */
const loader = extension === '.ts' ? 'tsx/esm/api' : undefined

const suites = new URL('../../suites/', import.meta.url)

/** What every suite needs, and what it needs of its service: loaded before a run asks for it. */
const preloaded = () => [
  new URL(`../conformance/lifecycle${extension}`, import.meta.url).href,
  ...readdirSync(fileURLToPath(suites), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(`/words${extension}`))
    .map((path) => new URL(path, suites).href),
]

/**
 * The thread of the suites. It outlives a run, so that what Vitest leaves to Node.js is loaded and
 * compiled once for many, and begins before a run, while the command prepares it.
 */
export class SuiteThread {
  #thread: Worker | undefined
  readonly #tell: (text: string) => void
  readonly #resourceLimits: { maxYoungGenerationSizeMb?: number }

  /** @param tell is handed what is written to its standard output and error */
  constructor(tell: (text: string) => void, resourceLimits = {}) {
    this.#tell = tell
    this.#resourceLimits = resourceLimits
  }

  /** For Vitest's `pool`. One run at a time. */
  readonly pool: PoolRunnerInitializer = {
    name: 'suite-thread',
    createPoolWorker: () => this.#poolWorker(),
  }

  #poolWorker(): PoolWorker {
    const thread = this.start()
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

  start(): Worker {
    if (this.#thread !== undefined) return this.#thread
    const thread = new Worker(new URL('suite-thread-worker.js', import.meta.url), {
      workerData: { loader, preloaded: preloaded() },
      resourceLimits: this.#resourceLimits,
      stdout: true,
      stderr: true,
    })
    for (const stream of [thread.stdout, thread.stderr]) {
      stream.on('data', (chunk) => this.#tell(String(chunk)))
    }
    // Vitest hears of it where it is in use; otherwise the next run starts another.
    thread.on('error', () => {})
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
