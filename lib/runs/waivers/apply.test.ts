import { describe, expect, it } from 'vitest'
import { annotations } from '../../reports/annotations.ts'
import { reportHtml } from '../../reports/html/report-html.ts'
import { junitXml } from '../../reports/junit.ts'
import { reportModel } from '../../reports/model.ts'
import { exchangeFixture, reportFixture, resultFixture } from '../../reports/report.fixture.ts'
import { reportJson } from '../../reports/report-files.ts'
import { summaryMarkdown } from '../../reports/summary-markdown.ts'
import { terminalSummary } from '../../reports/terminal.ts'
import type {
  Deviation,
  RequirementResult,
  Verdict,
  Waiver,
  WaiverState,
} from '../../results/run-report.ts'
import { summarize } from '../../results/verdict.ts'
import { withWaivers } from './apply.ts'

const known = new Set(['a/b/one', 'a/b/two', 'x/y/z'])

const waiver: Waiver = {
  requirement: 'a/b/one',
  reason: 'known',
  owner: 'Maria',
  expires: '2026-12-31',
}

/** Applies a waiver to a run of 2026-02-03; its requirement has the verdict, and another one passes. */
function reviewed(
  verdict: Verdict,
  parts: Partial<Waiver> = {},
  row: Partial<RequirementResult> = {},
) {
  const details = { reason: 'why', expected: 'status 200', actual: 'status 500', ...row }
  const first = verdict === 'pass' ? row : details
  const results = [
    resultFixture({ requirement: 'a/b/one', verdict, ...first }),
    resultFixture({ requirement: 'a/b/two' }),
  ]
  const report = withWaivers(reportFixture({ results }), [{ ...waiver, ...parts }], known)
  const [entry] = report.waivers ?? []
  const [result] = report.results
  if (entry === undefined || result === undefined) throw new Error('the waiver is gone')
  return { report, entry, result, status: summarize(report).exitStatus }
}

/** Three deviations of an invariant, each with the exchange that shows it. */
const deviations: Deviation[] = [
  { subject: 'GET /a 403', expected: 'a url', actual: 'no url', exchange: 'e1' },
  {
    subject: 'GET /b 404',
    expected: 'a url',
    actual: 'no url',
    exchange: 'e2',
    reads: { pointer: '/url' },
  },
  {
    subject: 'GET /b 500',
    expected: 'a message',
    actual: 'a list',
    exchange: 'e3',
    reads: { pointer: '/message' },
  },
]
const several = { expected: 'a url', actual: 'no url', exchanges: ['e1', 'e2', 'e3'], deviations }

describe('a waiver with actual', () => {
  it.each<[string | string[], string[]]>([
    ['*', []],
    [['GET /a 403: no url', 'GET /b *'], []],
    ['*: no url', ['GET /b 500']],
    ['GET /a 403: no url', ['GET /b 404', 'GET /b 500']],
    ['no url', ['GET /a 403', 'GET /b 404', 'GET /b 500']],
  ])('%j does not cover %j', (actual, left) => {
    const { entry, result, status } = reviewed('fail', { actual }, several)
    const failed = left.length > 0
    expect([entry.state, result.verdict, status]).toEqual(
      failed ? ['exceeded', 'fail', 1] : ['used', 'waived', 0],
    )
    const { deviations = [] } = result
    expect(
      failed ? deviations.filter(({ waived }) => !waived).map(({ subject }) => subject) : [],
    ).toEqual(left)
    expect(deviations).toHaveLength(3)
  })

  it('reports a failure with what was waived and what was seen', () => {
    const { result, report } = reviewed('fail', { actual: '*: no url' }, several)
    const { requirement: _, ...details } = { ...waiver, actual: '*: no url' }
    expect(result).toMatchObject({
      expected: 'a message',
      actual: 'a list',
      reads: { pointer: '/message' },
      exchanges: ['e3', 'e1', 'e2'],
      waiver: details,
    })
    expect(result.reason).toMatch(/Waived: \*: no url\..*Seen: GET \/b 500: a list\./)
    // In every text a person may read, and fit for the schema.
    const options = { color: false, width: 120, reportFiles: [] }
    const texts = [
      terminalSummary(reportModel(report), options),
      reportHtml(reportModel(report)),
      junitXml(reportModel(report)),
      annotations(reportModel(report)),
      summaryMarkdown(reportModel(report)),
    ]
    for (const text of texts) {
      expect(text).toContain('*: no url')
      expect(text).toContain('GET /b 500: a list')
    }
    expect(JSON.parse(reportJson(report)).waivers).toMatchObject([{ state: 'exceeded' }])
  })

  it('does not cover deviations that were not kept', () => {
    const more = { ...several, furtherDeviations: 2 }
    const { entry, result } = reviewed('fail', { actual: '*' }, more)
    expect([entry.state, result.verdict, result.expected]).toEqual(['exceeded', 'fail', 'a url'])
    expect(reviewed('fail', {}, more).entry.state).toBe('used')
  })

  it('ignores differences between runs', () => {
    const actual = 'plumbline-20260101t0000-a1b2c3-all at 2026-01-01T00:00:00Z'
    const parts = { actual: 'plumbline-20260203t0259-d4e5f6-all at 2026-02-03T02:59:00Z' }
    expect(reviewed('fail', { actual }, parts).result.verdict).toBe('waived')
  })

  it('reports patterns that match nothing', () => {
    const { entry } = reviewed('fail', { actual: ['status 500', 'status 404'] })
    expect(entry).toMatchObject({
      state: 'used',
      message: expect.stringContaining(': status 404.'),
    })
  })
})

it('does not cover the same response of another endpoint', () => {
  const actual = 'GET /api/v1/user/repos 200: status 500'
  const verdictOf = (path: string) => {
    const { request, ...rest } = exchangeFixture()
    const url = `https://git.example.com${path}?page=2`
    const exchanges = [{ ...rest, request: { ...request, url } }]
    const results = [
      resultFixture({
        requirement: 'a/b/one',
        verdict: 'fail',
        actual: 'status 500',
        exchanges: ['e1'],
      }),
    ]
    return withWaivers(reportFixture({ results, exchanges }), [{ ...waiver, actual }], known)
      .results[0]?.verdict
  }
  expect(['/api/v1/user/repos', '/api/v1/user'].map(verdictOf)).toEqual(['waived', 'fail'])
})

it.each([
  [undefined, 1],
  ['status 500', 0],
])('reports once the number of entries without actual: with %j, %d', (actual, count) => {
  const { report } = reviewed('fail', actual === undefined ? {} : { actual })
  expect(reportModel(report).wideWaivers).toBe(count)
  const options = { color: false, width: 120, reportFiles: [] }
  for (const text of [
    terminalSummary(reportModel(report), options),
    reportHtml(reportModel(report)),
    summaryMarkdown(reportModel(report)),
  ]) {
    expect(text.match(/1 waiver has no/g) ?? []).toHaveLength(count)
  }
})

it('changes the verdict of a failure, and keeps its details', () => {
  const { report, entry, result, status } = reviewed('fail')
  const { requirement: _, ...details } = waiver
  expect(result).toMatchObject({
    verdict: 'waived',
    reason: 'why',
    expected: 'status 200',
    actual: 'status 500',
    waiver: details,
  })
  expect(entry).toMatchObject({ ...waiver, state: 'used' })
  expect([report.verdict, report.knownDeviations, status]).toEqual(['conformant', 1, 0])
})

const over = { expires: '2026-02-02' }
const elsewhere = { requirement: 'x/y/z', ...over }
const unselected = { noVerdict: { kind: 'not selected' } } as const

const partial = { reason: 'without admin' }

const cases: [
  string,
  Verdict,
  Partial<Waiver>,
  Partial<RequirementResult>,
  WaiverState,
  0 | 1 | 3,
][] = [
  ['of an advisory result', 'advisory', {}, {}, 'used', 0],
  ['after its last day', 'fail', over, {}, 'expired', 1],
  ['after its last day, of a skipped result', 'skipped', over, {}, 'expired', 1],
  ['of a pass', 'pass', {}, {}, 'unused', 1],
  ['of a pass, after its last day', 'pass', over, {}, 'unused', 1],
  ['of an unknown id', 'fail', { requirement: 'a/b/on' }, {}, 'unknown', 1],
  ['of an id like no other', 'fail', { requirement: 'q' }, {}, 'unknown', 1],
  ['of a skipped result', 'skipped', {}, {}, 'noVerdict', 0],
  ['of an inconclusive result', 'inconclusive', {}, {}, 'noVerdict', 3],
  ['of a partial pass', 'pass', {}, partial, 'noVerdict', 0],
  ['of an unselected requirement', 'skipped', {}, unselected, 'notApplicable', 0],
  ['of a service that was not probed', 'pass', elsewhere, {}, 'notApplicable', 0],
  ['on its last day', 'fail', { expires: '2026-02-03' }, {}, 'used', 0],
  ['a day before its last day', 'fail', { expires: '2026-02-04' }, {}, 'used', 0],
  ['14 days before its last day', 'fail', { expires: '2026-02-17' }, {}, 'used', 0],
  ['15 days before its last day', 'fail', { expires: '2026-02-18' }, {}, 'used', 0],
]

it.each(cases)('a waiver %s has its state', (_name, verdict, parts, row, state, expected) => {
  const { entry, result, status } = reviewed(verdict, parts, row)
  expect([entry.state, status]).toEqual([state, expected])
  expect(result.verdict).toBe(state === 'used' ? 'waived' : verdict)
})

it('each state has its message', async () => {
  const texts = cases.map(
    ([name, verdict, parts, row]) => `${name}: ${reviewed(verdict, parts, row).entry.message}`,
  )
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/messages.txt')
})
