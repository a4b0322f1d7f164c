import { XMLParser } from 'fast-xml-parser'

/** What a reader of JUnit XML shows of a case. */
export type CaseOutcome = 'passed' | 'failure' | 'error' | 'skipped'

export interface CaseCounts {
  tests: number
  failures: number
  errors: number
  skipped: number
}

export interface ReadCase {
  name: string
  /** The properties of the same names; `undefined` in words where there is none. */
  requirement: string
  verdict: string
  state: string
  outcome: CaseOutcome
}

/** A `junit.xml`, read without any knowledge of what wrote it. */
export interface ReadJunit {
  /** As the attributes of the root tell. */
  counts: CaseCounts
  suites: { name: string; counts: CaseCounts; cases: ReadCase[] }[]
}

interface Element {
  [attributeOrChild: string]: unknown
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  isArray: (name) => ['testsuite', 'testcase', 'property'].includes(name),
})

function children(element: Element, name: string): Element[] {
  const value = element[name]
  return Array.isArray(value) ? value : []
}

function countsOf(element: Element): CaseCounts {
  const count = (name: keyof CaseCounts) => Number(element[name] ?? Number.NaN)
  return {
    tests: count('tests'),
    failures: count('failures'),
    errors: count('errors'),
    skipped: count('skipped'),
  }
}

function readCase(element: Element): ReadCase {
  const properties = children((element.properties ?? {}) as Element, 'property')
  const property = (name: string) =>
    String(properties.find((candidate) => candidate.name === name)?.value)
  const told = (['failure', 'error', 'skipped'] as const).filter((name) => name in element)
  if (told.length > 1) throw new Error(`${property('requirement')} is ${told.join(' and ')}`)
  return {
    name: String(element.name),
    requirement: property('requirement'),
    verdict: property('verdict'),
    state: property('state'),
    outcome: told[0] ?? 'passed',
  }
}

/** @throws Error for text that is not well-formed, or has no `testsuites` */
export function readJunit(xml: string): ReadJunit {
  const document: Element = parser.parse(xml, true)
  const root = document.testsuites
  if (typeof root !== 'object' || root === null) throw new Error('there is no testsuites element')
  return {
    counts: countsOf(root as Element),
    suites: children(root as Element, 'testsuite').map((suite) => ({
      name: String(suite.name),
      counts: countsOf(suite),
      cases: children(suite, 'testcase').map(readCase),
    })),
  }
}
