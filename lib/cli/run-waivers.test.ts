import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { reportDisagreements } from '../reports/agreement.fixture.ts'
import { newsText } from '../reports/run-changes.ts'
import type { RequirementResult } from '../results/run-report.ts'
import { readHistory } from '../runs/history/history.ts'
import {
  type CommandOutcome,
  resultOf,
  temporaryDirectory,
  withVerdict,
} from './command.fixture.ts'
import { enclosedCommand } from './enclosed-run.fixture.ts'

const deviating = ['pagination/limit-lowered', 'settings/agree-with-pagination'].map(
  (row) => `code-hosting/${row}`,
)
const directory = temporaryDirectory()
const kept = ['--history', 'h.ndjson', '--baseline', 'b.json', '--reports', 'reports']

function runOf(...args: string[]): Promise<CommandOutcome> {
  return enclosedCommand(['run', '--service', 'code-hosting', ...kept, ...args], {}, directory)
}

const isWaived = ({ verdict }: RequirementResult) => verdict === 'waived'

const statesOf = ({ report }: CommandOutcome) => report.waivers?.map(({ state }) => state)

let failing: CommandOutcome
let waived: CommandOutcome
let exceeded: CommandOutcome
let fixed: CommandOutcome

// The file that `waive` wrote for a deviation, in runs with it, with another deviation, and without any.
beforeAll(async () => {
  const fault = ['--fault', 'limit-lowered-to-one-less']
  failing = await runOf(...fault, '--update-baseline')
  const texts = { '--reason': 'known', '--owner': 'Maria', '--expires': '2999-12-31' }
  const args = Object.entries({ ...texts, '--waivers': 'w.yaml' }).flat()
  expect((await enclosedCommand(['waive', ...args], {}, directory)).status).toBe(0)
  const waivers = ['--waivers', 'w.yaml']
  waived = await runOf(...waivers, ...fault)
  exceeded = await runOf(...waivers, '--fault', 'limit-lowered-to-one-more')
  fixed = await runOf(...waivers, '--variant', 'broken-json-422', '--pin')
})

it('a failing run writes a baseline and a history, which later runs continue', () => {
  const { observations } = JSON.parse(readFileSync(join(directory, 'b.json'), 'utf8'))
  expect([failing.status, withVerdict(failing, 'fail')]).toEqual([1, deviating])
  expect(observations['code-hosting/errors/malformed-body/status']).toBe(400)
  expect(Object.keys(observations)).toEqual(Object.keys(observations).toSorted())
  expect(failing.text).toMatch(/Created baseline .*: \d+ observations\./)
  const runs = [failing, waived, exceeded, fixed].map(({ report }) => report.run.id)
  expect(readHistory(join(directory, 'h.ndjson')).lines.map(({ run }) => run)).toEqual(runs)
})

it('a known deviation passes, and every report lists the waived requirements', () => {
  const { status, output, errors, report, text } = waived
  expect([status, report.verdict, report.knownDeviations]).toEqual([0, 'conformant', 2])
  expect([withVerdict(waived, 'waived'), statesOf(waived)]).toEqual([deviating, ['used', 'used']])
  expect(resultOf(waived, deviating[0] ?? '')).toMatchObject({
    expected: 'X-PerPage: 25',
    actual: 'X-PerPage: 24',
    waiver: { owner: 'Maria' },
  })
  expect(output).toContain('Waived (2)')
  expect(errors).not.toContain('failed:')
  expect(text).toContain(
    `2 ${newsText({ kind: 'newlyAccepted', results: report.results.filter(isWaived) })} (`,
  )
  expect(text).toMatch(/ passed with 2 known deviations: \d+ of \d+ testable requirements judged;/)
})

it('another deviation of the same requirements fails', () => {
  const { status, report, text } = exceeded
  expect([status, report.verdict]).toEqual([1, 'nonconformant'])
  expect(statesOf(exceeded)).toEqual(['exceeded', 'exceeded'])
  const actual = 'GET /api/v1/user/repos 200: X-PerPage: 24'
  const result = resultOf(exceeded, deviating[0] ?? '')
  expect(result.actual).toBe('X-PerPage: 26')
  expect(result.waiver?.deviations?.[0]?.actual).toBe(actual)
  for (const part of [actual, 'GET /api/v1/user/repos 200: X-PerPage: 26']) {
    expect(text).toContain(part)
  }
  expect(text).toContain(`2 ${newsText({ kind: 'changedDeviations', results: [] })} (`)
})

it('a fixed deviation and a changed observation fail the run', () => {
  expect([fixed.status, fixed.report.verdict]).toEqual([1, 'conformant'])
  expect(statesOf(fixed)).toEqual(['unused', 'unused'])
  expect(fixed.output).toMatch(/^Waivers .*\(2\)$/m)
  expect(fixed.output).toMatch(/^Changed .*baseline/m)
  expect(fixed.text).toMatch(/ new since .*: /)
})

it('all reports of these runs agree', () => {
  for (const { report, junit, status } of [failing, waived, exceeded, fixed]) {
    expect(reportDisagreements({ report, junit, status: status ?? -1 })).toEqual([])
  }
})
