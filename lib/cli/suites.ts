import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RowReport } from '../conformance/row-report.ts'
import type { RunSettings } from '../conformance/run.ts'

/** Who hears of a run. */
export interface Listeners {
  /** What a check, or the end of the run, tells. */
  onReport: (report: RowReport) => void
  /** What a library in the thread of the suites says on a terminal. */
  tell: (text: string) => void
}

/** The suites, in a thread of their own: for one run after the other. */
export interface Suites {
  /** @throws what has ended the thread before the run was over */
  run(settings: RunSettings, listeners: Listeners): Promise<void>
  /** Another run would begin anew, as is needed behind one that came to no end. */
  close(): Promise<void>
}

/** What the thread says: a report of its run, or that the run is over, and what has broken it off. */
type ThreadMessage = { report: RowReport } | { over: true; failure?: string }

/** `.js` where everything is compiled, as in a package. */
const extension = extname(import.meta.url)

const inProject = (path: string) => new URL(`../../${path}`, import.meta.url).href

const workerData = {
  /** What lets Node.js load TypeScript; what is compiled does without. */
  loader: extension === '.ts' ? inProject('config/package/typescript.js') : undefined,
  runner: inProject(`lib/conformance/run-suites${extension}`),
  suites: inProject(`suites/all.suite${extension}`),
}

/** The thread starts at once, and loads the suites before there is a run. */
export function openSuites(): Suites {
  let thread: Worker | undefined
  /** The one with a run under way, or with one that was given up. */
  let busy: Worker | undefined
  let listeners: Listeners | undefined
  /** What the thread says before its run. */
  let early = ''
  const tell = (chunk: unknown): void => {
    if (listeners === undefined) early += chunk
    else listeners.tell(String(chunk))
  }
  function start(): Worker {
    const started = new Worker(new URL('suite-thread.js', import.meta.url), {
      workerData,
      stdout: true,
      stderr: true,
    })
    started.stdout.on('data', tell)
    started.stderr.on('data', tell)
    // The run hears of it; the next one starts another thread.
    started.on('error', () => {})
    started.once('exit', () => {
      if (thread === started) thread = undefined
    })
    return started
  }
  async function close(): Promise<void> {
    const ending = thread
    thread = undefined
    await ending?.terminate()
  }
  thread = start()
  return {
    async run(settings, given) {
      if (busy !== undefined) await close()
      listeners = given
      if (early !== '') given.tell(early)
      early = ''
      thread ??= start()
      const running = thread
      busy = running
      let end = (): void => {}
      await new Promise<void>((resolve, reject) => {
        const onMessage = (message: ThreadMessage): void => {
          if ('report' in message) given.onReport(message.report)
          else if (message.failure === undefined) resolve()
          else reject(message.failure)
        }
        const onExit = () => reject(new Error('the thread of the suites has ended too soon'))
        end = () => {
          running.off('message', onMessage).off('error', reject).off('exit', onExit)
          if (busy === running) busy = undefined
        }
        running.on('message', onMessage).on('error', reject).on('exit', onExit)
        running.postMessage(settings)
      }).finally(end)
    },
    close,
  }
}
