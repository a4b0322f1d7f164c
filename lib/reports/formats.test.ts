import { expect, it } from 'vitest'
import { coverageOf } from '../results/outcome.ts'
import type { Reason } from '../results/reason.ts'
import type { RequirementResult, RunReport, Verdict } from '../results/run-report.ts'
import { reportModel } from './facts.ts'
import { textsOf } from './formats.fixture.ts'
import { pageTags, references } from './html/page-tags.fixture.ts'
import { summaryMarkdown } from './markdown.ts'
import { metricsText } from './metrics.ts'
import { exchangeNames, withReasonText } from './reasons.ts'
import {
  deviatingFixture,
  exchangeFixture,
  reportFixture,
  resultFixture,
} from './report.fixture.ts'
import { reportFiles } from './report-files.ts'
import { reviewedFixture, waiverFixture } from './reviewed-report.fixture.ts'

const list = Array.from({ length: 12 }, (_, id) => ({ id, full_name: `maria/repository-${id}` }))
const body = JSON.stringify(list)

const fixture = reviewedFixture()
const results = [
  ...fixture.results,
  deviatingFixture(23),
  resultFixture({
    requirement: 'code-hosting/pagination/order',
    verdict: 'fail',
    level: 'wording',
    expected: 'no private one',
    actual: 'a private one',
    reads: { pointer: '/9/full_name' },
    exchanges: ['e4'],
  }),
  resultFixture({
    requirement: 'code-hosting/errors/unseen',
    verdict: 'skipped',
    reason: 'cannot be tested: Nothing shows it.',
    noVerdict: { kind: 'untestable', why: 'Nothing shows it.' },
  }),
]
const report = {
  ...fixture,
  results,
  run: { ...fixture.run, interrupted: true },
  documents: { 'code-hosting': { title: 'The API', url: 'https://docs.example.com/api' } },
  coverage: coverageOf(results, 10),
  leakedResources: [
    ...fixture.leakedResources,
    { kind: 'access token', name: 'plumbline-b', account: 'maria', unconfirmed: true as const },
  ],
  exchanges: [
    ...fixture.exchanges.map((one) =>
      one.id === 'e2' && one.response
        ? { ...one, secrets: ['READ_USER_TOKEN'], response: { ...one.response, status: 201 } }
        : one,
    ),
    exchangeFixture({
      id: 'e4',
      response: { status: 200, headers: [], body, bodyBytes: body.length },
    }),
  ],
}

const texts = textsOf(report, {
  reportFiles: ['reports/report.json', 'reports/report.html'],
  verbose: true,
})

it.each([
  ['terminal.txt', texts.terminal],
  ['annotations.txt', texts.annotations],
  ['summary.txt', texts.summary],
  ['junit.txt', texts.junit],
  ['archive.txt', texts.archive],
  ['metrics.txt', metricsText(reportModel(report), 'staging', '2026-02-01T00:00:00.000Z')],
  [
    'page.txt',
    texts.page.replaceAll(/(<(style|script)\b[^>]*>).*?(?=<\/\2>)|sha256-[\w+/=]*/gs, '$1'),
  ],
])('text of %s', async (name, text) => {
  await expect(text).toMatchFileSnapshot(`snapshots/${name}`)
})

/** Creates a run; some requirements need an account and one is untestable. */
function judgedRun(judged: Verdict[], waiting: number, required?: number): RunReport {
  const row = (index: number, parts: Partial<RequirementResult>) =>
    resultFixture({ requirement: `code-hosting/errors/row-${index}`, ...parts })
  const needs = [{ name: 'main account', variables: ['SOME_PASSWORD'], advice: 'Set it.' }]
  const skipped = { verdict: 'skipped', reason: 'SOME_PASSWORD is not set' } as const
  const results = [
    ...judged.map((verdict, index) => row(index, { verdict })),
    ...Array.from({ length: waiting }, (_, index) =>
      row(50 + index, { ...skipped, noVerdict: { kind: 'needs', needs } }),
    ),
    row(90, { verdict: 'skipped', noVerdict: { kind: 'untestable', why: 'so' } }),
  ]
  return reportFixture({ results, coverage: coverageOf(results, required), target: {} })
}

const lost: Verdict[] = ['inconclusive', 'inconclusive']
const refused: Reason = { kind: 'unclear', text: 'the account was refused\u001b with 401' }
const absence: Reason = {
  kind: 'no service',
  baseUrl: 'http://127.0.0.1:1',
  variable: 'A_BASE_URL',
  instead: 'nothing',
  because: refused,
}

/** Returns the run with these reasons of its results, in their order. */
function withReasons(run: RunReport, ...reasons: (Reason | undefined)[]): RunReport {
  const results = run.results.map((result, index) => {
    const noVerdict = reasons[index]
    return noVerdict
      ? withReasonText({ ...result, noVerdict }, exchangeNames(run.exchanges))
      : result
  })
  return { ...run, results }
}

it('the verdict of a run has its reasons and its share of the testable requirements', async () => {
  const runs = [
    judgedRun(['pass', 'advisory'], 2),
    judgedRun(['pass', 'waived'], 3),
    judgedRun(['pass', 'waived'], 2, 2),
    judgedRun(['pass', 'pass'], 2, 3),
    judgedRun(['fail'], 3, 3),
    judgedRun(['pass', 'fail', 'inconclusive'], 0),
    judgedRun(['pass', 'inconclusive'], 0),
    { ...judgedRun(['pass'], 0), waivers: [waiverFixture({ state: 'expired' })] },
    { ...judgedRun(['pass'], 0), target: fixture.target },
    withReasons(judgedRun(['inconclusive', 'inconclusive'], 0), absence, absence),
    withReasons(judgedRun(['pass', ...lost, 'inconclusive'], 0), undefined, refused, refused),
    withReasons(judgedRun(['fail', ...lost], 0), undefined, refused, absence),
    withReasons(judgedRun(['inconclusive'], 4), refused),
    withReasons(judgedRun(['pass', 'inconclusive'], 0), undefined, refused),
  ].map((run) => reportModel(run))
  const lines = runs.map((model) => {
    const badge = reportFiles(model).find(({ name }) => name === 'badge.json')
    const { schemaVersion, label, message, color } = JSON.parse(badge?.content ?? '')
    expect([schemaVersion, label]).toEqual([1, 'conformance'])
    const [, mark] = /^## (\S+) /.exec(summaryMarkdown(model)) ?? []
    return `${mark} ${model.title}\n  badge ${color}: ${message}`
  })
  await expect(lines.join('\n')).toMatchFileSnapshot('snapshots/verdicts.txt')
})

const traceId = '8bfadc942f94d21b883e3561e5a156cf'
const origin = 'https://traces.example.com'

it.each([
  [`${origin}/t/{traceId}#{traceId}`, traceId, `${origin}/t/${traceId}#${traceId}`, undefined],
  [
    `${origin}/{traceId}?a="<b>|\`(c)[d]&e`,
    traceId,
    `${origin}/${traceId}?a=%22%3Cb%3E|\`(c)[d]&e`,
    `${origin}/${traceId}?a=%22%3Cb%3E|%60%28c%29[d]&e`,
  ],
  ['javascript:alert(1)//{traceId}', traceId, undefined, undefined],
  [`${origin}:x/{traceId}`, traceId, undefined, undefined],
  [`${origin}/{traceId}`, '', undefined, undefined],
])('PROBE_TRACE_URL %s with the trace id %s links exchanges to %s', (url, id, link, escaped) => {
  const settings = { ...fixture.settings, PROBE_TRACE_URL: url }
  const exchanges = report.exchanges.map((one) => ({ ...one, ...(id && { traceId: id }) }))
  const { page, summary } = textsOf({ ...report, settings, exchanges })
  const linked = references(pageTags(page)).filter((one) => /traces|javascript/.test(one))
  expect(new Set(linked)).toEqual(new Set([link ?? []].flat()))
  expect(linked.length).toBeGreaterThanOrEqual(link === undefined ? 0 : report.exchanges.length)
  const links = [...summary.matchAll(/\[trace of (e\d+)\]\((.*?)\)/g)].map(([, , target]) => target)
  expect(new Set(links)).toEqual(new Set([escaped ?? link ?? []].flat()))
  expect(page.includes(`<code>${traceId}</code>`)).toBe(id !== '')
})
