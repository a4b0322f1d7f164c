import { describe, expect, it } from 'vitest'
import { annotations } from '../../reports/annotations.ts'
import { reportHtml } from '../../reports/html/report-html.ts'
import { junitXml } from '../../reports/junit.ts'
import { reportModel } from '../../reports/model.ts'
import { exchangeFixture, reportFixture, resultFixture } from '../../reports/report.fixture.ts'
import { reportJson } from '../../reports/report-files.ts'
import { summaryMarkdown } from '../../reports/summary-markdown.ts'
import { terminalSummary } from '../../reports/terminal.ts'
import { createNormalizer } from '../../results/normalize.ts'
import type {
  Deviation,
  RequirementResult,
  RunReport,
  Verdict,
  Waiver,
  WaiverState,
} from '../../results/run-report.ts'
import { summarize } from '../../results/verdict.ts'
import { matchWaiver, toPattern, withWaivers } from './apply.ts'

const known = new Set(['a/b/one', 'a/b/two', 'x/y/z'])

const waiver: Waiver = {
  ...{ requirement: 'a/b/one', reason: 'known' },
  ...{ owner: 'Maria', expires: '2026-12-31' },
}

/** Applies a waiver to a run of 2026-02-03; its requirement has the verdict, and another one passes. */
function reviewed(
  verdict: Verdict,
  parts: Partial<Waiver> = {},
  row: Partial<RequirementResult> = {},
  rest: Partial<RunReport> = {},
) {
  const details = { reason: 'why', expected: 'status 200', actual: 'status 500' }
  const deviating = verdict === 'pass' ? row : { ...details, ...row }
  const results = [
    resultFixture({ requirement: 'a/b/one', verdict, ...deviating }),
    resultFixture({ requirement: 'a/b/two' }),
  ]
  const unreviewed = reportFixture({ results, ...rest })
  const report = withWaivers(unreviewed, [{ ...waiver, ...parts }], known)
  const [entry] = report.waivers ?? []
  const [result] = report.results
  if (entry === undefined || result === undefined) throw new Error('the waiver is gone')
  return { report, entry, result, status: summarize(report).exitStatus }
}

const [aUrl, noUrl] = [{ expected: 'a url' }, { actual: 'no url' }]
const others = { expected: 'a message', actual: 'a list' }
/** Three deviations of an invariant, each with the exchange that shows it. */
const deviations: Deviation[] = [
  { subject: 'GET /a 403', ...aUrl, ...noUrl, exchange: 'e1' },
  { subject: 'GET /b 404', ...aUrl, ...noUrl, exchange: 'e2', reads: { pointer: '/url' } },
  { subject: 'GET /b 500', ...others, exchange: 'e3', reads: { pointer: '/message' } },
]
const several = { ...aUrl, ...noUrl, exchanges: ['e1', 'e2', 'e3'], deviations }

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
    const others = result.deviations?.filter(({ waived }) => failed && !waived)
    expect(others?.map(({ subject }) => subject)).toEqual(left)
    expect(result.deviations).toHaveLength(3)
  })

  it('reports a failure with what was waived and what was seen', () => {
    const actual = '*: no url'
    const { result, report } = reviewed('fail', { actual }, several)
    const { requirement: _, ...details } = { ...waiver, actual }
    const shown = { ...others, reads: { pointer: '/message' }, exchanges: ['e3', 'e1', 'e2'] }
    expect(result).toMatchObject({ ...shown, waiver: details })
    expect(result.reason).toMatch(/Waived: \*: no url\..*Seen: GET \/b 500: a list\./)
    const model = reportModel(report)
    const terminal = terminalSummary(model, { color: false, width: 120, reportFiles: [] })
    const formats = [reportHtml, junitXml, annotations, summaryMarkdown]
    for (const text of [terminal, ...formats.map((format) => format(model))]) {
      expect(text).toContain(actual)
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

  it('reports patterns that match nothing', () => {
    const { entry } = reviewed('fail', { actual: ['status 500', 'status 404'] })
    expect(entry.state).toBe('used')
    expect(entry.message).toContain(': status 404.')
  })

  it.each([
    ['user/repos', 'waived'],
    ['user', 'fail'],
  ])('does not cover the same response of another endpoint: %s', (path, verdict) => {
    const { request, ...rest } = exchangeFixture()
    const url = `https://git.example.com/api/v1/${path}?page=2`
    const exchanges = [{ ...rest, request: { ...request, url } }]
    const actual = 'GET /api/v1/user/repos 200: status 500'
    const { result } = reviewed('fail', { actual }, { exchanges: ['e1'] }, { exchanges })
    expect(result.verdict).toBe(verdict)
  })
})

it('changes the verdict of a failure, keeps its details, and reports entries without actual', () => {
  const { report, entry, result, status } = reviewed('fail')
  const { requirement: _, ...details } = waiver
  expect(result).toMatchObject({
    ...{ verdict: 'waived', reason: 'why', expected: 'status 200', actual: 'status 500' },
    waiver: details,
  })
  expect(entry).toMatchObject({ ...waiver, state: 'used' })
  expect([report.verdict, report.knownDeviations, status]).toEqual(['conformant', 1, 0])
  const limited = reviewed('fail', { actual: 'status 500' }).report
  expect([report, limited].map((one) => reportModel(one).wideWaivers)).toEqual([1, 0])
})

const on = (expires: string) => ({ expires })
const over = on('2026-02-02')
const elsewhere = { requirement: 'x/y/z', ...over }
const unselected = { noVerdict: { kind: 'not selected' } } as const
const partial = { reason: 'without admin' }

type Case = [string, Verdict, Partial<Waiver>, Partial<RequirementResult>, WaiverState, 0 | 1 | 3]
const cases: Case[] = [
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
  ['on its last day', 'fail', on('2026-02-03'), {}, 'used', 0],
  ['a day before its last day', 'fail', on('2026-02-04'), {}, 'used', 0],
  ['14 days before its last day', 'fail', on('2026-02-17'), {}, 'used', 0],
  ['15 days before its last day', 'fail', on('2026-02-18'), {}, 'used', 0],
]

it('a waiver has its state and its message', async () => {
  const texts = cases.map(([name, verdict, parts, row, state, expected]) => {
    const { entry, result, status } = reviewed(verdict, parts, row)
    const final = state === 'used' ? 'waived' : verdict
    expect([entry.state, status, result.verdict], name).toEqual([state, expected, final])
    return `${name}: ${entry.message}`
  })
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/messages.txt')
})

const normalizeIn = (id: string) =>
  createNormalizer({ run: { id }, target: { one: { baseUrl: `https://${id}.example.com` } } })
const normalize = normalizeIn('q7k2')

const coveredIn = (actual: string | string[] | undefined, ...found: Partial<Deviation>[]) => {
  const all = found.map((one) => ({ expected: 'another one', actual: '', ...one }))
  return matchWaiver(actual === undefined ? {} : { actual }, all, normalize)
}

describe('a pattern', () => {
  const link = 'link https://q7k2.example.com/x?at='
  it.each<[string | string[] | undefined, text: string, boolean, subject?: string]>([
    [undefined, 'anything', true],
    ['status 403', 'status 403', true],
    ['status 403', 'status 403 (no)', false],
    ['status 40', 'status 403', false],
    ['status *', 'status 403', true],
    ['*', '', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['ab*bc', 'abc', false],
    ['*.*', 'status 403', false],
    [['status 401', 'status 403'], 'status 403', true],
    [['status 401', 'status 404'], 'status 403', false],
    // An asterisk of the text itself.
    ['Access-Control-Allow-Origin: \\*', 'Access-Control-Allow-Origin: *', true],
    ['Access-Control-Allow-Origin: \\*', 'Access-Control-Allow-Origin: x', false],
    ['a folded\n  text', 'a folded text', true],
    [`${link}2026-01-01T00:00:00Z`, `${link}2026-03-04T05:06:07Z`, true],
    ['name plumbline-*', 'name plumbline-q7k2-all', true],
    ['name plumbline-20260203t0259-a1b2c3-all', 'name plumbline-q7k2-all', true],
    // The request and the status.
    ['GET /user 403: no url', 'no url', true, 'GET /user 403'],
    ['* 403: no url', 'no url', true, 'GET /user 403'],
    ['no url', 'no url', false, 'GET /user 403'],
    ['GET /user/repos 403: no url', 'no url', false, 'GET /user 403'],
    // Matched in linear time.
    [`${'*a'.repeat(500)}b`, 'a'.repeat(2000), false],
  ])('%j of a waiver matches %j: %s', (pattern, actual, expected, subject) => {
    const { others } = coveredIn(pattern, { actual, ...(subject !== undefined && { subject }) })
    expect(others.length === 0).toBe(expected)
  })

  it('made from a deviation matches it in another run and on another host only', () => {
    const seen = (run: string) => {
      const text = `* "a\\*" {"id":${run.length}} plumbline-${run}-all at https://${run}.example.com`
      return { expected: 'another one', actual: text }
    }
    const actual = toPattern(seen('q7k2'), normalize)
    const again = seen('another-run')
    const changed = { ...again, actual: again.actual.replace('*', 'x') }
    const { covered } = matchWaiver({ actual }, [again, changed], normalizeIn('another-run'))
    expect(covered).toEqual([again])
  })
})

it('splits deviations by whether a pattern matches, and returns unmatched patterns', () => {
  const texts = ['one', 'two', 'three'].map((actual) => ({ actual }))
  const { covered, others, unmatched } = coveredIn(['t*', 'four', 'three'], ...texts)
  expect(covered).toMatchObject(texts.slice(1))
  expect(others).toMatchObject(texts.slice(0, 1))
  expect(unmatched).toEqual(['four'])
})
