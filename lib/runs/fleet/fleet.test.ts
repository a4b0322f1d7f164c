import { expect, it } from 'vitest'
import { ajv } from '../../conformance/ajv.ts'
import { runFixture } from '../../reports/report.fixture.ts'
import type { Verdict } from '../../results/run-report.ts'
import { quietReport, resultOf } from '../compare/stored-report.fixture.ts'
import { historyLine } from '../history/history.ts'
import { fleetFixture, memberOf } from './fleet.fixture.ts'
import schema from './fleet.schema.json' with { type: 'json' }
import { digest, type FleetMember, fleetText, mergedText, mergeReports } from './fleet.ts'
import { fleetJson, fleetMarkdown } from './format.ts'

const fleet = fleetFixture()
const plain = { status: 1, color: false, width: 100 }
const missing = { path: 'd/report.json' }

it('names deployments by their hosts, with the path if the hosts are equal', () => {
  const at = (path: string, ...urls: string[]): FleetMember => {
    const target = Object.fromEntries(urls.map((baseUrl, index) => [`${index}`, { baseUrl }]))
    return { path, run: digest(quietReport({ target })) }
  }
  const { deployments } = mergeReports([
    at('a.json', 'https://git.example.com', 'https://git.example.com:8443/x'),
    at('b.json', 'http://git.example.org/a', 'http://git.example.org/b'),
    at('monday.json', 'https://git.example.net'),
    at('friday.json', 'https://git.example.net'),
    missing,
  ])
  expect(deployments.map(({ name }) => name)).toEqual([
    'git.example.com, git.example.com:8443',
    'git.example.org',
    'git.example.net (monday.json)',
    'git.example.net (friday.json)',
    'd/report.json',
  ])
})

it('uses the names of the operator, and has the worst deployment first', () => {
  const [failing, passing] = [memberOf('b', { errors: 'fail' }), memberOf('c')]
  const { deployments } = mergeReports([{ ...passing, name: 'Europe' }, missing, failing])
  expect(deployments.map(({ name }) => name)).toEqual(['b', 'd/report.json', 'Europe'])
})

const good = memberOf('a')
const bad = memberOf('b', { errors: 'fail' })
const little = memberOf('d')
if (little.run) Object.assign(little.run.summary, { displayVerdict: 'belowThreshold' })
const waived = memberOf('e', { errors: 'waived' })
const inconclusive = memberOf('c', { errors: 'inconclusive' })

const fleets: [FleetMember[], 0 | 1 | 3][] = [
  [[good], 0],
  [[good, good], 0],
  [[good, little], 0],
  [[good, waived, little], 0],
  [[good, inconclusive], 3],
  [[good, missing], 3],
  [[bad], 1],
  [fleet.deployments, 1],
]

it.each(fleets)('has the worst status of its runs: %#', (members, status) => {
  expect(mergeReports(members).status).toBe(status)
})

it('has the wording of its snapshot on a terminal, the outcome last', async () => {
  const file = 'reports/merged.html'
  const many = Array.from({ length: 50 }, (_, index) => memberOf(`host-${index}`))
  const texts = [
    ...fleets.map(([members]) => fleetText(mergeReports(members))),
    mergedText(fleet, { ...plain, file }),
    mergedText(mergeReports([...many, bad]), plain),
  ]
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/fleet.txt')
})

/** Merges deployments by name, each with the verdicts of requirements `a/b/1`, `a/b/2` and so on. */
const fleetOf = (deployments: Record<string, readonly Verdict[]>) =>
  mergeReports(
    Object.entries(deployments).map(([path, verdicts]) => {
      const results = verdicts.map((verdict, index) => resultOf(`a/b/${index + 1}`, verdict))
      return { path, name: path, run: digest(quietReport({ results })) }
    }),
  )

it('orders deployments by failures, then by missing verdicts', () => {
  const { deployments } = fleetOf({
    one: ['fail', 'pass', 'pass', 'pass'],
    conforming: ['pass', 'pass', 'pass', 'pass'],
    skipping: ['pass', 'pass', 'pass', 'skipped'],
    both: ['fail', 'inconclusive', 'skipped', 'pass'],
    two: ['fail', 'fail', 'pass', 'pass'],
  })
  expect(deployments.map(({ name }) => name)).toEqual([
    'two',
    'both',
    'one',
    // These conform.
    'skipping',
    'conforming',
  ])
})

it('lists requirements that differ or that a deployment does not pass, by failures', () => {
  const { differing } = fleetOf({
    first: ['pass', 'skipped', 'fail', 'pass', 'waived'],
    second: ['pass', 'skipped', 'fail', 'skipped', 'waived', 'pass', 'fail'],
  })
  expect(
    differing.map(({ requirement, failures, results }) => [
      requirement,
      failures,
      results.map((result) => result?.verdict),
    ]),
  ).toEqual([
    ['a/b/3', 2, ['fail', 'fail']],
    ['a/b/7', 1, ['fail', undefined]],
    ['a/b/4', 0, ['skipped', 'pass']],
    ['a/b/5', 0, ['waived', 'waived']],
  ])
})

/** Returns a report of a day in February. */
const reportOf = (date: number, verdict: Verdict) => {
  const startedAt = `2026-02-0${date}T03:00:00.000Z`
  const run = runFixture({ id: `run-${date}`, startedAt, finishedAt: startedAt })
  return quietReport({ run, results: [resultOf('a/b/c', verdict)], verdict: 'nonconformant' })
}
const nights = [reportOf(1, 'pass'), reportOf(2, 'fail'), reportOf(3, 'fail')] as const
const history = nights.map((report) => historyLine(report, 0))

it('has since when a requirement fails, from a history that ends with the run', () => {
  const sinceOf = (...parameters: Parameters<typeof digest>) =>
    digest(...parameters).results.get('a/b/c')?.since
  expect(sinceOf(nights[2], history)).toBe('2026-02-02T03:00:00.000Z')
  expect(sinceOf(nights[2])).toBeUndefined()
  // The history is older, or belongs to another run.
  expect(sinceOf(reportOf(4, 'fail'), history)).toBeUndefined()
  expect(sinceOf(reportOf(1, 'pass'), history.slice(0, 1))).toBeUndefined()
})

it('is the same in JSON and in Markdown', () => {
  const fleet = mergeReports([
    { path: 'a', name: 'a', run: digest(nights[2], history) },
    { path: 'b', name: 'b|<b>@c', run: digest(nights[0]) },
    missing,
  ])
  const json = JSON.parse(fleetJson(fleet))
  const validate = ajv.compile(schema)
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
  expect(json).toMatchObject({
    status: 1,
    deployments: [
      { name: 'a', path: 'a', verdict: 'nonconformant', coverage: { judged: 1, testable: 1 } },
      { name: 'd/report.json' },
      { name: 'b|<b>@c', verdict: 'conformant', counts: { pass: 1, fail: 0 } },
    ],
    requirements: [
      {
        requirement: 'a/b/c',
        results: [
          { verdict: 'fail', since: '2026-02-02T03:00:00.000Z' },
          null,
          { verdict: 'pass' },
        ],
      },
    ],
  })
  const rows = fleetMarkdown(fleet)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\) \| |^\| | \|$/).slice(1, -1))
  expect(rows.map((cells) => cells.length)).toEqual([8, 8, 8, 8, 8, 4, 4, 4])
  expect(rows.map(([name]) => name)).toContain('b\\|\\<b\\>@<!-- -->c')
  expect(rows.at(-1)?.slice(1)).toEqual(['failed since 2026-02-02', '–', 'passed'])
})
