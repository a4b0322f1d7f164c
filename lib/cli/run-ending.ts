import { setTimeout as delay } from 'node:timers/promises'
import { describeDefect } from '../conformance/judgement.ts'
import { interruptRun, onUncaught } from '../conformance/run-channel.ts'

type Listener = (error: unknown) => void

const listeners = new Set<Listener>()

/** Hears of every error that nobody catches, in place of the end of the process, while the work lasts. */
async function hearingUncaught<T>(listener: Listener, work: () => Promise<T>): Promise<T> {
  listeners.add(listener)
  try {
    return await work()
  } finally {
    listeners.delete(listener)
  }
}

/** What nobody catches goes to whoever hears of it, otherwise to `last`. Call it once in a process. */
export function watchProcess(last: Listener): void {
  process.on('uncaughtException', (error) => {
    for (const listener of listeners) listener(error)
    if (listeners.size === 0) last(error)
  })
}

/** For what a run that breaks off has to take away; then it is left behind. */
const LONGEST_ENDING_MS = 10_000

/** The same when somebody stops the run: the reports follow, and two seconds are all there is. */
const LONGEST_INTERRUPTED_MS = 1500

const ASKED_AGAIN_MS = 50

export interface Ending {
  interrupted: boolean
  /** What went wrong in Plumbline itself, outside of the checks. */
  defects: string[]
}

/**
 * Waits for the work of a run. It is given up when it has been interrupted, or nobody has caught an
 * error in its thread or this one, and then does not come to its end in time.
 */
export async function untilEnd(
  runId: string,
  interruption: Promise<unknown> | undefined,
  work: () => Promise<void>,
): Promise<Ending> {
  const ending: Ending = { interrupted: false, defects: [] }
  let giveUp = (): void => {}
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve
  })
  const endSoon = (milliseconds = LONGEST_ENDING_MS) =>
    delay(milliseconds, undefined, { ref: false }).then(giveUp)

  let asking: NodeJS.Timeout | undefined
  void interruption?.then(() => {
    ending.interrupted = true
    interruptRun(runId)
    // A thread that is only starting has not heard it.
    asking = setInterval(() => interruptRun(runId), ASKED_AGAIN_MS).unref()
    void endSoon(LONGEST_INTERRUPTED_MS)
  })
  const forget = onUncaught(runId, ({ defect, fatal }) => {
    ending.defects.push(defect)
    if (fatal) void endSoon()
  })
  const onError = (error: unknown): void => {
    ending.defects.push(describeDefect(error))
    interruptRun(runId, 'the run broke off because of a defect of Plumbline')
    void endSoon()
  }
  const finished = async () => {
    try {
      await work()
    } catch (error) {
      ending.defects.push(describeDefect(error))
    }
  }
  await hearingUncaught(onError, () => Promise.race([finished(), givenUp]))
  clearInterval(asking)
  forget()
  return ending
}
