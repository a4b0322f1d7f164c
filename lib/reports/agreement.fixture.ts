import type { PinState, RunReport, Verdict, WaiverState } from '../conformance/result.ts'
import { elements, readXml, type XmlNode } from './xml.fixture.ts'

/** What a run left: its reports, and its exit status. */
export interface RunOutcome {
  report: RunReport
  /** The text of `junit.xml`. */
  junit: string
  status: number
}

type CaseOutcome = 'passed' | 'failure' | 'error' | 'skipped'

/** A case of `junit.xml`, read without any knowledge of what wrote it. */
interface ReadCase {
  suite: string
  name: string
  property(name: string): string
  outcome: CaseOutcome
}

const outcomes: Record<Verdict, CaseOutcome> = {
  pass: 'passed',
  fail: 'failure',
  inconclusive: 'error',
  skipped: 'skipped',
  waived: 'skipped',
  advisory: 'skipped',
}

const waiverOutcomes: Record<WaiverState, CaseOutcome> = {
  used: 'passed',
  expired: 'failure',
  unneeded: 'failure',
  unknown: 'failure',
  unjudged: 'skipped',
  aside: 'skipped',
}

function pinOutcome(state: PinState, pinned: boolean): CaseOutcome {
  if (state === 'unchanged') return 'passed'
  return state === 'changed' && pinned ? 'failure' : 'skipped'
}

function readCase(suite: XmlNode, node: XmlNode): ReadCase {
  const told = (['failure', 'error', 'skipped'] as const).filter(
    (name) => elements(node, name).length > 0,
  )
  if (told.length > 1) throw new Error(`${node.attributes.name} is ${told.join(' and ')}`)
  const properties = elements(node, 'property').map(({ attributes }) => attributes)
  return {
    suite: suite.attributes.name ?? '',
    name: node.attributes.name ?? '',
    property: (wanted) => properties.find(({ name }) => name === wanted)?.value ?? '',
    outcome: told[0] ?? 'passed',
  }
}

function wrongCounts(node: XmlNode): string[] {
  const counts = { tests: 'testcase', failures: 'failure', errors: 'error', skipped: 'skipped' }
  return Object.entries(counts).flatMap(([attribute, element]) => {
    const [said, counted] = [node.attributes[attribute], String(elements(node, element).length)]
    return said === counted ? [] : [`${node.name} says ${said} ${attribute}, and has ${counted}`]
  })
}

function listed({ waivers = [], baseline }: RunReport): string[] {
  const { pinned = false, observations = [] } = baseline ?? {}
  return [
    ...waivers.map(
      ({ requirement, state }) => `waivers ${requirement} ${state} ${waiverOutcomes[state]}`,
    ),
    ...observations.map(({ id, state }) => `baseline ${id} ${state} ${pinOutcome(state, pinned)}`),
  ]
}

function rightStatus(cases: readonly ReadCase[], lists: readonly ReadCase[]): [number, string] {
  const has = (outcome: CaseOutcome) => cases.some((one) => one.outcome === outcome)
  const isJudged = (one: ReadCase) => !['skipped', 'inconclusive'].includes(one.property('verdict'))
  const [status, verdict] = has('failure')
    ? ([1, 'nonconformant'] as const)
    : has('error') || !cases.some(isJudged)
      ? ([3, 'inconclusive'] as const)
      : ([0, 'conformant'] as const)
  return [lists.some(({ outcome }) => outcome === 'failure') ? 1 : status, verdict]
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
  const isListed = ({ suite }: ReadCase) => suite === 'waivers' || suite === 'baseline'
  const [lists, cases] = [all.filter(isListed), all.filter((one) => !isListed(one))]
  const differing = (what: string, said: readonly string[], reported: readonly string[]) => [
    ...said.filter((one) => !reported.includes(one)).map((one) => `${what} alone has ${one}`),
    ...reported.filter((one) => !said.includes(one)).map((one) => `${what} has no ${one}`),
  ]
  const [rightOne, verdict] = rightStatus(cases, lists)
  return [
    ...[root, ...suites].flatMap(wrongCounts),
    ...differing(
      'junit.xml',
      cases.map(
        (one) => `${one.property('requirement')} ${one.property('verdict')} ${one.outcome}`,
      ),
      report.results.map((one) => `${one.requirement} ${one.verdict} ${outcomes[one.verdict]}`),
    ),
    ...differing(
      'junit.xml',
      lists.map((one) => `${one.suite} ${one.name} ${one.property('state')} ${one.outcome}`),
      listed(report),
    ),
    ...(status === rightOne ? [] : [`exit status ${status}, where the cases say ${rightOne}`]),
    ...(report.verdict === verdict
      ? []
      : [`report.json concludes ${report.verdict}, where the cases say ${verdict}`]),
  ]
}
