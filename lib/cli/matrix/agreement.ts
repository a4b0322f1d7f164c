import type { RunReport, Verdict } from '../../conformance/result.ts'
import type { CaseCounts, CaseOutcome, ReadCase, ReadJunit } from './junit-reading.ts'

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

function wrongConclusion({ report, status }: RunOutcome, cases: readonly ReadCase[]): string[] {
  const { failures, errors } = countCases(cases)
  const judged = cases.some(({ verdict }) => !['skipped', 'inconclusive'].includes(verdict))
  const [right, verdict] =
    failures > 0
      ? [1, 'nonconformant']
      : errors > 0 || !judged
        ? [3, 'inconclusive']
        : [0, 'conformant']
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
  const cases = junit.suites.flatMap((suite) => suite.cases)
  return [
    ...wrongCounts('the root', junit.counts, cases),
    ...junit.suites.flatMap((suite) => wrongCounts(suite.name, suite.counts, suite.cases)),
    ...wrongCases(report, cases),
    ...wrongConclusion(outcome, cases),
  ]
}
