import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
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
const kept = ['--history', 'h.ndjson', '--reports', 'reports']

function runOf(...args: string[]): Promise<CommandOutcome> {
  return enclosedCommand(['run', '--requirement', ...deviating, ...kept, ...args], {}, directory)
}

const statesOf = ({ report }: CommandOutcome) => report.waivers?.map(({ state }) => state)

let failing: CommandOutcome

/** Returns a waiver of one of the cases in which a requirement fails. */
function partOf(requirement: string) {
  const { cases } = resultOf(failing, requirement)
  const [id] = cases?.deviating.flatMap((number) => failing.report.cases[number] ?? []) ?? []
  return { requirement, reason: 'known', cases: [id] }
}
let waived: CommandOutcome
let exceeded: CommandOutcome
let fixed: CommandOutcome

// The file that `waive` wrote for a deviation, in runs with it, with another deviation, and without any.
beforeAll(async () => {
  const fault = ['--fault', 'limit-lowered-to-one-less']
  failing = await runOf(...fault)
  const texts = { '--reason': 'known', '--owner': 'Maria', '--expires': '2999-12-31' }
  const args = Object.entries({ ...texts, '--waivers': 'w.yaml' }).flat()
  expect((await enclosedCommand(['waive', ...args], {}, directory)).status).toBe(0)
  const waivers = ['--waivers', 'w.yaml']
  waived = await runOf(...waivers, ...fault)
  writeFileSync(
    join(directory, 'part.yaml'),
    JSON.stringify({ waivers: deviating.slice(0, 1).map(partOf) }),
  )
  exceeded = await runOf('--waivers', 'part.yaml', ...fault)
  fixed = await runOf(...waivers, '--variant', 'body-that-ends-too-early-422')
})

it('a failing run writes a history, which later runs continue', () => {
  expect([failing.status, withVerdict(failing, 'fail')]).toEqual([1, deviating])
  const runs = [failing, waived, exceeded, fixed].map(({ report }) => report.run.id)
  expect(readHistory(join(directory, 'h.ndjson')).lines.map(({ run }) => run)).toEqual(runs)
})

it('a known deviation passes, and every report lists the waived requirements', () => {
  const { status, output, errors, report } = waived
  expect([status, report.verdict, report.knownDeviations]).toEqual([0, 'conformant', 2])
  expect([withVerdict(waived, 'waived'), statesOf(waived)]).toEqual([deviating, ['used', 'used']])
  expect(resultOf(waived, deviating[0] ?? '')).toMatchObject({
    expected: expect.stringMatching(/^25 items /),
    actual: expect.stringMatching(/^24 items /),
    waiver: { owner: 'Maria' },
  })
  expect(output).toContain('Waived (2)')
  expect(errors).not.toContain('failed:')
})

it('another case of the same requirements fails', () => {
  const { status, report, text } = exceeded
  expect([status, report.verdict]).toEqual([1, 'nonconformant'])
  expect(statesOf(exceeded)).toEqual(['exceeded'])
  const since = deviating.map((id) => resultOf(exceeded, id).failingSince?.run)
  expect(since).toEqual([failing.report.run.id, failing.report.run.id])
  expect(text.match(new RegExp(`run ${failing.report.run.id}\\b`, 'g'))).toHaveLength(2)
})

it('a fixed deviation fails the run', () => {
  expect([fixed.status, fixed.report.verdict]).toEqual([1, 'conformant'])
  expect(statesOf(fixed)).toEqual(['unused', 'unused'])
  expect(fixed.output).toMatch(/^Waivers .*\(2\)$/m)
})
