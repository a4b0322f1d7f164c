// The worker of `Suites`. Vitest's default worker ends with its first run; this one serves several runs.
import { parentPort } from 'node:worker_threads'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'

/** First listener, which receives runs; the others belong to one run. */
let runListener

init({
  post: (message) => parentPort.postMessage(message),
  on(listener) {
    runListener ??= listener
    parentPort.on('message', listener)
  },
  off: (listener) => parentPort.off('message', listener),
  teardown() {
    parentPort.removeAllListeners('message')
    parentPort.on('message', runListener)
  },
  setup: setupEnvironment,
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
})
