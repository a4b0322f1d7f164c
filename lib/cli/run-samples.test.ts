import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { reportFixture, resultFixture, runFixture } from '../reports/report.fixture.ts'
import { outcomeOf } from '../results/outcome.ts'
import type { RunReport } from '../results/run-report.ts'
import { appendHistory, historyLine, readHistory } from '../runs/history/history.ts'
import { type CommandOutcome, resultOf, temporaryDirectory } from './command.fixture.ts'
import { enclosedCommand } from './enclosed-run.fixture.ts'
import { seed } from './options.ts'
import { readFailedSamples } from './run.ts'

/** Only pages of limits that no table of boundaries has show it. */
const FAULT = 'items-of-small-limits-in-another-order'
const ID = 'code-hosting/pagination/limit-honoured'

const runIn = (directory: string, ...words: string[]) =>
  enclosedCommand(['run', ...words], {}, directory)

const failingRunIn = (directory: string, ...words: string[]) =>
  runIn(directory, '--fault', FAULT, ...words)

/** Returns the queries with both page parameters. */
const pagesOf = ({ exchanges }: RunReport) =>
  exchanges.flatMap(({ request }) => /\?(limit=\d+&page=\d+)$/.exec(request.url)?.[1] ?? [])

const directory = temporaryDirectory()
const historyFile = join(directory, 'history.ndjson')
let first: CommandOutcome
let sample: string

beforeAll(async () => {
  first = await failingRunIn(directory, '--history', historyFile)
  sample = String(resultOf(first, ID).sample)
})

describe('the failure of a sample', () => {
  it('is reported with the case, and a curl command that repeats it', () => {
    expect(first.status).toBe(1)
    expect(first.report.run.seed).toBe(1)
    expect(sample).toMatch(/^limit=\d+&page=\d+$/)
    const { reason, exchanges } = resultOf(first, ID)
    const sent = first.report.exchanges.find(({ id }) => id === exchanges[0])
    expect(reason).toContain(` seed 1: ${sample}.`)
    expect(sent?.request.url).toContain(`?${sample}`)
    expect(first.output).not.toMatch(/, seed \d+$/m)
  })

  it('is tried again by the next run with any seed', async () => {
    const next = await failingRunIn(directory, '--seed', '987', '--requirement', ID)
    expect(next.report.run.seed).toBe(987)
    expect(pagesOf(next.report)).toContain(sample)
    expect(resultOf(next, ID)).toMatchObject({ verdict: 'fail', sample })
    expect(next.output).toMatch(/^Plumbline .*, seed 987$/m)
    expect(next.output).toContain(`--requirement ${ID} --fault ${FAULT} --seed 987`)
  })

  it('is tried again by a run with only its history', async () => {
    expect(readHistory(historyFile).lines[0]?.samples).toEqual({ [ID]: sample })
    const options = ['--seed', '987', '--requirement', ID]
    const without = await runIn(temporaryDirectory(), ...options)
    expect(pagesOf(without.report)).not.toContain(sample)
    const next = await runIn(temporaryDirectory(), ...options, '--history', historyFile)
    expect(pagesOf(next.report)).toContain(sample)
    expect(readHistory(historyFile).lines[1]?.samples).toBeUndefined()
  })
})

describe('--seed', () => {
  it('0 skips samples, and every requirement with one reports it', async () => {
    const { status, report } = await failingRunIn(temporaryDirectory(), '--seed', '0')
    expect([status, report.run.seed]).toEqual([0, 0])
    const result = report.results.find(({ requirement }) => requirement === ID)
    expect(result).toMatchObject({
      verdict: 'pass',
      reason: expect.stringMatching(/ seed .* 0/),
    })
    expect(report.exchanges.length).toBeLessThan(first.report.exchanges.length)
  })

  it('today is the day in UTC', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 5, 1, 23, 59) })
    onTestFinished(() => void vi.useRealTimers())
    expect(seed('today')).toBe(20_260_601)
  })
})

const target = { codeHosting: { baseUrl: 'https://git.example.com' } }
const requirement = 'code-hosting/pagination/limit-honoured'

let reports: string
let history: string

beforeEach(() => {
  reports = join(temporaryDirectory(), 'reports')
  history = join(dirname(reports), 'history.ndjson')
})

function reportOf(hour: number, sample: string | undefined, at = target) {
  const startedAt = new Date(Date.UTC(2026, 1, 3, hour)).toISOString()
  const run = runFixture({ id: `run-${hour}`, startedAt, finishedAt: startedAt })
  const result = resultFixture({ requirement, verdict: sample ? 'fail' : 'pass' })
  return reportFixture({ run, target: at, results: [{ ...result, ...(sample && { sample }) }] })
}

function write(text: string, folder = reports): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'report.json'), text)
}

const read = (folder = reports) => readFailedSamples(target, { reports: folder, history })

describe('readFailedSamples', () => {
  it('returns samples of the last run in the reports or the history', () => {
    expect(read()).toEqual({})
    write(JSON.stringify(reportOf(3, 'limit=1&page=2')))
    expect(read()).toEqual({ [requirement]: 'limit=1&page=2' })
    const later = reportOf(4, 'limit=5&page=6')
    appendHistory(history, historyLine(later, outcomeOf(later, true)))
    expect(read()).toEqual({ [requirement]: 'limit=5&page=6' })
    write(JSON.stringify(reportOf(5, undefined)))
    expect(read()).toEqual({})
  })

  it('returns samples of the repeated run', () => {
    write(JSON.stringify(reportOf(3, 'limit=1&page=2')))
    expect(read(join(reports, 'again'))).toEqual({ [requirement]: 'limit=1&page=2' })
    expect(read(join(reports, 'other'))).toEqual({})
  })

  it('returns nothing for another target', () => {
    const elsewhere = { codeHosting: { baseUrl: 'https://other.example.com' } }
    write(JSON.stringify(reportOf(3, 'limit=1&page=2', elsewhere)))
    expect(read()).toEqual({})
  })

  it.each(['', 'junk', 'null', '[]', '{}', '{"target":{"codeHosting":null}}'])(
    'are none of a report that cannot be read: %j',
    (text) => {
      write(text)
      writeFileSync(history, `${text}\n`)
      expect(read()).toEqual({})
    },
  )
})
