import type { PinState, RunReport, Verdict, WaiverState } from '../conformance/result.ts'
import type { CaseCounts, CaseOutcome, ReadCase, ReadJunit } from './junit-reading.fixture.ts'

/** What a run left: its reports, as they were read back, and its exit status. */
export interface RunOutcome {
  report: RunReport
  junit: ReadJunit
  status: number
}

const outcomes: Record<Verdict, CaseOutcome> = {
  pass: 'passed',
  fail: 'failure',
  inconclusive: 'error',
  skipped: 'skipped',
  waived: 'skipped',
  advisory: 'skipped',
}

function countCases(cases: readonly ReadCase[]): CaseCounts {
  const count = (outcome: CaseOutcome) => cases.filter((read) => read.outcome === outcome).length
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

function countsText({ tests, failures, errors, skipped }: CaseCounts): string {
  return `${tests} tests, ${failures} failures, ${errors} errors, ${skipped} skipped`
}

function wrongCounts(name: string, told: CaseCounts, cases: readonly ReadCase[]): string[] {
  const [said, counted] = [countsText(told), countsText(countCases(cases))]
  return said === counted ? [] : [`junit.xml: ${name} tells ${said}, and has ${counted}`]
}

function wrongCases({ results }: RunReport, cases: readonly ReadCase[]): string[] {
  const read = new Map(cases.map((one) => [one.requirement, one]))
  const reported = new Set(results.map(({ requirement }) => requirement))
  return [
    ...cases
      .filter(({ requirement }) => !reported.has(requirement))
      .map(({ requirement }) => `${requirement} is in junit.xml alone`),
    ...results.flatMap(({ requirement, verdict }) => {
      const found = read.get(requirement)
      if (found?.verdict === verdict && found.outcome === outcomes[verdict]) return []
      const instead = found === undefined ? 'nothing' : `${found.verdict}, a case ${found.outcome}`
      return [`${requirement} is ${verdict} in report.json, and ${instead} in junit.xml`]
    }),
  ]
}

/** The suites of what the operator keeps lists of. */
type ListName = 'waivers' | 'baseline'

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

/** What the cases of a list have to be by the report, each as a line. */
function listed({ waivers = [], baseline }: RunReport, list: ListName): string[] {
  if (list === 'waivers') {
    return waivers.map(
      ({ requirement, state }) => `${requirement} ${state} ${waiverOutcomes[state]}`,
    )
  }
  const { pinned = false, observations = [] } = baseline ?? {}
  return observations.map(({ id, state }) => `${id} ${state} ${pinOutcome(state, pinned)}`)
}

function wrongList(outcome: RunOutcome, list: ListName): string[] {
  const cases = casesOf(outcome, (name) => name === list)
  const read = cases.map(({ name, state, outcome: is }) => `${name} ${state} ${is}`)
  const [said, reported] = [read.join('\n'), listed(outcome.report, list).join('\n')]
  return said === reported ? [] : [`the suite ${list} of junit.xml is not what report.json tells`]
}

function isList(name: string): boolean {
  return name === 'waivers' || name === 'baseline'
}

function casesOf({ junit }: RunOutcome, wanted: (suite: string) => boolean): ReadCase[] {
  return junit.suites.filter(({ name }) => wanted(name)).flatMap((suite) => suite.cases)
}

function wrongConclusion(outcome: RunOutcome): string[] {
  const { report, status } = outcome
  const cases = casesOf(outcome, (name) => !isList(name))
  const { failures, errors } = countCases(cases)
  const listFailures = countCases(casesOf(outcome, isList)).failures
  const judged = cases.some(({ verdict }) => !['skipped', 'inconclusive'].includes(verdict))
  const [usual, verdict] =
    failures > 0
      ? [1, 'nonconformant']
      : errors > 0 || !judged
        ? [3, 'inconclusive']
        : [0, 'conformant']
  const right = listFailures > 0 ? 1 : usual
  return [
    ...(status === right ? [] : [`exit status ${status}, where the cases say ${right}`]),
    ...(report.verdict === verdict
      ? []
      : [`report.json concludes ${report.verdict}, where the cases say ${verdict}`]),
  ]
}

/**
 * Where `report.json`, `junit.xml` and the exit status of one run tell different things. It shares
 * no code with what writes them.
 */
export function reportDisagreements(outcome: RunOutcome): string[] {
  const { report, junit } = outcome
  return [
    ...wrongCounts(
      'the root',
      junit.counts,
      casesOf(outcome, () => true),
    ),
    ...junit.suites.flatMap((suite) => wrongCounts(suite.name, suite.counts, suite.cases)),
    ...wrongCases(
      report,
      casesOf(outcome, (name) => !isList(name)),
    ),
    ...wrongList(outcome, 'waivers'),
    ...wrongList(outcome, 'baseline'),
    ...wrongConclusion(outcome),
  ]
}
