import { runCommandLine } from './command-line.ts'
import { ERROR_EXIT_CODE, logInternalErrors, processContext, uncaughtListeners } from './context.ts'

const context = processContext()

process.on('uncaughtException', (error) => {
  for (const listener of uncaughtListeners) listener(error)
  if (uncaughtListeners.size > 0) return
  logInternalErrors([error], context)
  process.exit(ERROR_EXIT_CODE)
})

// A reader may close the pipe early: `plumbline run 2>&1 | head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const status = await runCommandLine(process.argv.slice(2), context)
// Pipes are written asynchronously, and an exit would truncate the output.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((end) => stream.write('', end))),
)
process.exit(status)
