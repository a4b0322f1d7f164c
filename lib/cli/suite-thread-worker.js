// The thread of `SuiteThread`. Vitest's own entry ends with its first run; this one stays for the next.
import { parentPort, workerData } from 'node:worker_threads'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'

const { loader, preloaded } = workerData

// What Vitest leaves to Node.js is TypeScript where the sources are.
if (loader !== undefined) {
  const { register } = await import(loader)
  register()
}

const ofTheRun = new Set()
let initialized = false

init({
  post: (message) => parentPort.postMessage(message),
  on: (listener) => {
    parentPort.on('message', listener)
    // The first one listens for runs, the others belong to one run.
    if (initialized) ofTheRun.add(listener)
  },
  off: (listener) => parentPort.off('message', listener),
  teardown: () => {
    for (const listener of ofTheRun) parentPort.off('message', listener)
    ofTheRun.clear()
  },
  setup: setupEnvironment,
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
})
initialized = true

// What cannot be loaded is told by the run, which loads it again.
for (const url of preloaded) import(url).catch(() => {})
