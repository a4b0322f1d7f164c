// The thread of `SharedThread`. Vitest's own entry ends with its first run; this one stays for the next.
import { parentPort } from 'node:worker_threads'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'

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
