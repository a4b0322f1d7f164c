import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseMetrics } from '../reports/metrics.fixture.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import type { RunReport } from '../results/run-report.ts'
import { readHistory } from '../runs/history/history.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.fixture.ts'
import { OperatorFiles } from './operator-files.ts'
import { present } from './present.ts'

let directory: string
beforeEach(() => {
  directory = temporaryDirectory()
})

const pathTo = (name: string) => join(directory, name)

function reportOf(verdict: 'pass' | 'fail', date = 1): RunReport {
  const report = reportFixture({ results: [resultFixture({ verdict, reason: 'why' })] })
  report.run.finishedAt = `2026-03-0${date}T03:00:00.000Z`
  return report
}

/** Returns the exit status of a run, and that in each of its files; undefined for a file that it did not write. */
function statusesOf(report: RunReport, { isComplete = true, obstacle = '' } = {}) {
  const operatorFiles = { history: 'h.ndjson' }
  const context = createNestedContext(directory)
  const files = new OperatorFiles({ ...operatorFiles, metrics: 'm.prom' }, context, {})
  // It appears during the run.
  if (obstacle !== '') mkdirSync(pathTo(obstacle), { recursive: true })
  const run = files.finalizeRun(report, isComplete)
  const exit = present(run, pathTo('reports'), context, { metrics: 'm.prom' })
  const { output, errors } = context.reported
  const read = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch {
      return undefined
    }
  }
  const textOf = (name: string) => readFileSync(pathTo(name), 'utf8')
  const page = read(() => textOf('reports/report.html').replace(/<[^>]+>/g, ' '))
  const statusIn = (text: string) => Number(/exit status\s+(\d)/i.exec(text)?.[1])
  return {
    exit,
    terminal: statusIn(output),
    page: page && statusIn(page),
    history: read(() => readHistory(pathTo('h.ndjson')).lines.at(-1)?.status),
    metrics: read(() => parseMetrics(textOf('m.prom')).plumbline_exit_status?.[0]?.value),
    isExplained: obstacle === '' || new RegExp(`^plumbline: .*${obstacle}`, 'm').test(errors),
  }
}

const everywhere = (status: number) => {
  const files = { page: status, history: status, metrics: status }
  return { exit: status, terminal: status, ...files, isExplained: true }
}

describe('the exit status of a run is the same everywhere', () => {
  it.each([
    ['pass', true, false, 0],
    ['pass', false, false, 3],
    ['pass', true, true, 3],
    ['fail', true, false, 1],
    ['fail', false, false, 1],
  ] as const)(
    'with the verdict %s, complete: %s, interrupted: %s',
    (verdict, isComplete, interrupted, status) => {
      const report = reportOf(verdict)
      report.run.interrupted = interrupted
      expect(statusesOf(report, { isComplete })).toEqual(everywhere(status))
    },
  )

  it.each([
    ['reports/junit.xml', 'page'],
    ['m.prom', 'metrics'],
    ['h.ndjson', 'history'],
  ])('if %s cannot be written', (obstacle, missing) => {
    expect(statusesOf(reportOf('pass'), { obstacle })).toEqual({
      ...everywhere(3),
      [missing]: undefined,
    })
  })
})

it('the last success in metrics is not a run with a file that could not be written', () => {
  const lastSuccess = () =>
    parseMetrics(readFileSync(pathTo('m.prom'), 'utf8')).plumbline_last_success_timestamp_seconds
  const first = { labels: expect.anything(), value: Date.UTC(2026, 2, 1, 3) / 1000 }
  expect(statusesOf(reportOf('pass', 1)).exit).toBe(0)
  expect(lastSuccess()).toEqual([first])
  rmSync(pathTo('reports/junit.xml'))
  expect(statusesOf(reportOf('pass', 2), { obstacle: 'reports/junit.xml' }).exit).toBe(3)
  rmSync(pathTo('reports/junit.xml'), { recursive: true })
  expect(statusesOf(reportOf('fail', 3)).exit).toBe(1)
  expect(lastSuccess()).toEqual([first])
})
