import { XMLParser } from 'fast-xml-parser'
import { parse as junit2json, type TestSuites } from 'junit2json'
import { XmlDocument, XmlParseError } from 'libxml2-wasm'
import type { RequirementResult, RunReport, Verdict } from '../results/run-report.ts'
import { printableSentence, truncate } from '../text/printable.ts'

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

/** Returns the root element. Only `xmlProblems` checks that the text is well-formed. */
export function readXml(xml: string): XmlNode {
  const nodes: OrderedNode[] = parser.parse(xml, true)
  const [root, ...others] = nodes.flatMap(xmlNodes).filter(({ name }) => !name.startsWith('?'))
  if (root === undefined || others.length > 0) throw new Error('not one root element')
  return root
}

/** Returns all descendants of that name in document order. */
export function elements(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elements(child, name),
  ])
}

/**
 * Returns the errors of libxml2 for a text that is not well-formed XML. It runs in this thread: the test files of a pool
 * share a process, which may crash when a thread with WebAssembly ends.
 */
export function xmlProblems(xml: string): string[] {
  try {
    XmlDocument.fromString(xml).dispose()
    return []
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error
    return [error.message]
  }
}

/** Ordered children and attributes (`!`: required) of each element, as Jenkins reads them. */
const grammar: Readonly<Record<string, readonly [children: RegExp, attributes: string]>> = {
  testsuites: [/^(testsuite )*$/, 'name time tests failures errors skipped disabled'],
  testsuite: [
    /^(properties )?(testcase )*(system-out )?(system-err )?$/,
    'name! tests! failures errors skipped disabled time timestamp hostname id package',
  ],
  testcase: [
    /^(properties )?(skipped )?(error )*(failure )*(system-out )*(system-err )*$/,
    'name! classname time assertions status',
  ],
  properties: [/^(property )+$/, ''],
  property: [/^$/, 'name! value!'],
  skipped: [/^$/, 'message'],
  error: [/^$/, 'type message'],
  failure: [/^$/, 'type message'],
  'system-out': [/^$/, ''],
  'system-err': [/^$/, ''],
}

export function junitProblems(xml: string): string[] {
  const root = readXml(xml)
  const problems = Object.keys(grammar).flatMap((name) => elements(root, name).flatMap(problemsOf))
  return [...(root.name === 'testsuites' ? [] : [root.name]), ...problemsOf(root), ...problems]
}

function problemsOf({ name, attributes, children }: XmlNode): string[] {
  const [order = /^/, known = ''] = grammar[name] ?? []
  const names = Object.keys(attributes)
  const required = [...known.matchAll(/(\S+)!/g)].map(([, attribute = '']) => attribute)
  const unknown = names.filter((attribute) => !known.split(/!? |!$/).includes(attribute))
  const missing = required.filter((attribute) => !names.includes(attribute))
  const inside = children.map((child) => `${child.name} `).join('')
  return [
    ...(order.test(inside) ? [] : [`${name} has ${inside}`]),
    ...[...unknown, ...missing].map((attribute) => `${name} ${attribute}`),
  ]
}

type Outcome = 'passed' | 'failure' | 'error' | 'skipped'

/** A run as a reader of JUnit XML sees it. */
interface ReportedRun {
  counts: { failures: number; errors: number; skipped: number }
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

/** Reads JUnit XML with junit2json, which uses sax. */
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
  const because = truncate(reported, 400)
  return verdict === 'fail' || verdict === 'inconclusive' ? because : `${verdict}: ${because}`
}

/** Returns what a reader should see: the results by section, in the order of the report. */
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
