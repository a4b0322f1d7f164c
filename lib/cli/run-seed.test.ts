import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RunReport } from '../results/run-report.ts'
import { type CommandOutcome, reportsIn, resultOf, temporaryDirectory } from './command.fixture.ts'
import { enclosedCommand } from './enclosed-run.fixture.ts'
import { seedOption } from './options.ts'

const LISTED = 'code-hosting/resources/listed-repository'

const run = (words: readonly string[], directory = temporaryDirectory()) =>
  enclosedCommand(['run', ...words], {}, directory)

/** Returns the queries with both page parameters, without the id of the run. */
const pagesOf = ({ exchanges, run }: RunReport) =>
  exchanges
    .flatMap(({ request }) => /\?(limit=.*&page=.*)$/.exec(request.url)?.[1] ?? [])
    // The last eight characters of a token differ in each run.
    .map((query) => query.replace(run.id, 'id').replace(/token=[\da-f]{8}$/, 'token=eight'))
    .sort()

const statesOf = ({ results }: RunReport) =>
  results.map(({ requirement, verdict, cases }) => [requirement, verdict, cases?.missing.length])

const casesOf = ({ results, cases: ids }: RunReport) =>
  results.map(({ requirement, cases }) => {
    const numbers = [...(cases?.conforming ?? []), ...(cases?.deviating ?? [])]
    return [requirement, numbers.map((number) => ids[number]).sort()]
  })

/** Returns the listed repositories that a run requested. */
function repositoriesOf({ report, ...outcome }: CommandOutcome): string[] {
  const evidence = new Set(resultOf({ ...outcome, report }, LISTED).exchanges)
  return report.exchanges.flatMap(({ id, request }) => {
    const name = /\/repos\/([^/]+\/[^/]+)$/.exec(request.url)?.[1]
    return name !== undefined && evidence.has(id) ? [name] : []
  })
}

describe('--seed', () => {
  it('chooses the pages that a run requests; every seed judges the same requirements', async () => {
    const section = ['--requirement', 'pagination']
    const first = await run(section)
    const again = await run([...section, '--seed', '1'])
    const other = await run([...section, '--seed', '0'])
    const all = [first, again, other]
    expect(all.map(({ status }) => status)).toEqual([0, 0, 0])
    expect(all.map(({ report }) => report.run.seed)).toEqual([1, 1, 0])
    expect(pagesOf(again.report)).toEqual(pagesOf(first.report))
    expect(pagesOf(other.report)).not.toEqual(pagesOf(first.report))
    expect(statesOf(other.report)).toEqual(statesOf(first.report))
    expect(casesOf(again.report)).toEqual(casesOf(first.report))
    expect(casesOf(other.report)).not.toEqual(casesOf(first.report))
    const printed = all.map(({ output }) => /^Plumbline .*, seed (\d+)$/m.exec(output)?.[1])
    expect(printed).toEqual([undefined, undefined, '0'])
  }, 30_000)

  it('chooses a listed repository, and is in the command that repeats a failure', async () => {
    const fault = 'listing-full-name-of-a-missing-repository'
    const words = ['--requirement', LISTED, '--fault', fault, '--seed']
    const one = await run([...words, '0'])
    const other = await run([...words, '987'])
    for (const { status, report } of [one, other]) {
      expect(status).toBe(1)
      expect(report.results.every((result) => !('sample' in result))).toBe(true)
    }
    expect(other.output).toContain(`--requirement ${LISTED} --fault ${fault} --seed 987`)
    const [requested = [], others = []] = [one, other].map(repositoriesOf)
    expect(requested).toHaveLength(9)
    // A sample of the list is requested with every seed.
    expect(others.filter((name) => !requested.includes(name))).toHaveLength(1)
  })

  it('today is the day in UTC', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 5, 1, 23, 59) })
    onTestFinished(() => void vi.useRealTimers())
    expect(seedOption.parseArg?.('today', undefined)).toBe(20_260_601)
  })
})

it('a stored report does not change the requests of a run', async () => {
  const directory = temporaryDirectory()
  const words = ['--requirement', LISTED]
  const first = await run(words, directory)
  const results = first.report.results.map((one) => ({ ...one, sample: 'maria/chart-030' }))
  writeFileSync(
    join(reportsIn(directory), 'report.json'),
    JSON.stringify({ ...first.report, results }),
  )
  expect(repositoriesOf(await run(words, directory))).toEqual(repositoriesOf(first))
})
