import { expect, it } from 'vitest'
import type { RunReport, Verdict } from '../results/run-report.ts'
import { reportModel } from './facts.ts'
import { junitXml } from './junit.ts'
import { elements, junitProblems, readXml } from './junit-readers.fixture.ts'
import {
  deviatingFixture,
  exchangeFixture,
  reportFixture,
  resultFixture,
} from './report.fixture.ts'
import { reviewedFixture, waiverFixture, withText } from './reviewed-report.fixture.ts'

const junitOf = (parts: Partial<RunReport>) => junitXml(reportModel(reportFixture(parts)))

const fullOf = (text: string) => {
  const report = reportFixture()
  return withText({ ...report, results: [...report.results, deviatingFixture(3)] }, text)
}

const outcomesIn = (xml: string) =>
  elements(readXml(xml), 'testcase').map(({ children }) => {
    const names = children.map(({ name }) => name)
    return names.find((name) => /^(?:error|failure|skipped)$/.test(name)) ?? 'passed'
  })

const outcomes: Partial<Record<Verdict, string>> = {
  pass: 'passed',
  fail: 'failure',
  inconclusive: 'error',
}

it.each<[string, RunReport]>([
  ['of every verdict', reportFixture()],
  [
    'full of markup',
    fullOf(`]]></failure><!-- <![CDATA[ &#0; &amp; <?x ?> "'${'<&>"'.repeat(300)}`),
  ],
])(
  'a junit.xml %s is well-formed, valid by the schema of Jenkins, and has each verdict',
  (_, report) => {
    const xml = junitXml(reportModel(report))
    expect(junitProblems(xml)).toEqual([])
    const expected = report.results.map(({ verdict }) => outcomes[verdict] ?? 'skipped')
    expect(outcomesIn(xml).toSorted()).toEqual(expected.toSorted())
  },
)

it('escapes only the marks that readers interpret', () => {
  const marks = '[[ATTACHMENT|/etc/passwd]] [[PROPERTY|verdict=pass]] [[attachment|x]] [["kept"]]'
  const escaped =
    '[\\u005bATTACHMENT|/etc/passwd]] [\\u005bPROPERTY|verdict=pass]] [\\u005battachment|x]] [["kept"]]'
  expect(junitXml(reportModel(fullOf(marks)))).toContain(escaped)
  const waivers = [waiverFixture({ state: 'expired', message: marks, reason: marks, owner: marks })]
  const xml = junitXml(reportModel(reviewedFixture({ waivers })))
  expect(junitProblems(xml)).toEqual([])
  const failures = elements(readXml(xml), 'failure').map(({ text }) => text)
  expect(failures.join()).not.toContain('[[ATTACHMENT')
})

it('cases share the time of a run with concurrent checks', () => {
  const results = [4000, 8000, 24_680].map((durationMs, index) =>
    resultFixture({ requirement: `code-hosting/resources/row-${index}`, durationMs }),
  )
  const root = readXml(junitOf({ results }))
  const times = (name: string) => elements(root, name).map((node) => Number(node.attributes.time))
  expect(times('testcase')).toEqual([1.345, 2.691, 8.302])
  expect(times('testsuite')).toEqual([12.338])
})

it('cases have a maximum size', () => {
  const body = 'x'.repeat(1_000_000)
  const response = { status: 200, headers: [], body, bodyBytes: body.length }
  const results = [resultFixture({ verdict: 'fail', actual: body, exchanges: ['e1'] })]
  const xml = junitOf({ results, exchanges: [exchangeFixture({ response })] })
  expect(xml.length).toBeLessThan(20_000)
})
