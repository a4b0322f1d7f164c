import { describe, expect, it } from 'vitest'
import type { ObservationDiff, RunReport } from '../results/run-report.ts'
import { junitXml } from './junit.ts'
import {
  elements,
  junitProblems,
  readXml,
  reportedByJunit2json,
  reportedByReport,
  type XmlNode,
  xmlProblems,
} from './junit-readers.fixture.ts'
import { reportModel } from './model.ts'
import {
  deviatingFixture,
  exchangeFixture,
  hostileText,
  reportFixture,
  resultFixture,
} from './report.fixture.ts'
import { reviewedFixture, waiverFixture } from './reviewed-report.fixture.ts'

const document = readXml(junitXml(reportModel(reportFixture())))

function testCase(requirement: string): XmlNode {
  const found = elements(document, 'testcase').find((node) =>
    elements(node, 'property').some(({ attributes }) => attributes.value === requirement),
  )
  if (found === undefined) throw new Error(`no test case for ${requirement}`)
  return found
}

const everyVerdict = ['pass', 'fail', 'inconclusive', 'skipped', 'waived', 'advisory'] as const

/** A report with hostile text in every part that comes from a target. */
function hostileReport(text: string): RunReport {
  const headers = [{ name: text, value: text }]
  const reported = { statement: text, section: text, reason: text, expected: text, actual: text }
  return reportFixture({
    results: [
      ...everyVerdict.map((verdict) => {
        const requirement = `code-hosting/hostile/${verdict}`
        return resultFixture({ ...reported, requirement, verdict, exchanges: ['e1'] })
      }),
      deviatingFixture(3, text),
    ],
    exchanges: [
      exchangeFixture({
        request: { method: 'POST', url: text, headers, body: text },
        response: { status: 500, headers, body: text, bodyBytes: 1 },
      }),
    ],
  })
}

describe.each<[string, RunReport]>([
  ['of every verdict', reportFixture()],
  ['of one result', reportFixture({ results: [resultFixture()] })],
  ['full of hostile text', hostileReport(hostileText)],
  [
    'full of markup',
    hostileReport(`]]></failure><!-- <![CDATA[ &#0; &amp; <?x ?> "'${'<&>"'.repeat(999)}`),
  ],
  ['full of line breaks', hostileReport('one\r\ntwo\rthree\u2028four\n\n\tfive ')],
])('a junit.xml %s', (_name, report) => {
  const xml = junitXml(reportModel(report))

  it('is well-formed, valid by the schema of Jenkins, and read as intended', async () => {
    expect(await xmlProblems(xml)).toEqual([])
    expect(junitProblems(xml)).toEqual([])
    expect(await reportedByJunit2json(xml)).toEqual(reportedByReport(report))
  })
})

it('junitProblems reports misplaced attributes and elements', () => {
  const xml = junitXml(reportModel(reportFixture()))
  expect(junitProblems(xml.replaceAll(' tests=', ' test='))).toContain('testsuite test')
  expect(junitProblems(xml.replace('<testcase', '<property/><testcase'))).not.toEqual([])
})

it('escapes only the marks that readers interpret', () => {
  const marks = '[[ATTACHMENT|/etc/passwd]] [[PROPERTY|verdict=pass]] [[attachment|x]] [["kept"]]'
  expect(junitXml(reportModel(hostileReport(marks)))).toContain(
    '[\\u005bATTACHMENT|/etc/passwd]] [\\u005bPROPERTY|verdict=pass]] [\\u005battachment|x]] [["kept"]]',
  )
})

describe('junitXml, cases', () => {
  it('have a name with id and statement, a time in seconds, and properties', () => {
    const { attributes } = testCase('code-hosting/pagination/limit-lowered')
    expect(attributes).toEqual({
      classname: 'code-hosting.pagination',
      name: 'limit-lowered: A limit above the maximum is lowered to the maximum.',
      time: '1.234',
    })
    const properties = elements(testCase('code-hosting/scopes/missing-scope-message'), 'property')
    expect(properties.map((property) => Object.values(property.attributes))).toEqual([
      ['requirement', 'code-hosting/scopes/missing-scope-message'],
      ['statement', 'The message names the scopes.'],
      ['section', 'Scopes'],
      ['level', 'wording'],
      ['verdict', 'advisory'],
    ])
  })

  it('share the time of a run with concurrent checks', () => {
    const results = [4000, 8000, 24_680].map((durationMs) => resultFixture({ durationMs }))
    const root = readXml(junitXml(reportModel(reportFixture({ results }))))
    const times = (name: string) => elements(root, name).map((node) => Number(node.attributes.time))
    expect(root.attributes.time).toBe('12.34')
    expect(times('testcase')).toEqual([1.345, 2.691, 8.302])
    expect(times('testsuite')).toEqual([12.338])
  })

  it('have the evidence of a failure and the commands that repeat it', () => {
    const [failure] = elements(testCase('code-hosting/pagination/limit-lowered'), 'failure')
    expect(failure?.attributes.type).toBe('contract')
    for (const reported of [
      '\nA limit above the maximum is lowered to the maximum.\n',
      '\nSection: Pagination\n',
      '\nExpected: X-PerPage: 25\nActual:   X-PerPage: 50\n',
      '\n> GET https://git.example.com/api/v1/user/repos?limit=26\n',
      '\n< 200 OK\n',
      '\n! < X-PerPage: 50\n',
      'see also e2',
      `curl --include --header 'Accept: application/json' --header "Authorization: Bearer \${READ_USER_TOKEN}" 'https://git.example.com/api/v1/user/repos?limit=26'`,
    ]) {
      expect(failure?.text).toContain(reported)
    }
  })

  it('have a line for each further deviation of a failure', () => {
    const several = readXml(
      junitXml(reportModel(reportFixture({ results: [deviatingFixture(9)] }))),
    )
    const [failure] = elements(several, 'failure')
    const lines = failure?.text.split('\n').filter((line) => line.startsWith('Also:'))
    expect(lines).toHaveLength(6)
    expect(lines?.[0]).toBe('Also:     GET /2 403: no url (e2)')
  })

  it('have the error of a missing response and the unchecked parts of a pass', () => {
    const [error] = elements(testCase('code-hosting/pagination/total-count'), 'error')
    expect(error?.attributes.type).toBe('inconclusive')
    expect(error?.text).toContain('< no response: connect ECONNREFUSED 192.0.2.7:443')
    const [output] = elements(testCase('code-hosting/tokens/documented-scopes'), 'system-out')
    expect(output?.text).toContain('without the two admin scopes')
  })

  it('have a maximum size', () => {
    const body = 'x'.repeat(1_000_000)
    const response = { status: 200, headers: [], body, bodyBytes: body.length }
    const results = [resultFixture({ verdict: 'fail', actual: body, exchanges: ['e1'] })]
    const exchanges = [exchangeFixture({ response })]
    expect(junitXml(reportModel(reportFixture({ results, exchanges }))).length).toBeLessThan(20_000)
  })
})

describe('junitXml with waivers and a baseline', () => {
  const report = reviewedFixture()

  async function casesOf(suite: string, of = report): Promise<string[]> {
    const { cases } = await reportedByJunit2json(junitXml(reportModel(of)))
    return cases
      .filter((reported) => reported.suite === suite)
      .map(({ name, outcome, message }) => `${name} ${outcome}${message ? `: ${message}` : ''}`)
  }

  it('has a case for each waiver, failed if it fails the run', async () => {
    expect(junitProblems(junitXml(reportModel(report)))).toEqual([])
    expect(await casesOf('waivers')).toEqual([
      'code-hosting/pagination/limit-capped passed',
      'code-hosting/pagination/limit-lowered failure: This one is expired.',
      'code-hosting/resources/user failure: This one is unused.',
      'code-hosting/resources/usr failure: This one is unknown.',
      'code-hosting/authentication/sudo-header skipped: This one is noVerdict.',
      'event-publishing/publish/accepted skipped: This one is notApplicable.',
    ])
  })

  it('has a case for each observation, failed if a change fails the run', async () => {
    const others = [
      'code-hosting/tokens/unknown-scope skipped: missing: was 400, is nothing',
      'code-hosting/resources/user-fields skipped: new: was nothing, is {"type":"object"}',
      'event-publishing/publish/status passed',
    ]
    expect(await casesOf('baseline')).toEqual([
      'code-hosting/errors/malformed-body failure: changed: was 400, is 422',
      ...others,
    ])
    const { observations } = report.baseline ?? { observations: [] }
    expect(
      await casesOf('baseline', { ...report, baseline: { pinned: false, observations } }),
    ).toEqual(['code-hosting/errors/malformed-body skipped: changed: was 400, is 422', ...others])
  })

  it('skips a waived requirement, with the owner and the deviation', async () => {
    expect(await casesOf('code-hosting/pagination')).toContain(
      'limit-capped: The user record of the caller is served. skipped: waived: Platform team, until 2026-02-10: The proxy in front has its own limit. (https://tracker.example.com/PLAT-12); expected X-PerPage: 25, actual X-PerPage: 50',
    )
  })

  it('escapes marks in all texts', async () => {
    const text = `${hostileText} [[ATTACHMENT|/etc/passwd]]`
    const waivers = [waiverFixture({ state: 'expired', message: text, reason: text, owner: text })]
    const diff: ObservationDiff = { id: 'a/b/c', state: 'changed', before: text, exchanges: [] }
    const baseline = { pinned: true, observations: [diff] }
    const hostile = junitXml(reportModel(reviewedFixture({ waivers, baseline })))
    expect(await xmlProblems(hostile)).toEqual([])
    const texts = elements(readXml(hostile), 'failure').map((failure) => failure.text)
    expect(texts.join()).not.toContain('[[ATTACHMENT')
  })
})
