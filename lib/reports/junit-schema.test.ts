import { describe, expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import {
  jenkinsProblems,
  jenkinsProblemsOfKnownParts,
  xmlProblems,
} from './jenkins-schema.fixture.ts'
import { junitXml } from './junit.ts'
import {
  toldByJunit2json,
  toldByReport,
  toldByTestResultsParser,
  withoutDistinctions,
} from './junit-readers.fixture.ts'
import { exchangeFixture, hostileText, reportFixture, resultFixture } from './report.fixture.ts'

const everyVerdict = ['pass', 'fail', 'inconclusive', 'skipped', 'waived', 'advisory'] as const

/** Text that comes from the deployment, wherever a report can have some. */
function hostileReport(text: string): RunReport {
  const headers = [{ name: text, value: text }]
  return reportFixture({
    results: everyVerdict.map((verdict) =>
      resultFixture({
        requirement: `code-hosting/hostile/${verdict}`,
        verdict,
        statement: text,
        section: text,
        reason: text,
        expected: text,
        actual: text,
        exchanges: ['e1'],
      }),
    ),
    exchanges: [
      exchangeFixture({
        request: { method: 'POST', url: text, headers, body: text },
        response: { status: 500, headers, body: text, bodyBytes: 1 },
      }),
    ],
  })
}

const reports: [string, RunReport][] = [
  ['of every verdict', reportFixture()],
  ['of one result', reportFixture({ results: [resultFixture()] })],
  ['full of hostile text', hostileReport(hostileText)],
  [
    'full of markup',
    hostileReport(`]]></failure><!-- <![CDATA[ &#0; <?x ?> "'${'<&>"'.repeat(999)}`),
  ],
  ['full of line breaks', hostileReport('one\r\ntwo\rthree\u2028four\n\n\tfive ')],
]

describe.each(reports)('a junit.xml %s', (_name, report) => {
  const xml = junitXml(report)

  it('is well-formed', async () => {
    expect(await xmlProblems(xml)).toEqual([])
  })

  it('is valid by the schema of Jenkins, but for what is newer than it', async () => {
    expect(await jenkinsProblemsOfKnownParts(xml)).toEqual([])
  })

  it('is read by junit2json as it was meant', async () => {
    expect(await toldByJunit2json(xml)).toEqual(toldByReport(report))
  })

  it('is read by test-results-parser as it was meant, and has nothing attached', () => {
    const { attachments, ...told } = toldByTestResultsParser(xml)
    expect(told).toEqual(withoutDistinctions(toldByReport(report)))
    expect(attachments).toEqual([])
  })
})

it('keeps what looks like an entity', async () => {
  const report = hostileReport('&amp; &lt;b&gt; &nbsp; &')
  expect(await toldByJunit2json(junitXml(report))).toEqual(toldByReport(report))
})

describe('the schema', () => {
  it('objects to the whole for nothing but what is newer than it', async () => {
    const problems = await jenkinsProblems(junitXml(reportFixture()))
    const objects = problems.map((problem) =>
      /Element '(\w+)'(?:, attribute '(\w+)')?/.exec(problem),
    )
    expect(new Set(objects.map((match) => match?.slice(1).join(' ').trim()))).toEqual(
      new Set(['testsuites skipped', 'properties']),
    )
  })
})

describe('marks that readers obey', () => {
  const marks = '[[ATTACHMENT|/etc/passwd]] [[PROPERTY|verdict=pass]] [[attachment|x]] [["kept"]]'

  it('are written out where a reader looks for them, and nothing else is', () => {
    expect(junitXml(hostileReport(marks))).toContain(
      '[\\u005bATTACHMENT|/etc/passwd]] [\\u005bPROPERTY|verdict=pass]] [\\u005battachment|x]] [["kept"]]',
    )
  })
})
