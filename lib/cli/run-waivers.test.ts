import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readHistory } from '../runs/history/history.ts'
import { resultOf, temporaryDirectory, withVerdict } from './command.fixture.ts'
import { enclosedCommand } from './enclosed-run.fixture.ts'

it('the file that waive wrote makes a run pass, until the deviation is fixed', async () => {
  const deviating = ['pagination/limit-lowered', 'settings/agree-with-pagination'].map(
    (row) => `code-hosting/${row}`,
  )
  const directory = temporaryDirectory()
  const kept = ['--history', 'h.ndjson', '--reports', 'reports', '--requirement', ...deviating]
  const runWith = (...args: string[]) => enclosedCommand(['run', ...kept, ...args], {}, directory)
  const fault = ['--fault', 'limit-lowered-to-one-less']
  const failing = await runWith(...fault)
  expect([failing.status, withVerdict(failing, 'fail')]).toEqual([1, deviating])

  const waive = ['waive', '--reason', 'known', '--owner', 'Maria', '--waivers', 'w.yaml']
  expect((await enclosedCommand(waive, {}, directory)).status).toBe(0)
  const waived = await runWith('--waivers', 'w.yaml', ...fault)
  const { verdict, knownDeviations } = waived.report
  expect([waived.status, verdict, knownDeviations]).toEqual([0, 'conformant', 2])
  expect(withVerdict(waived, 'waived')).toEqual(deviating)
  expect(resultOf(waived, deviating[0] ?? '')).toMatchObject({
    expected: expect.stringMatching(/^25 items /),
    actual: expect.stringMatching(/^24 items /),
    waiver: { owner: 'Maria' },
  })
  expect(waived.output).toContain('Waived (2)')
  expect(waived.errors).not.toContain('failed:')

  const fixed = await runWith('--waivers', 'w.yaml', '--variant', 'body-that-ends-too-early-422')
  expect([fixed.status, fixed.report.verdict]).toEqual([1, 'conformant'])
  expect(fixed.report.waivers?.map(({ state }) => state)).toEqual(['unused', 'unused'])
  const runs = [failing, waived, fixed].map(({ report }) => report.run.id)
  expect(readHistory(join(directory, 'h.ndjson')).lines.map(({ run }) => run)).toEqual(runs)
})
