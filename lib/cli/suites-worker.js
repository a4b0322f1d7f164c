// The worker of `Suites`. Vitest's default worker ends with its first run; this one serves several runs.
import { parentPort } from 'node:worker_threads'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'

/** The first listener receives runs; the others belong to one run. */
const listeners = []

init({
  post: (message) => parentPort.postMessage(message),
  on(listener) {
    listeners.push(listener)
    parentPort.on('message', listener)
  },
  off: (listener) => parentPort.off('message', listener),
  teardown() {
    for (const listener of listeners.splice(1)) parentPort.off('message', listener)
  },
  setup: setupEnvironment,
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
})
