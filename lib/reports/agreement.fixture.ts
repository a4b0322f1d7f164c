import type { RunReport, WaiverState } from '../results/run-report.ts'
import { elements, outcomes, readXml, type XmlNode } from './junit-readers.fixture.ts'

export interface RunOutcome {
  report: RunReport
  /** The text of `junit.xml`. */
  junit: string
  status: number
}

const waiverOutcomes: Record<WaiverState, string> = {
  used: 'passed',
  exceeded: 'skipped',
  expired: 'failure',
  unused: 'failure',
  unknown: 'failure',
  noVerdict: 'skipped',
  notApplicable: 'skipped',
}

/** Reads a case of `junit.xml` without code of the writer. */
function readCase(suite: XmlNode, node: XmlNode) {
  const reported = ['failure', 'error', 'skipped'].filter((name) => elements(node, name).length > 0)
  if (reported.length > 1) throw new Error(`${node.attributes.name} is ${reported.join(' and ')}`)
  const properties = elements(node, 'property').map(({ attributes }) => attributes)
  const property = (key: string) => properties.find(({ name }) => name === key)?.value ?? ''
  const outcome = reported[0] ?? 'passed'
  const suiteName = suite.attributes.name ?? ''
  const isListed = ['waivers', 'coverage'].includes(suiteName)
  const line = isListed
    ? `${suiteName} ${node.attributes.name} ${property('state')} ${outcome}`
    : `${property('requirement')} ${property('verdict')} ${outcome}`
  const isJudged = !isListed && !['skipped', 'inconclusive'].includes(property('verdict'))
  return { isListed, isJudged, outcome, line }
}

function wrongCounts(node: XmlNode): string[] {
  const counts = { tests: 'testcase', failures: 'failure', errors: 'error', skipped: 'skipped' }
  return Object.entries(counts).flatMap(([attribute, element]) => {
    const [stated, counted] = [node.attributes[attribute], String(elements(node, element).length)]
    return stated === counted ? [] : [`${node.name} states ${stated} ${attribute}, has ${counted}`]
  })
}

function reportedLines({ results, waivers = [], coverage }: RunReport): string[] {
  const judged = results.filter(({ verdict }) => !['skipped', 'inconclusive'].includes(verdict))
  const { required = -1 } = coverage
  const entry = judged.length < required ? 'short error' : 'enough passed'
  return [
    ...(required < 0 ? [] : [`coverage min-judged ${entry}`]),
    ...results.map((one) => `${one.requirement} ${one.verdict} ${outcomes[one.verdict]}`),
    ...waivers.map((one) => `waivers ${one.requirement} ${one.state} ${waiverOutcomes[one.state]}`),
  ]
}

/**
 * Returns the contradictions between `report.json`, `junit.xml` and the exit status of a run. Shares no
 * code with the writers.
 */
export function reportDisagreements({ report, junit, status }: RunOutcome): string[] {
  const root = readXml(junit)
  const suites = elements(root, 'testsuite')
  const all = suites.flatMap((suite) =>
    elements(suite, 'testcase').map((node) => readCase(suite, node)),
  )
  const requirements = all.filter(({ isListed }) => !isListed)
  const has = (outcome: string) => requirements.some((one) => one.outcome === outcome)
  const isInconclusive = has('error') || !requirements.some(({ isJudged }) => isJudged)
  const [requirementStatus, verdict] = has('failure')
    ? [1, 'nonconformant']
    : isInconclusive
      ? [3, 'inconclusive']
      : [0, 'conformant']
  const hasAny = (requested: string) => all.some(({ outcome }) => outcome === requested)
  const correct = hasAny('failure') ? 1 : hasAny('error') ? 3 : requirementStatus
  const [lines, reported] = [all.map(({ line }) => line), reportedLines(report)]
  return [
    ...[root, ...suites].flatMap(wrongCounts),
    ...lines.filter((line) => !reported.includes(line)).map((line) => `only junit.xml has ${line}`),
    ...reported.filter((line) => !lines.includes(line)).map((line) => `junit.xml has no ${line}`),
    ...(status === correct ? [] : [`exit status is ${status}, by the cases ${correct}`]),
    ...(report.verdict === verdict
      ? []
      : [`verdict of report.json is ${report.verdict}, by the cases ${verdict}`]),
  ]
}
