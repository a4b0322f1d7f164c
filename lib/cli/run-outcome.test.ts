import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseMetrics } from '../reports/metrics.fixture.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import type { RunReport } from '../results/run-report.ts'
import { readHistory } from '../runs/history/history.ts'
import { referenceEnvironment, temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'
import { atLeast } from './options.ts'
import { finalizeRun, present } from './present.ts'
import { openOperatorFiles } from './run.ts'

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
async function statusesOf(report: RunReport, obstacle = '') {
  const context = createNestedContext(directory)
  const files = await openOperatorFiles({ history: 'h.ndjson', metrics: 'm.prom' }, context)
  // It appears during the run.
  if (obstacle !== '') mkdirSync(pathTo(obstacle), { recursive: true })
  const run = finalizeRun(report, true, files, context)
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
    // A second line of the run would count it twice.
    history: read(() =>
      readHistory(pathTo('h.ndjson'))
        .lines.map((line) => line.status)
        .join(),
    ),
    metrics: read(() => parseMetrics(textOf('m.prom')).plumbline_exit_status?.[0]?.value),
    isExplained: obstacle === '' || new RegExp(`^plumbline: .*${obstacle}`, 'm').test(errors),
  }
}

const everywhere = (status: number) => {
  const files = { page: status, history: String(status), metrics: status }
  return { exit: status, terminal: status, ...files, isExplained: true }
}

describe('the exit status of a run is the same everywhere', () => {
  it('with a failure of an interrupted run', async () => {
    const report = reportOf('fail')
    report.run.interrupted = true
    expect(await statusesOf(report)).toEqual(everywhere(1))
  })

  it.each([
    ['reports/junit.xml', 'page'],
    ['m.prom', 'metrics'],
    ['h.ndjson', 'history'],
  ])('if %s cannot be written', async (obstacle, missing) => {
    expect(await statusesOf(reportOf('pass'), obstacle)).toEqual({
      ...everywhere(3),
      [missing]: undefined,
    })
  })
})

it('the last success in metrics is not a run with a file that could not be written', async () => {
  const lastSuccess = () =>
    parseMetrics(readFileSync(pathTo('m.prom'), 'utf8')).plumbline_last_success_timestamp_seconds
  const first = { labels: expect.anything(), value: Date.UTC(2026, 2, 1, 3) / 1000 }
  expect((await statusesOf(reportOf('pass', 1))).exit).toBe(0)
  expect(lastSuccess()).toEqual([first])
  rmSync(pathTo('reports/junit.xml'))
  expect((await statusesOf(reportOf('pass', 2), 'reports/junit.xml')).exit).toBe(3)
  rmSync(pathTo('reports/junit.xml'), { recursive: true })
  expect((await statusesOf(reportOf('fail', 3))).exit).toBe(1)
  expect(lastSuccess()).toEqual([first])
})

it('a job without its account returns 3 with --min-judged, and reports the missing variables', async () => {
  const { CODE_HOSTING_BASE_URL = '' } = await referenceEnvironment()
  const { status, report } = await enclosedRun(
    { CODE_HOSTING_BASE_URL },
    { minJudged: atLeast('50%') },
  )
  const { coverage, results } = report
  expect(status).toBe(3)
  const testable = results.filter(({ noVerdict }) => noVerdict?.kind !== 'untestable').length
  const required = Math.ceil(testable / 2)
  expect(coverage).toMatchObject({ testable, belowThreshold: true, required })
  expect(results.every(({ requirement }) => requirement.startsWith('code-hosting/'))).toBe(true)
  const waiting = results.filter(({ noVerdict }) => {
    const needs = noVerdict?.kind === 'needs' ? noVerdict.needs : []
    const variables = new Set(needs.flatMap((need) => need.variables))
    return [...variables].join(' ') === 'CODE_HOSTING_USERNAME CODE_HOSTING_PASSWORD'
  })
  expect(waiting.length).toBeGreaterThan(50)
})
