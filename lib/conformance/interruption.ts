import { BroadcastChannel } from 'node:worker_threads'
import { INTERRUPTED } from './outcome.ts'

/** The command and the worker that judges are threads of one process; runs differ by their id. */
function channelOf(runId: string): BroadcastChannel {
  const channel = new BroadcastChannel(`plumbline ${runId}`)
  channel.unref()
  return channel
}

/**
 * Asks the worker to come to an end: no check sends anything any more, what was made is taken away.
 *
 * @param reason why, for the report of what was not judged
 */
export function interruptRun(runId: string, reason = INTERRUPTED): void {
  const channel = channelOf(runId)
  channel.postMessage(reason)
  channel.close()
}

/** Aborts, with the reason in words, when the run is asked to come to an end. */
export function interruptionOf(runId: string): AbortSignal {
  const controller = new AbortController()
  channelOf(runId).onmessage = (message) => {
    controller.abort((message as { data: string }).data)
  }
  return controller.signal
}
