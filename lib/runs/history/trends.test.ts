import { describe, expect, it } from 'vitest'
import { historyText } from './format.ts'
import { historyFixture } from './history.fixture.ts'
import { latestOf, reviewHistory, type TargetReview } from './trends.ts'

const id = 'code-hosting/a/one'
const other = 'code-hosting/a/other'

function review(series: string, last = 30): TargetReview {
  // The other requirement always passes, so that the service counts as up.
  const rows = { [id]: series, [other]: 'p'.repeat(series.length) }
  const [only] = reviewHistory(historyFixture(rows), last)
  if (only === undefined) throw new Error('there is no target')
  return only
}

describe('a requirement that fails', () => {
  it.each<[string, { since: string; runs: number; tolerated?: number; before?: string }[]]>([
    ['ppp', []],
    ['ppf', [{ since: 'run-3', runs: 1, before: 'run-2' }]],
    ['pfff', [{ since: 'run-2', runs: 3, before: 'run-1' }]],
    ['fff', [{ since: 'run-1', runs: 3 }]],
    ['pfsf', [{ since: 'run-2', runs: 2, before: 'run-1' }]],
    ['pf--', [{ since: 'run-2', runs: 1, before: 'run-1' }]],
    ['pwf', [{ since: 'run-2', runs: 1, tolerated: 1, before: 'run-1' }]],
    ['pfwwf', [{ since: 'run-2', runs: 2, tolerated: 2, before: 'run-1' }]],
    ['pfw', []],
    ['fi', []],
    // A night without a verdict does not make an old failure new.
    ['pfsif-f', [{ since: 'run-2', runs: 3, before: 'run-1' }]],
    ['pif', [{ since: 'run-3', runs: 1, before: 'run-1' }]],
    ['fipif', [{ since: 'run-5', runs: 1, before: 'run-3' }]],
    ['pfis', [{ since: 'run-2', runs: 1, before: 'run-1' }]],
    // A partial pass does not end it.
    ['pfof', [{ since: 'run-2', runs: 2, before: 'run-1' }]],
    ['pfo', [{ since: 'run-2', runs: 1, before: 'run-1' }]],
    ['of', [{ since: 'run-2', runs: 1 }]],
  ])('in %s has its first run', (series, expected) => {
    const streaks = review(series).failing.map(({ since, runs, tolerated, before }) => ({
      since: since.run,
      runs,
      tolerated,
      before: before?.run,
    }))
    expect(streaks).toEqual(expected.map((streak) => ({ tolerated: 0, ...streak })))
  })

  it.each<[string, string[]]>([
    ['i', ['run-1']],
    ['sis', []],
    ['sif', []],
    ['si-', ['run-2']],
    ['isi', ['run-3']],
  ])('is inconclusive in %s until another result', (series, since) => {
    expect(review(series).inconclusive.map((streak) => streak.since.run)).toEqual(since)
  })
})

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
  ])('of %s changes at %j', (series, flips) => {
    const found = review(series).flaky.flatMap((row) => row.flips.map(({ run }) => run))
    expect(found).toEqual(flips)
  })

  it('does not change while its service is down', () => {
    const rows = { [id]: 'pip', [other]: 'pip', 'event-publishing/a/b': 'ppp' }
    expect(reviewHistory(historyFixture(rows), 30)[0]?.flaky).toEqual([])
  })
})

describe('targets', () => {
  const elsewhere = { codeHosting: { baseUrl: 'https://other.example.com' } }
  const both = {
    codeHosting: { baseUrl: 'https://git.example.com' },
    eventPublishing: { baseUrl: 'https://events.example.com' },
  }
  const lines = [
    ...historyFixture({ [id]: 'pf' }),
    ...historyFixture({ [id]: 'pp' }, elsewhere),
    ...historyFixture({ [id]: 'f' }, both),
  ]

  it('are separate, unless one has fewer services', () => {
    expect(reviewHistory(lines, 30).map(({ target, runs }) => [target, runs.length])).toEqual([
      [
        {
          'code-hosting': 'https://git.example.com',
          'event-publishing': 'https://events.example.com',
        },
        3,
      ],
      [{ 'code-hosting': 'https://other.example.com' }, 2],
    ])
  })
})

describe('latestOf', () => {
  it.each<[string, object]>([
    ['pi', { state: 'inconclusive', lastKnown: 'pass' }],
    ['fisi', { state: 'inconclusive', lastKnown: 'fail' }],
    ['wi-', { state: 'inconclusive', lastKnown: 'waived' }],
    ['is', { state: 'skipped' }],
    ['fip', { state: 'pass' }],
    ['f--', { state: 'fail' }],
    ['fo', { state: 'partial pass', lastKnown: 'fail' }],
    ['op', { state: 'pass' }],
  ])('of %s keeps the last verdict', (series, expected) => {
    const results = latestOf(historyFixture({ [id]: series }))?.results
    const withoutDigests = results?.map(({ deviation: _, ...result }) => result)
    expect(withoutDigests).toEqual([{ requirement: id, ...expected }])
  })
})

describe('historyText', () => {
  const options = { last: 30, color: false, width: 100 }
  const rows = { [id]: 'pppss', 'code-hosting/a/two': 'pppss', 'code-hosting/b/one': 'ppppp' }
  const drop = historyFixture(rows)

  it('has the wording of its snapshot', async () => {
    const reviewed = review('pfpff')
    for (const run of reviewed.runs.slice(-1)) run.reasons = ['<reason>']
    const text = historyText([reviewed, ...reviewHistory(drop, 30)], options)
    await expect(text).toMatchFileSnapshot('snapshots/history.txt')
  })

  it('has the drop in coverage and the lost requirements', () => {
    expect(reviewHistory(drop, 30)[0]?.coverageDrop).toMatchObject({
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
  ])('ignores runs of a selection: %s', (series, since) => {
    const rows = { [id]: series, [other]: 'pppp' }
    const [reviewed] = reviewHistory(historyFixture(rows), 30)
    expect(reviewed?.coverageDrop?.since.run).toBe(since)
    const runs = reviewed?.runs.map(({ selection = false }) => selection)
    expect(runs).toEqual([...series].map((letter) => letter === '-'))
  })

  it('has no control sequences', () => {
    const hostile = {
      ...review('pff'),
      target: { 'a\u001b[31m': 'https://x.example/\u001b]0;t\u0007' },
    }
    for (const run of hostile.runs) {
      run.run = 'r\u001b[2J'
      run.reasons = ['so\u001b[2J']
    }
    expect(historyText([hostile], options)).not.toMatch(/[^\P{Cc}\n]/u)
  })
})
