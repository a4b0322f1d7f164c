import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readHistory } from '../history/history.ts'
import { reportDisagreements } from '../reports/agreement.fixture.ts'
import {
  type CommandOutcome,
  plumbline,
  resultOf,
  temporaryDirectory,
  withVerdict,
} from './command.fixture.ts'
import { enclosedContext } from './context.ts'
import { run } from './run.ts'

const deviating = [
  'code-hosting/pagination/limit-lowered',
  'code-hosting/settings/agree-with-pagination',
]
const kept = temporaryDirectory()
const [waivers, baseline, history] = ['w.yaml', 'b.json', 'h.ndjson'].map((name) =>
  join(kept, name),
)
const files = ['--waivers', waivers ?? '', '--history', history ?? '', '--baseline', baseline ?? '']

function disagreements({ report, junit, status }: CommandOutcome): string[] {
  return reportDisagreements({ report, junit, status: status ?? -1 })
}

function entry(requirement: string): string {
  return `  - {requirement: ${requirement}, reason: known, owner: Maria, expires: 2999-12-31}\n`
}

// Two runs at once into one history: each has its line.
let [faulty, good]: CommandOutcome[] = []

beforeAll(async () => {
  writeFileSync(waivers ?? '', `waivers:\n${deviating.map(entry).join('')}`)
  const fault = ['--fault', 'limit-not-lowered']
  ;[faulty, good] = await Promise.all([
    plumbline(['run', ...fault, ...files, '--update-baseline']),
    plumbline(['run', '--waivers', waivers ?? '', '--history', history ?? '']),
  ])
}, 60_000)

function outcome(name: 'faulty' | 'good'): CommandOutcome {
  const told = name === 'faulty' ? faulty : good
  if (told === undefined) throw new Error('there was no such run')
  return told
}

describe('a deployment with a known deviation', () => {
  it('succeeds, and says what is waived', () => {
    const { status, output, errors, report } = outcome('faulty')
    expect(status, errors).toBe(0)
    expect(withVerdict(outcome('faulty'), 'waived')).toEqual(deviating)
    expect(resultOf(outcome('faulty'), deviating[0] ?? '')).toMatchObject({
      expected: 'X-PerPage: 25',
      actual: 'X-PerPage: 26',
      waiver: { owner: 'Maria' },
    })
    expect(report.verdict).toBe('conformant')
    expect(output).toContain('Waived (2)')
    expect(errors).not.toContain('failed:')
  })

  it('tells the same in every report', () => {
    expect(disagreements(outcome('faulty'))).toEqual([])
  })

  it('has a baseline written', () => {
    const { observations } = JSON.parse(readFileSync(baseline ?? '', 'utf8'))
    expect(observations['code-hosting/errors/malformed-body/status']).toBe(400)
    expect(Object.keys(observations)).toEqual(Object.keys(observations).toSorted())
    expect(outcome('faulty').text).toMatch(/The baseline .* was begun: \d+ observations\./)
  })
})

describe('a deployment that no longer deviates', () => {
  it('fails until the entries are removed, and stays conformant', () => {
    const { status, output, report } = outcome('good')
    expect(status).toBe(1)
    expect(report.verdict).toBe('conformant')
    expect(report.waivers).toMatchObject([{ state: 'unneeded' }, { state: 'unneeded' }])
    expect(output).toContain('Waivers that fail the run (2)')
    expect(disagreements(outcome('good'))).toEqual([])
  })
})

it('two runs at once have a line each in the history', () => {
  const { lines, leftOut } = readHistory(history ?? '')
  expect(leftOut).toEqual([])
  expect(lines.map(({ run }) => run).sort()).toEqual(
    [outcome('faulty').report.run.id, outcome('good').report.run.id].sort(),
  )
})

it('a deployment that does otherwise where its document is silent fails when that is pinned', async () => {
  const changed = ['--variant', 'broken-json-422']
  const pinned = await plumbline([
    'run',
    ...changed,
    '--baseline',
    baseline ?? '',
    '--pin',
    '--history',
    history ?? '',
  ])
  expect([pinned.status, pinned.report.verdict]).toEqual([1, 'conformant'])
  expect(pinned.output).toContain('Changed since the baseline')
  expect(pinned.text).toContain('new since the last run: ')
  expect(disagreements(pinned)).toEqual([])
})

it('a file with problems stops a run before it begins', async () => {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'wrong.yaml'), 'waivers:\n  - requirement: a/b/c\n')
  const begun = run({ waivers: 'wrong.yaml', reports: 'reports' }, enclosedContext(directory))
  await expect(begun).rejects.toThrow('line 2: entry 1 (a/b/c): reason is missing')
  expect(existsSync(join(directory, 'reports'))).toBe(false)
})
