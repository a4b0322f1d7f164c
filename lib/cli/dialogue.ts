import { createInterface } from 'node:readline/promises'
import { askedToStop } from './surroundings.ts'

/** A person at the terminal who starts a command that changes something. */
export interface Dialogue {
  /** Resolves with whether the person agrees; absent where nobody can be asked. */
  confirm?: (question: string, interruption: AbortSignal) => Promise<boolean>
  /** Aborted when the command is to stop; made when there is something to stop. */
  interruption: () => AbortSignal
}

/** Anything but a plain yes is a no: the end of the input and Ctrl-C too. */
async function askAtTerminal(question: string, interruption: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''))
    lines.once('SIGINT', () => lines.close())
    interruption.addEventListener('abort', () => lines.close(), { once: true })
  })
  try {
    const answer = await Promise.race([lines.question(question), ended])
    // Without an answer the cursor is still behind the question.
    if (answer === '') process.stderr.write('\n')
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

const NOTICE = 'Interrupted: ending after the request under way. Once more to stop at once.'

function untilAskedToStop(): AbortSignal {
  const controller = new AbortController()
  void askedToStop(NOTICE).then(() => controller.abort())
  return controller.signal
}

/** That of the process: the terminal that it was started from, if there is one. */
export function processDialogue(): Dialogue {
  return {
    ...(process.stdin.isTTY ? { confirm: askAtTerminal } : {}),
    interruption: untilAskedToStop,
  }
}
