import { describe, expect, it } from 'vitest'
import { historyFixture } from './history.fixture.ts'
import { historyText } from './history-text.ts'
import { latestOf, reviewHistory, type TargetReview } from './trends.ts'

const [id, other] = ['code-hosting/a/one', 'code-hosting/a/other']

function reviewOf(rows: Record<string, string>): TargetReview {
  const [only] = reviewHistory(historyFixture(rows), 30)
  if (only === undefined) throw new Error('there is no target')
  return only
}

/** Reviews runs of a requirement and of another that always passes, so that the service counts as up. */
const review = (series: string) => reviewOf({ [id]: series, [other]: 'p'.repeat(series.length) })

it.each<[string, since?: string, runs?: number, before?: string, tolerated?: number]>([
  ['ppp'],
  ['ppf', 'run-3', 1, 'run-2'],
  ['pfff', 'run-2', 3, 'run-1'],
  ['fff', 'run-1', 3],
  ['pfsf', 'run-2', 2, 'run-1'],
  ['pf--', 'run-2', 1, 'run-1'],
  ['pwf', 'run-2', 1, 'run-1', 1],
  ['pfwwf', 'run-2', 2, 'run-1', 2],
  ['pfw'],
  ['fi'],
  // A night without a verdict does not make an old failure new.
  ['pfsif-f', 'run-2', 3, 'run-1'],
  ['pif', 'run-3', 1, 'run-1'],
  ['fipif', 'run-5', 1, 'run-3'],
  ['pfis', 'run-2', 1, 'run-1'],
  // A pass without the case that deviated does not end it.
  ['pfof', 'run-2', 2, 'run-1'],
  ['pfo', 'run-2', 1, 'run-1'],
  ['pgof', 'run-4', 1, 'run-3'],
  ['of', 'run-2', 1, 'run-1'],
])('%s fails since %s', (series, since, runs, before, tolerated = 0) => {
  const expected = since === undefined ? [] : [[since, runs, before, tolerated]]
  const found = review(series).failing.map((streak) => {
    return [streak.since.run, streak.runs, streak.before?.run, streak.tolerated]
  })
  expect(found).toEqual(expected)
})

it.each<[string, string[]]>([
  ['i', ['run-1']],
  ['sis', []],
  ['sif', []],
  ['si-', ['run-2']],
  ['isi', ['run-3']],
  ['fio', []],
])('%s is inconclusive since %j', (series, since) => {
  expect(review(series).inconclusive.map((streak) => streak.since.run)).toEqual(since)
})

it.each([
  ['f--', { state: 'fail' }],
  ['wi-', { state: 'inconclusive', lastKnown: 'waived' }],
])(
  'latestOf of %s keeps the result of a requirement that later runs did not select',
  (series, expected) => {
    expect(latestOf(historyFixture({ [id]: series }))?.results).toMatchObject([expected])
  },
)

describe('a flaky requirement', () => {
  it.each<[string, string[]]>([
    ['ppff', []],
    ['pfp', ['run-3', 'run-2']],
    ['pspfsp', ['run-6', 'run-4']],
    ['pip', ['run-3', 'run-2']],
    ['pif', []],
    ['ppifff', []],
    ['fifp', ['run-4', 'run-3', 'run-2']],
    ['pwp', ['run-3', 'run-2']],
    ['ffwwff', []],
    ['p-p-p', []],
    ['fofo', []],
    ['gogo', ['run-4', 'run-3', 'run-2']],
    ['gfgf', []],
  ])('of %s changes at %j', (series, flips) => {
    const found = review(series).flaky.flatMap((row) => row.flips.map(({ run }) => run))
    expect(found).toEqual(flips)
  })

  it('does not change while its service is down', () => {
    const rows = { [id]: 'pip', [other]: 'pip', 'event-publishing/a/b': 'ppp' }
    expect(reviewOf(rows).flaky).toEqual([])
  })
})

it('targets are separate, unless one has fewer services', () => {
  const [here, there] = ['https://git.example.com', 'https://other.example.com']
  const events = 'https://events.example.com'
  const both = { codeHosting: { baseUrl: here }, eventPublishing: { baseUrl: events } }
  const lines = [
    ...historyFixture({ [id]: 'pf' }),
    ...historyFixture({ [id]: 'pp' }, { codeHosting: { baseUrl: there } }),
    ...historyFixture({ [id]: 'f' }, both),
  ]
  expect(reviewHistory(lines, 30).map(({ target, runs }) => [target, runs.length])).toEqual([
    [{ 'code-hosting': here, 'event-publishing': events }, 3],
    [{ 'code-hosting': there }, 2],
  ])
})

const dropped = reviewOf({
  [id]: 'pppss',
  'code-hosting/a/two': 'pppss',
  'code-hosting/b/one': 'ppppp',
})

it('a service that was not probed before is not a drop in coverage', () => {
  const before = historyFixture({ [id]: 'pp' })
  const after = historyFixture(
    { [id]: 'p', 'event-publishing/a/b': 's' },
    {
      codeHosting: { baseUrl: 'https://git.example.com' },
      eventPublishing: { baseUrl: 'https://events.example.com' },
    },
  )
  const [only] = reviewHistory([...before, ...after], 30)
  expect(only?.runs.at(-1)?.coverage).toMatchObject({ judged: 1, testable: 2 })
  expect(only?.coverageDrop).toBeUndefined()
})

it('has the drop in coverage and the lost requirements', () => {
  expect(dropped.coverageDrop).toMatchObject({
    since: { run: 'run-4' },
    before: { run: 'run-3', coverage: { judged: 3, testable: 3 } },
    coverage: { judged: 1, testable: 3, belowThreshold: true },
    lost: [id, 'code-hosting/a/two'],
  })
  expect(review('ppp').coverageDrop).toBeUndefined()
})

it.each([
  ['pp-p', undefined],
  ['ppp-', undefined],
  ['pps-', 'run-3'],
  ['pp-s', 'run-4'],
])('a drop in coverage ignores runs of a selection: %s', (series, since) => {
  const { coverageDrop, runs } = reviewOf({ [id]: series, [other]: 'pppp' })
  expect(coverageDrop?.since.run).toBe(since)
  expect(runs.map(({ selection = false }) => selection)).toEqual(
    [...series].map((letter) => letter === '-'),
  )
})

describe('historyText', () => {
  const options = { last: 30, color: false, width: 100 }

  it('has the wording of its snapshot', async () => {
    const reviewed = review('pfpff')
    for (const run of reviewed.runs.slice(-1)) run.reasons = ['<reason>']
    const text = historyText([reviewed, dropped], options)
    await expect(text).toMatchFileSnapshot('snapshots/history.txt')
  })

  it('has no control sequences', () => {
    const reviewed = review('pff')
    const target = { 'a\u001b[31m': 'https://x.example/\u001b]0;t\u0007' }
    for (const run of reviewed.runs) Object.assign(run, { run: 'r\u001b[2J', reasons: ['\u001b'] })
    expect(historyText([{ ...reviewed, target }], options)).not.toMatch(/[^\P{Cc}\n]/u)
  })
})
