import type { RequirementResult, RunReport, RunVerdict } from '../results/run-report.ts'
import { textForm } from './normalize-exchanges.ts'
import type { Scenario } from './scenario.ts'

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

function verdictsOf({ results }: RunReport) {
  return new Map(results.map(({ requirement, verdict }) => [requirement, verdict]))
}

/** Where a variable points elsewhere, nothing that needs it passes; at least one requirement does. */
function passingElsewhere(
  { variable, isBaseUrl }: NonNullable<Scenario['elsewhere']>,
  report: RunReport,
  plain: RunReport,
): string[] {
  const after = verdictsOf(report)
  const passing = plain.results.filter(({ verdict }) => verdict === 'pass')
  const still = passing.filter(({ requirement }) => after.get(requirement) === 'pass')
  if (still.length === passing.length) return [`nothing needs ${variable}`]
  return isBaseUrl ? still.map(({ requirement }) => `${requirement} passes at another address`) : []
}

/** Without a need exactly what declares it is skipped, and all else is as on the plain deployment. */
export function otherThanPlain(subject: Scenario, report: RunReport, plain: RunReport): string[] {
  const { skipped, perhapsSkipped = [], elsewhere } = subject
  if (elsewhere !== undefined) return passingElsewhere(elsewhere, report, plain)
  if (skipped === undefined) return []
  const before = verdictsOf(plain)
  return report.results.flatMap((result) => {
    const { requirement, verdict, unjudged } = result
    const wanted = before.get(requirement)
    if (skipped.includes(requirement)) {
      if (verdict === 'skipped' && unjudged?.kind === 'needs') return []
      return [`${requirement} declares the need, and is ${verdict} (${because(result)})`]
    }
    // For want of what the variables stand for, such as a list of one page, it is skipped in its check.
    const isLeftOut = verdict === 'skipped' && perhapsSkipped.includes(requirement)
    if (verdict === wanted || isLeftOut) return []
    return [`${requirement} declares no such need, and is no longer ${wanted} (${because(result)})`]
  })
}

/** The deviations of a failure, each as one text without what differs from run to run. */
function deviationForms(report: RunReport, { deviations = [] }: RequirementResult): string {
  const form = textForm(report)
  const texts = deviations.map(({ subject = '', expected, actual }) => {
    // A number that is made up has more digits now and then.
    return form(`${subject}: expected ${expected}, got ${actual}`).replaceAll(
      /\d+ digits/g,
      'digits',
    )
  })
  return texts.join('; ')
}

/** Describes how a failure differs when the requirement is judged alone; empty if it is the same. */
export function otherwiseAlone(id: string, whole: RunReport, alone: RunReport): string[] {
  const resultIn = ({ results }: RunReport) => results.find(({ requirement }) => requirement === id)
  const [before, after] = [resultIn(whole), resultIn(alone)]
  if (before === undefined || after === undefined) return [`${id} is in no report`]
  const verdict = `${id} is ${after.verdict} when it is judged alone (${because(after)})`
  if (after.verdict !== 'fail') return [verdict]
  const [forms, formsAlone] = [deviationForms(whole, before), deviationForms(alone, after)]
  if (forms === formsAlone) return []
  return [`${id} fails otherwise when it is judged alone: ${formsAlone}, and not ${forms}`]
}

/** How a run differs from what the suites have to find in the subject; nothing, when all is well. */
export function mismatches(subject: Scenario, { report, status }: RunOutcome): string[] {
  const { failing, tolerances, unjudged, expectedVerdicts = {} } = subject
  const found: string[] = []
  function require(isSo: boolean, otherwise: string): void {
    if (!isSo) found.push(otherwise)
  }
  const verdicts = verdictsOf(report)
  for (const id of failing) {
    require(verdicts.has(id), `${id} is no requirement of what was probed`)
  }
  const known = new Set(report.exchanges.map(({ id }) => id))
  for (const result of report.results) {
    const { requirement: id, verdict, expected, actual, exchanges } = result
    if (verdict !== 'fail') {
      const stays = `${id} stays ${verdict}, and the fault breaks it (${because(result)})`
      require(!failing.includes(id), stays)
      continue
    }
    const unnamed = `${id} fails, and nothing breaks it (${because(result)})`
    require(failing.includes(id), unnamed)
    // A person who gets a failure sees what was expected, what there was, and the exchange.
    require(expected !== undefined, `${id} fails without telling what was expected`)
    require(actual !== undefined, `${id} fails without telling what there was`)
    const isShown = exchanges.length > 0 && exchanges.every((exchange) => known.has(exchange))
    require(isShown, `${id} fails without an exchange that shows it`)
  }
  for (const id of new Set(tolerances.map((name) => name.slice(0, name.lastIndexOf('/'))))) {
    const verdict = verdicts.get(id) ?? 'not probed'
    const isReached = verdict === 'pass' || verdict === 'fail'
    const isOpen = unjudged.includes(id)
    require(isReached || isOpen, `${id} is ${verdict}, and a tolerance of it was to be tried`)
    require(!isReached || !isOpen, `${id} is ${verdict}, and was to get no verdict`)
  }
  for (const [id, wanted] of Object.entries(expectedVerdicts)) {
    const verdict = verdicts.get(id)
    require(verdict === wanted, `${id} is ${verdict}, and was to be ${wanted}`)
  }
  const { verdict: wanted } = subject
  if (wanted === undefined) return found
  const right = statuses[wanted]
  require(report.verdict === wanted, `the run is ${report.verdict}, and was to be ${wanted}`)
  require(status === right, `the exit status is ${status}, and was to be ${right}`)
  return found
}
