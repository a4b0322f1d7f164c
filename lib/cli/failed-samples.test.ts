import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { reportFixture, resultFixture, runFixture } from '../reports/report.fixture.ts'
import { appendHistory, historyLine } from '../runs/history/history.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { readFailedSamples } from './failed-samples.ts'

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
    appendHistory(history, historyLine(reportOf(4, 'limit=5&page=6'), 1))
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
