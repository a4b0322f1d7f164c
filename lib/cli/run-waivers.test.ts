import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { reportDisagreements } from '../reports/agreement.fixture.ts'
import { newsText } from '../reports/run-changes.ts'
import { readHistory } from '../runs/history/history.ts'
import {
  type CommandOutcome,
  resultOf,
  temporaryDirectory,
  withVerdict,
} from './command.fixture.ts'
import { enclosedCommand, enclosedRun } from './enclosed-run.fixture.ts'

const deviating = [
  'code-hosting/pagination/limit-lowered',
  'code-hosting/settings/agree-with-pagination',
]
const service = ['code-hosting']
const selection = ['--service', ...service]
const kept = temporaryDirectory()
const files = {
  waivers: join(kept, 'w.yaml'),
  baseline: join(kept, 'b.json'),
  history: join(kept, 'h.ndjson'),
}

const disagreementsOf = ({ report, junit, status }: CommandOutcome) =>
  reportDisagreements({ report, junit, status: status ?? -1 })

let deviatingRun: CommandOutcome
let changedRun: CommandOutcome

beforeAll(async () => {
  const entries = deviating.map(
    (id) => `  - {requirement: ${id}, reason: known, owner: Maria, expires: 2999-12-31}\n`,
  )
  writeFileSync(files.waivers, `waivers:\n${entries.join('')}`)
  const options = Object.entries(files).flatMap(([name, file]) => [`--${name}`, file])
  const fault = ['--fault', 'limit-not-lowered', '--update-baseline']
  deviatingRun = await enclosedCommand(['run', ...selection, ...fault, ...options])
  changedRun = await enclosedRun({}, { service, variant: 'broken-json-422', pin: true, ...files })
})

describe('a server with a known deviation', () => {
  it('passes, and every report lists the waived requirements', () => {
    const { status, output, errors, report } = deviatingRun
    expect(status, errors).toBe(0)
    expect(withVerdict(deviatingRun, 'waived')).toEqual(deviating)
    expect(resultOf(deviatingRun, deviating[0] ?? '')).toMatchObject({
      expected: 'X-PerPage: 25',
      actual: 'X-PerPage: 26',
      waiver: { owner: 'Maria' },
    })
    expect(report.verdict).toBe('conformant')
    expect(output).toContain('Waived (2)')
    expect(errors).not.toContain('failed:')
    expect(disagreementsOf(deviatingRun)).toEqual([])
  })

  it('has a baseline and a history written', () => {
    const { observations } = JSON.parse(readFileSync(files.baseline, 'utf8'))
    expect(observations['code-hosting/errors/malformed-body/status']).toBe(400)
    expect(Object.keys(observations)).toEqual(Object.keys(observations).toSorted())
    expect(deviatingRun.text).toMatch(/Created baseline .*: \d+ observations\./)
    expect(readHistory(files.history).lines.map(({ run }) => run)).toEqual([
      deviatingRun.report.run.id,
      changedRun.report.run.id,
    ])
  })
})

it('a fixed deviation and a changed observation fail the run', () => {
  const { status, output, report, text } = changedRun
  expect([status, report.verdict]).toEqual([1, 'conformant'])
  expect(report.waivers).toMatchObject([{ state: 'unused' }, { state: 'unused' }])
  expect(output).toMatch(/^Waivers .*\(2\)$/m)
  expect(output).toMatch(/^Changed .*baseline/m)
  expect(text).toMatch(/ new since .*: /)
  expect(disagreementsOf(changedRun)).toEqual([])
})

describe('a file written by `waive`', () => {
  const directory = temporaryDirectory()
  const waivers = join(directory, 'waivers.yaml')
  const again = (fault: string) =>
    enclosedCommand(['run', ...selection, '--fault', fault, '--waivers', waivers], {}, directory)
  const texts = { '--reason': 'known', '--owner': 'Maria', '--expires': '2999-12-31' }

  beforeAll(async () => {
    const fault = ['--fault', 'limit-lowered-to-one-less']
    await enclosedCommand(['run', ...selection, ...fault], {}, directory)
    const args = Object.entries({ ...texts, '--waivers': waivers }).flat()
    expect((await enclosedCommand(['waive', ...args], {}, directory)).status).toBe(0)
  })

  it('accepts the same deviation in the next run', async () => {
    const { status, report, text } = await again('limit-lowered-to-one-less')
    expect([status, report.verdict, report.knownDeviations]).toEqual([0, 'conformant', 2])
    expect(report.waivers?.map(({ state }) => state)).toEqual(['used', 'used'])
    expect(text).toContain(`2 ${newsText({ kind: 'newlyAccepted' })} (`)
    expect(text).toMatch(
      / passed with 2 known deviations: \d+ of \d+ testable requirements judged;/,
    )
  })

  it('does not accept another deviation of the same requirements', async () => {
    const { status, report, text } = await again('limit-lowered-to-one-more')
    expect([status, report.verdict]).toEqual([1, 'nonconformant'])
    expect(report.waivers?.map(({ state }) => state)).toEqual(['exceeded', 'exceeded'])
    const result = report.results.find(({ requirement }) => requirement === deviating[0])
    const waived = 'GET /api/v1/user/repos 200: X-PerPage: 24'
    expect(result).toMatchObject({ actual: 'X-PerPage: 26', waiver: { actual: waived } })
    expect(text).toContain(`Waived: ${waived}. Seen: GET /api/v1/user/repos 200: X-PerPage: 26.`)
    expect(text).toContain(`2 ${newsText({ kind: 'changedDeviations' })} (`)
  })
})
