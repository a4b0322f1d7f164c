type Listener = (error: unknown) => void

const listeners = new Set<Listener>()

/** Hears of every error that nobody catches, in place of the end of the process, while the work lasts. */
export async function hearingUncaught<T>(listener: Listener, work: () => Promise<T>): Promise<T> {
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
