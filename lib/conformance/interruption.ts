import { BroadcastChannel } from 'node:worker_threads'

/** The command and the worker that judges are threads of one process; runs differ by their id. */
function channelOf(runId: string): BroadcastChannel {
  const channel = new BroadcastChannel(`plumbline ${runId}`)
  channel.unref()
  return channel
}

/** Asks the worker to come to an end: no check sends anything any more, what was made is taken away. */
export function interruptRun(runId: string): void {
  channelOf(runId).postMessage('interrupt')
}

/** Aborts when the run is asked to come to an end. */
export function interruptionOf(runId: string): AbortSignal {
  const controller = new AbortController()
  channelOf(runId).onmessage = () => controller.abort()
  return controller.signal
}
