import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseMetrics } from '../reports/metrics.fixture.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { readHistory } from '../runs/history/history.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'
import { present } from './present.ts'

const metricsIn = (file: string) => parseMetrics(readFileSync(file, 'utf8'))
const gauge = (file: string, name: string) => metricsIn(file)[`plumbline_${name}`]?.[0]?.value

it('a run replaces its metrics, with the last success of the history', async () => {
  const directory = temporaryDirectory()
  const history = join(directory, 'history.ndjson')
  const metrics = join(directory, 'kept.prom')
  const link = join(directory, 'link.prom')
  writeFileSync(metrics, 'plumbline_exit_status 9\n', { mode: 0o640 })
  symlinkSync(metrics, link)
  await enclosedRun({}, { history, metrics: link, service: ['incident-status'], name: 'a "b"' })
  expect(metricsIn(metrics).plumbline_exit_status).toEqual([
    { value: 0, labels: { deployment: 'a "b"' } },
  ])
  const fault = 'incident-update-redirected'
  const failing = await enclosedRun({}, { history, metrics, service: ['incident-status'], fault })
  const [first] = readHistory(history).lines
  const failed = metricsIn(metrics).plumbline_requirement_failed?.map(({ labels }) => labels)

  expect(gauge(metrics, 'exit_status')).toBe(1)
  expect(gauge(metrics, 'last_success_timestamp_seconds')).toBe(
    Date.parse(first?.finishedAt ?? '') / 1000,
  )
  expect(gauge(metrics, 'run_timestamp_seconds')).toBe(
    Date.parse(failing.report.run.finishedAt) / 1000,
  )
  const failures = failing.report.results.filter(({ verdict }) => verdict === 'fail')
  expect(failed).toEqual(
    failures.map(({ requirement }) => {
      return { deployment: 'reference server', service: 'incident-status', requirement }
    }),
  )
  expect(gauge(metrics, 'new_failures')).toBe(failures.length)
})

const green = reportFixture({ results: [resultFixture()], verdict: 'conformant' })

function presented(directory: string, report = green) {
  const context = createNestedContext(directory)
  const reports = join(directory, 'reports')
  const options = { metrics: 'run.prom' }
  const status = present({ report, isComplete: true }, reports, context, options)
  return { status, ...context.reported }
}

it('an interrupted run, and one whose reports cannot be written, have metrics', () => {
  const interrupted = temporaryDirectory()
  const run = { ...green.run, interrupted: true }
  expect(presented(interrupted, { ...green, run }).status).toBe(3)
  expect(gauge(join(interrupted, 'run.prom'), 'exit_status')).toBe(3)

  const blocked = temporaryDirectory()
  mkdirSync(join(blocked, 'reports', 'junit.xml'), { recursive: true })
  expect(presented(blocked).status).toBe(3)
  expect(gauge(join(blocked, 'run.prom'), 'exit_status')).toBe(3)
})

it('metrics that cannot be written make the status of a conformant run 3', () => {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'run.prom'))
  const { status, errors } = presented(directory)
  expect(status).toBe(3)
  expect(errors).toContain(join(directory, 'run.prom'))
})
