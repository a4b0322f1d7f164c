import { setMaxListeners } from 'node:events'
import { INTERRUPTED } from './outcome.ts'
import { CLEAN_UP } from './scope.ts'

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

/** When requests under way are given up, once a run is to come to its end. */
export interface Ending {
  signalFor(method: string, purpose: string): AbortSignal
}

function later(interruption: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController()
  interruption.addEventListener('abort', () => {
    // A defect of our own ends the run as well, and then nobody is in a hurry.
    if (interruption.reason !== INTERRUPTED) return
    setTimeout(() => controller.abort(interruption.reason), milliseconds).unref()
  })
  return controller.signal
}

/** @param interruption aborts when the run is to come to its end, with the reason in words */
export function endingOf(interruption: AbortSignal): Ending {
  const making = later(interruption, ENDS_AFTER_MS.making)
  const cleaning = later(interruption, ENDS_AFTER_MS.cleaning)
  // Each request under way listens.
  setMaxListeners(0, interruption, making, cleaning)
  return {
    signalFor(method, purpose) {
      if (purpose === CLEAN_UP) return cleaning
      return method === 'GET' ? interruption : making
    },
  }
}
