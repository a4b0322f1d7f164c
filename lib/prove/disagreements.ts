import type { RequirementResult, RunReport, RunVerdict } from '../conformance/result.ts'
import type { Subject } from './subject.ts'

/** What a run left: its report, as it was read back, and its exit status. */
export interface RunOutcome {
  report: RunReport
  status: number
}

/** The exit status of a run with this verdict, which has neither waivers nor a baseline. */
const statuses: Record<RunVerdict, number> = { conformant: 0, nonconformant: 1, inconclusive: 3 }

function because({ reason, expected, actual }: RequirementResult): string {
  const parts = [reason, expected && `expected ${expected}`, actual && `actual ${actual}`]
  return parts.filter(Boolean).join('; ') || 'no reason was told'
}

function verdictIn({ results }: RunReport, id: string) {
  return results.find(({ requirement }) => requirement === id)?.verdict
}

function wrongFailures({ failing }: Subject, report: RunReport): string[] {
  return [
    ...failing
      .filter((id) => verdictIn(report, id) === undefined)
      .map((id) => `${id} is no requirement of what was probed`),
    ...report.results.flatMap((result) => {
      const { requirement, verdict } = result
      const isNamed = failing.includes(requirement)
      if (isNamed === (verdict === 'fail')) return []
      return isNamed
        ? [`${requirement} stays ${verdict}, and the fault breaks it (${because(result)})`]
        : [`${requirement} fails, and nothing breaks it (${because(result)})`]
    }),
  ]
}

/** A person who gets a failure sees what was expected, what there was, and the exchange. */
function failuresWithoutEvidence({ results, exchanges }: RunReport): string[] {
  const known = new Set(exchanges.map(({ id }) => id))
  return results
    .filter(({ verdict }) => verdict === 'fail')
    .flatMap(({ requirement, expected, actual, exchanges: shown }) => [
      ...(expected === undefined ? [`${requirement} fails without telling what was expected`] : []),
      ...(actual === undefined ? [`${requirement} fails without telling what there was`] : []),
      ...(shown.length === 0 || shown.some((id) => !known.has(id))
        ? [`${requirement} fails without an exchange that shows it`]
        : []),
    ])
}

function untriedTolerances({ tolerances, unjudged }: Subject, report: RunReport): string[] {
  const requirements = new Set(tolerances.map((id) => id.slice(0, id.lastIndexOf('/'))))
  return [...requirements].flatMap((id) => {
    const verdict = verdictIn(report, id)
    const isReached = verdict === 'pass' || verdict === 'fail'
    if (isReached !== unjudged.includes(id)) return []
    return isReached
      ? [`${id} is ${verdict}, and was to get no verdict`]
      : [`${id} is ${verdict ?? 'not probed'}, and a tolerance of it was to be tried`]
  })
}

function otherVerdicts({ becoming = {} }: Subject, report: RunReport): string[] {
  return Object.entries(becoming).flatMap(([id, wanted]) => {
    const verdict = verdictIn(report, id)
    return verdict === wanted ? [] : [`${id} is ${verdict}, and was to be ${wanted}`]
  })
}

/**
 * Where exactly what a need is declared by is skipped for it, and all else is as on the plain
 * deployment; nothing, when all is well or the subject is about no need.
 */
export function otherThanPlain(subject: Subject, report: RunReport, plain: RunReport): string[] {
  const { skipped, perhapsSkipped = [] } = subject
  if (skipped === undefined) return []
  return report.results.flatMap((result) => {
    const { requirement, verdict, unjudged } = result
    const lacksNeed = verdict === 'skipped' && unjudged?.kind === 'needs'
    if (skipped.includes(requirement)) {
      return lacksNeed
        ? []
        : [`${requirement} declares the need, and is ${verdict} (${because(result)})`]
    }
    const wanted = verdictIn(plain, requirement)
    // For want of what the variables stand for, such as a list of one page, it is skipped in its check.
    const isLeftOut = verdict === 'skipped' && perhapsSkipped.includes(requirement)
    return verdict === wanted || isLeftOut
      ? []
      : [`${requirement} declares no such need, and is no longer ${wanted} (${because(result)})`]
  })
}

/** How a run differs from what the suites have to find in the subject; nothing, when all is well. */
export function disagreements(subject: Subject, { report, status }: RunOutcome): string[] {
  const right = statuses[subject.verdict]
  return [
    ...wrongFailures(subject, report),
    ...failuresWithoutEvidence(report),
    ...untriedTolerances(subject, report),
    ...otherVerdicts(subject, report),
    ...(report.verdict === subject.verdict
      ? []
      : [`the run is ${report.verdict}, and was to be ${subject.verdict}`]),
    ...(status === right ? [] : [`the exit status is ${status}, and was to be ${right}`]),
  ]
}
