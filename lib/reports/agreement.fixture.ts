import type { RunReport, WaiverState } from '../results/run-report.ts'
import { elements, outcomes, readXml, type XmlNode } from './junit-readers.fixture.ts'

/** What a run left: its reports, and its exit status. */
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
  unneeded: 'failure',
  unknown: 'failure',
  unjudged: 'skipped',
  aside: 'skipped',
}

/** A case of `junit.xml`, read without any knowledge of what wrote it. */
function readCase(suite: XmlNode, node: XmlNode) {
  const reported = ['failure', 'error', 'skipped'].filter((name) => elements(node, name).length > 0)
  if (reported.length > 1) throw new Error(`${node.attributes.name} is ${reported.join(' and ')}`)
  const properties = elements(node, 'property').map(({ attributes }) => attributes)
  const property = (wanted: string) => properties.find(({ name }) => name === wanted)?.value ?? ''
  const outcome = reported[0] ?? 'passed'
  const suiteName = suite.attributes.name ?? ''
  const isListed = ['waivers', 'baseline', 'coverage'].includes(suiteName)
  const line = isListed
    ? `${suiteName} ${node.attributes.name} ${property('state')} ${outcome}`
    : `${property('requirement')} ${property('verdict')} ${outcome}`
  const isJudged = !isListed && !['skipped', 'inconclusive'].includes(property('verdict'))
  return { isListed, isJudged, outcome, line }
}

function wrongCounts(node: XmlNode): string[] {
  const counts = { tests: 'testcase', failures: 'failure', errors: 'error', skipped: 'skipped' }
  return Object.entries(counts).flatMap(([attribute, element]) => {
    const [said, counted] = [node.attributes[attribute], String(elements(node, element).length)]
    return said === counted ? [] : [`${node.name} says ${said} ${attribute}, and has ${counted}`]
  })
}

function reportedLines({ results, waivers = [], baseline, coverage }: RunReport): string[] {
  const judged = results.filter(({ verdict }) => !['skipped', 'inconclusive'].includes(verdict))
  const { required = -1 } = coverage ?? {}
  const enough = judged.length < required ? 'short error' : 'enough passed'
  const changed = baseline?.pinned === true ? 'failure' : 'skipped'
  const diffOutcomes = { unchanged: 'passed', changed, new: 'skipped', missing: 'skipped' }
  return [
    ...(required < 0 ? [] : [`coverage min-judged ${enough}`]),
    ...results.map((one) => `${one.requirement} ${one.verdict} ${outcomes[one.verdict]}`),
    ...waivers.map((one) => `waivers ${one.requirement} ${one.state} ${waiverOutcomes[one.state]}`),
    ...(baseline?.observations ?? []).map(
      ({ id, state }) => `baseline ${id} ${state} ${diffOutcomes[state]}`,
    ),
  ]
}

/**
 * Where `report.json`, `junit.xml` and the exit status of one run tell different things. It shares
 * no code with what writes them.
 */
export function reportDisagreements({ report, junit, status }: RunOutcome): string[] {
  const root = readXml(junit)
  const suites = elements(root, 'testsuite')
  const all = suites.flatMap((suite) =>
    elements(suite, 'testcase').map((node) => readCase(suite, node)),
  )
  const rows = all.filter(({ isListed }) => !isListed)
  const has = (outcome: string) => rows.some((one) => one.outcome === outcome)
  const isInconclusive = has('error') || !rows.some(({ isJudged }) => isJudged)
  const [fromRows, verdict] = has('failure')
    ? [1, 'nonconformant']
    : isInconclusive
      ? [3, 'inconclusive']
      : [0, 'conformant']
  const hasAny = (wanted: string) => all.some(({ outcome }) => outcome === wanted)
  const right = hasAny('failure') ? 1 : hasAny('error') ? 3 : fromRows
  const [said, reported] = [all.map(({ line }) => line), reportedLines(report)]
  return [
    ...[root, ...suites].flatMap(wrongCounts),
    ...said.filter((line) => !reported.includes(line)).map((line) => `junit.xml alone has ${line}`),
    ...reported.filter((line) => !said.includes(line)).map((line) => `junit.xml has no ${line}`),
    ...(status === right ? [] : [`exit status ${status}, where the cases say ${right}`]),
    ...(report.verdict === verdict
      ? []
      : [`report.json concludes ${report.verdict}, where the cases say ${verdict}`]),
  ]
}
