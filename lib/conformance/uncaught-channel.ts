import { BroadcastChannel } from 'node:worker_threads'

/** An error that nobody caught while the run judged. */
export interface Uncaught {
  /** Redacted, with a stack trace. */
  defect: string
  /** Whether the run comes to its end because of it. */
  fatal: boolean
}

/** On which the worker that judges tells the command, a thread of the same process, of such errors. */
export function uncaughtChannel(runId: string): BroadcastChannel {
  const channel = new BroadcastChannel(`plumbline uncaught ${runId}`)
  channel.unref()
  return channel
}

/** Hears of every such error, until the function that it returns is called. */
export function onUncaught(runId: string, listener: (uncaught: Uncaught) => void): () => void {
  const channel = uncaughtChannel(runId)
  channel.onmessage = (message) => listener((message as { data: Uncaught }).data)
  return () => channel.close()
}
