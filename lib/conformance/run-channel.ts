import { setMaxListeners } from 'node:events'
import { BroadcastChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { KnownSecret } from '../probe/redaction/redaction.ts'
import type { ReasonOf } from '../results/reason.ts'
import { CLEAN_UP } from './check-scope.ts'

/** Messages between the command and the worker thread of the suites. */
interface Topics {
  interruption: NonNullable<ReasonOf<'interrupted'>['by']>
  /** Uncaught error, redacted; `fatal` if the run ends because of it. */
  uncaught: { internalError: string; fatal: boolean }
  secret: KnownSecret
}

/** Opens the channel of a run. It does not keep the process alive. */
export function channelOf<Topic extends keyof Topics>(topic: Topic, runId: string) {
  const channel = new BroadcastChannel(`plumbline ${topic} ${runId}`)
  channel.unref()
  return {
    post: (reported: Topics[Topic]): void => channel.postMessage(reported),
    listen(listener: (reported: Topics[Topic]) => void): void {
      channel.onmessage = (message) => listener((message as { data: Topics[Topic] }).data)
    },
    /** Returns the messages that the listener has not received yet, such as messages of an ended thread. */
    drain(): Topics[Topic][] {
      const messages: Topics[Topic][] = []
      const port = channel as unknown as MessagePort
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
        messages.push(next.message)
      }
      return messages
    },
    close: (): void => channel.close(),
  }
}

/** Requests the end of a run: checks send nothing more, and created resources are deleted. */
export function interruptRun(runId: string, by: Topics['interruption'] = 'operator'): void {
  const { post, close } = channelOf('interruption', runId)
  post(by)
  close()
}

/** Returns a signal that aborts when the end of the run is requested; its reason is the initiator. */
export function interruptionSignal(runId: string): AbortSignal {
  const controller = new AbortController()
  channelOf('interruption', runId).listen((reason) => controller.abort(reason))
  return controller.signal
}

export function discoveredSecrets(runId: string) {
  const { listen, drain, close } = channelOf('secret', runId)
  const reported: KnownSecret[] = []
  listen((secret) => reported.push(secret))
  return { all: () => reported.concat(drain()), close }
}

/** Time for requests other than GET after an interruption by the operator, who waits for the end. */
const MAX_MAKING_MS = 400
/** Time for the cleanup; resources that still exist then are reported as leaked. */
const MAX_CLEANING_MS = 1200

export type RequestSignals = (method: string, purpose: string) => AbortSignal

export function createRequestSignals(interruption: AbortSignal): RequestSignals {
  const abortAfter = (milliseconds: number): AbortSignal => {
    const controller = new AbortController()
    interruption.addEventListener('abort', () => {
      // After an internal error, requests may finish.
      if (interruption.reason !== 'operator') return
      setTimeout(() => controller.abort(interruption.reason), milliseconds).unref()
    })
    return controller.signal
  }
  const making = abortAfter(MAX_MAKING_MS)
  const cleaning = abortAfter(MAX_CLEANING_MS)
  // Each request under way adds a listener.
  setMaxListeners(0, interruption, making, cleaning)
  return (method, purpose) => {
    if (purpose === CLEAN_UP) return cleaning
    return method === 'GET' ? interruption : making
  }
}
