import { setMaxListeners } from 'node:events'
import { BroadcastChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { KnownSecret } from '../probe/redaction.ts'
import type { ReasonOf } from '../results/reason.ts'
import { CLEAN_UP } from './scope.ts'

/** What the command and the worker that judges, threads of one process, tell each other. */
interface Topics {
  /** Who ends the run. */
  interruption: NonNullable<ReasonOf<'interrupted'>['by']>
  /** An error that nobody caught, redacted, and whether the run comes to its end because of it. */
  uncaught: { defect: string; fatal: boolean }
  /** A secret that the worker has learnt. */
  secret: KnownSecret
}

/** Runs differ by their id. It keeps no process alive. */
export function channelOf<Topic extends keyof Topics>(topic: Topic, runId: string) {
  const channel = new BroadcastChannel(`plumbline ${topic} ${runId}`)
  channel.unref()
  return {
    tell: (reported: Topics[Topic]): void => channel.postMessage(reported),
    listen(listener: (reported: Topics[Topic]) => void): void {
      channel.onmessage = (message) => listener((message as { data: Topics[Topic] }).data)
    },
    /** What was sent and not handed out yet: a thread that has ended may have reported it last. */
    rest(): Topics[Topic][] {
      const rest: Topics[Topic][] = []
      const port = channel as unknown as MessagePort
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
        rest.push(next.message)
      }
      return rest
    },
    close: (): void => channel.close(),
  }
}

/** Asks the worker to come to an end: no check sends anything any more, what was made is taken away. */
export function interruptRun(runId: string, by: Topics['interruption'] = 'operator'): void {
  const { tell, close } = channelOf('interruption', runId)
  tell(by)
  close()
}

/** Aborts, with who ends it as the reason, when the run is asked to come to an end. */
export function interruptionOf(runId: string): AbortSignal {
  const controller = new AbortController()
  channelOf('interruption', runId).listen((reason) => controller.abort(reason))
  return controller.signal
}

/** The secrets that a run has learnt. */
export interface LearntSecrets {
  all(): KnownSecret[]
  close(): void
}

export function learntSecrets(runId: string): LearntSecrets {
  const { listen, rest, close } = channelOf('secret', runId)
  const reported: KnownSecret[] = []
  listen((secret) => reported.push(secret))
  return { all: () => reported.concat(rest()), close }
}

/**
 * A person who interrupts a run waits for its end, and so may a job that is killed a little later.
 * Milliseconds after the interruption, of two seconds; the rest is for the reports.
 */
const ENDS_AFTER_MS = {
  /** What is under way and makes something may still tell what it made. */
  making: 400,
  /** What is not taken away by then is left behind, and told. */
  cleaning: 1200,
} as const

export function endingOf(interruption: AbortSignal) {
  const later = (milliseconds: number): AbortSignal => {
    const controller = new AbortController()
    interruption.addEventListener('abort', () => {
      // A defect of our own ends the run as well, and then nobody is in a hurry.
      if (interruption.reason !== 'operator') return
      setTimeout(() => controller.abort(interruption.reason), milliseconds).unref()
    })
    return controller.signal
  }
  const making = later(ENDS_AFTER_MS.making)
  const cleaning = later(ENDS_AFTER_MS.cleaning)
  // Each request under way listens.
  setMaxListeners(0, interruption, making, cleaning)
  return {
    signalFor(method: string, purpose: string): AbortSignal {
      if (purpose === CLEAN_UP) return cleaning
      return method === 'GET' ? interruption : making
    },
  }
}
