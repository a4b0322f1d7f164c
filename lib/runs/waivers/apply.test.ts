import { describe, expect, it } from 'vitest'
import { annotations } from '../../reports/annotations.ts'
import { reportHtml } from '../../reports/html/report-html.ts'
import { junitXml } from '../../reports/junit.ts'
import { reportModel } from '../../reports/model.ts'
import {
  caseIds,
  casesFixture,
  exchangeFixture,
  reportFixture,
  resultFixture,
} from '../../reports/report.fixture.ts'
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
import { withWaivers } from './apply.ts'
import { matchWaiver } from './match-waiver.ts'
import { toPattern, toWaivedDeviations } from './waiver-content.ts'

const normalizeIn = (id: string) =>
  createNormalizer({ run: { id }, target: { one: { baseUrl: `https://${id}.example.com` } } })

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

describe('a waiver with cases', () => {
  const ids = ['one', 'two', 'three', 'four']
  const [a, b] = ['GET /a 403: no url', 'GET /b 404: no url']
  /** Returns a result with the deviations of these cases; others conform, and the last may be missing. */
  const rowOf = (
    found: Record<string, number[]>,
    hasMissing = false,
  ): Partial<RequirementResult> => {
    const texts = Object.entries(found)
    const deviating = [...new Set(texts.flatMap(([, cases]) => cases))]
    const known = hasMissing ? [0, 1, 2] : [0, 1, 2, 3]
    const conforming = known.filter((number) => !deviating.includes(number))
    const list = texts.map(([actual, cases]) => ({ expected: 'a url', actual, cases }))
    return {
      cases: casesFixture({ conforming, deviating }, hasMissing ? { 3: 'no data' } : {}),
      ...(list.length > 0 && { deviations: list }),
    }
  }
  const waiving = (entries: Record<string, string[]>) => ({
    deviations: Object.entries(entries).map(([actual, cases]) => ({ actual, cases })),
  })
  const review = (
    entries: Record<string, string[]>,
    found: Record<string, number[]>,
    hasMissing?: boolean,
  ) => {
    const verdict = Object.keys(found).length === 0 ? 'pass' : 'fail'
    return reviewed(verdict, waiving(entries), rowOf(found, hasMissing), { cases: ids })
  }

  it.each<[string, Record<string, string[]>, Record<string, number[]>, WaiverState, boolean?]>([
    ['its deviation in its cases', { [a]: ['one', 'two'] }, { [a]: [0, 1] }, 'used'],
    ['some of its cases', { [a]: ['one', 'two'] }, { [a]: [1] }, 'used'],
    ['two deviations of a case', { [a]: ['one'], [b]: ['one'] }, { [a]: [0], [b]: [0] }, 'used'],
    ['a pattern', { '*: no url': ['one', 'two'] }, { [a]: [0], [b]: [1] }, 'used'],
    ['a pattern of cases', { [a]: ['t*', 'o*'] }, { [a]: [0, 1] }, 'used'],
    ['a case beside a pattern of cases', { [a]: ['t*'] }, { [a]: [0, 1] }, 'exceeded'],
    ['a pass without a case of a pattern', { [a]: ['*o*'] }, {}, 'noVerdict', true],
    ['a pass in which a pattern has no case', { [a]: ['t*', 'x*'] }, {}, 'noVerdict'],
    ['another case', { [a]: ['one'] }, { [a]: [0, 2] }, 'exceeded'],
    ['only another case', { [a]: ['one'] }, { [a]: [2] }, 'exceeded'],
    ['another deviation', { [a]: ['one'] }, { [b]: [0] }, 'exceeded'],
    ['the deviation of another case', { [a]: ['one'], [b]: ['two'] }, { [a]: [1] }, 'exceeded'],
    ['a further deviation of a case', { [a]: ['one'] }, { [a]: [0], [b]: [0] }, 'exceeded'],
    ['a case that was not judged', { [a]: ['one', 'four'] }, { [a]: [0] }, 'used', true],
    ['a pass', { [a]: ['one'] }, {}, 'unused'],
    ['a pass without another case', { [a]: ['one'] }, {}, 'unused', true],
    ['a pass without its case', { [a]: ['one', 'four'] }, {}, 'noVerdict', true],
    ['a pass in which its case does not exist', { [a]: ['one', 'five'] }, {}, 'noVerdict'],
  ])('of %s', (_name, entries, found, state, hasMissing) => {
    const { entry, result, status } = review(entries, found, hasMissing)
    expect([entry.state, result.verdict === 'waived']).toEqual([state, state === 'used'])
    expect(status).toBe(['used', 'noVerdict'].includes(state) ? 0 : 1)
  })

  it('is expired after its last day, unless its cases conform', () => {
    const entries = waiving({ [a]: ['four'] })
    const stateOf = (hasMissing: boolean) =>
      reviewed('pass', { ...entries, expires: '2026-02-02' }, rowOf({}, hasMissing), { cases: ids })
        .entry.state
    expect([true, false].map(stateOf)).toEqual(['expired', 'unused'])
  })

  it('splits a deviation that it covers in some cases, and names the others', () => {
    const { result, entry } = review({ [a]: ['one', 'three'] }, { [a]: [0, 1, 2, 3] })
    expect(result.deviations).toMatchObject([{ cases: [1, 3] }, { cases: [0, 2], waived: true }])
    expect(result.deviations?.[0]).not.toHaveProperty('waived')
    expect(result.cases?.deviating).toEqual([0, 1, 2, 3])
    expect(result.waiver?.deviations).toEqual(entry.deviations)
    for (const text of [entry.message, result.reason]) {
      expect(text).toContain('two; four')
      expect(text).toContain(a)
    }
  })

  it('is unused if a response in its case is of another kind now', () => {
    const row = { cases: casesFixture({ conforming: [0, 1, 2] }) }
    const { entry } = reviewed('pass', waiving({ [a]: ['four'] }), row, { cases: ids })
    expect(entry.state).toBe('unused')
  })

  it('has a bounded message', () => {
    const names = Array.from({ length: 400 }, (_, number) => `${number} ${'x'.repeat(300)}`)
    const row = rowOf({ [a]: names.map((_, number) => number) })
    const { entry } = reviewed('fail', waiving({ [a]: ['one'] }), row, { cases: names })
    expect(entry.message.length).toBeLessThan(600)
  })

  it('does not cover deviations that were not kept', () => {
    const row = { ...rowOf({ [a]: [0] }), furtherDeviations: 2 }
    const { entry } = reviewed('fail', waiving({ [a]: ['one'] }), row, { cases: ids })
    expect(entry.state).toBe('exceeded')
  })

  it('is made from deviations, and covers them in another run', () => {
    const seen = (run: string): Deviation[] => [
      { expected: '', actual: `plumbline-${run}-x *`, cases: [0, 1] },
      { expected: '', actual: `plumbline-${run}-y *`, cases: [1, 2] },
      { expected: '', actual: '', cases: [3] },
    ]
    const made = toWaivedDeviations(seen('q7k2'), normalizeIn('q7k2'), ids)
    expect(made).toEqual([
      { actual: '(generated name) \\*', cases: ['one', 'two', 'three'] },
      { actual: '*', cases: ['four'] },
    ])
    const again = seen('x9m4')
    const covered = matchWaiver({ deviations: made }, again, normalizeIn('x9m4'), ids)
    expect(covered).toMatchObject({ covered: again, others: [] })
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
  const deviations = [{ actual: '*', cases: [...reportFixture().cases] }]
  const named = reviewed('fail', { deviations }).report
  expect([report, limited, named].map((one) => reportModel(one).waiversWithoutDeviations)).toEqual([
    1, 0, 0,
  ])
})

const on = (expires: string) => ({ expires })
const over = on('2026-02-02')
const elsewhere = { requirement: 'x/y/z', ...over }
const unselected = { noVerdict: { kind: 'not selected' } } as const
const partial = { reason: 'without admin' }
const naming = (...cases: string[]) => ({ deviations: [{ actual: '*', cases }] })
const named = naming(...[0, 4].map((number) => caseIds[number] ?? ''))
const ofOtherCases = naming('another case', 'yet another case', 'a third')

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
  ['of a pass without some cases', 'pass', {}, partial, 'noVerdict', 0],
  ['of cases, of a pass without one', 'pass', named, partial, 'noVerdict', 0],
  ['of other cases, of a pass', 'pass', ofOtherCases, {}, 'noVerdict', 0],
  ['of cases, of a failure in another one', 'fail', named, {}, 'exceeded', 1],
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

  it.each([
    ['GET /user 200: X-Total: 3', [true, false]],
    ['GET /user 200: X-Total: more', [true, true]],
    ['GET /user 200: X-Total: 5', [false, false]],
  ])('%j matches the value or the problem of a deviation', (pattern, expected) => {
    const parts = { subject: 'GET /user 200', problem: 'X-Total: more' }
    const found = ['X-Total: 3', 'X-Total: 4'].map((actual) => ({ ...parts, actual }))
    const isCovered = (one: Partial<Deviation>) => coveredIn(pattern, one).covered.length > 0
    expect(found.map(isCovered)).toEqual(expected)
  })

  it('made from a deviation with a problem matches it with another value', () => {
    const seen = { expected: '', actual: 'X-Total: 3', problem: 'X-Total: more' }
    const actual = toPattern(seen, normalize)
    expect(coveredIn(actual, { ...seen, actual: 'X-Total: 4' }).others).toEqual([])
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
