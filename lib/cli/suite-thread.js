// The thread of the suites: loads them at once, and runs them with the settings of each message.
import { parentPort, workerData } from 'node:worker_threads'

const { loader, runner, suites } = workerData

if (loader !== undefined) await import(loader)

const { loadSuites, runSuites } = await import(runner)
// What cannot be loaded is told by each run.
const loading = loadSuites(() => import(suites))
loading.catch(() => {})

const { exit } = process

parentPort.on('message', async (settings) => {
  // A check that ended the thread would leave behind what the run has made.
  process.exit = () => {
    throw new Error('process.exit was called during a run')
  }
  let failure
  try {
    await runSuites(settings, loading, (report) => parentPort.postMessage({ report }))
  } catch (error) {
    failure = String(error?.stack ?? error)
  }
  process.exit = exit
  parentPort.postMessage({ over: true, failure })
})
