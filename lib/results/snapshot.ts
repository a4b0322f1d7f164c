import {
  type ComparedCases,
  type ComparedResult,
  change,
  type ReportedState,
  type State,
} from './changes.ts'
import { idParts, toServiceName } from './ids.ts'
import { createNormalizer } from './normalize.ts'
import { problemText, type RequirementResult, type RunReport } from './run-report.ts'

type Result = Pick<RequirementResult, 'verdict' | 'noVerdict'>

export const stateOf = ({ verdict, noVerdict }: Result): ReportedState =>
  noVerdict?.kind === 'not selected' ? 'not selected' : verdict

/** Returns the deviations of each case; undefined for a check that did not start. */
function comparedCases(
  { cases, deviations: found = [] }: RequirementResult,
  ids: RunReport['cases'],
  judged: ReadonlySet<string>,
  normalize: (text: string) => string,
): ComparedCases | undefined {
  if (cases === undefined) return undefined
  // The cases of a deviation are sorted, the cases of the result are not.
  const sorted = found.flatMap((one) => one.cases ?? [])
  const numbers = [...sorted, ...cases.deviating].filter((one) => cases.deviating.includes(one))
  const texts = new Map<number, string[]>(numbers.map((number) => [number, []]))
  for (const deviation of found) {
    const text = normalize(problemText(deviation))
    for (const number of deviation.cases ?? []) texts.get(number)?.push(text)
  }
  // A report has only some of many deviations.
  const digest = (some: string[]) => (some.length === 0 ? '' : JSON.stringify(some.sort()))
  const missing = new Set(cases.missing.flatMap((one) => one.cases).map((number) => ids[number]))
  return {
    deviating: new Map([...texts].map(([number, some]) => [ids[number] ?? '', digest(some)])),
    judged: new Set([...judged].filter((id) => !missing.has(id))),
  }
}

function judgedCaseIds({ results, cases: ids }: Pick<RunReport, 'results' | 'cases'>) {
  const numbers = results.flatMap(({ cases }) =>
    cases ? [...cases.conforming, ...cases.deviating] : [],
  )
  return new Set([...new Set(numbers)].flatMap((number) => ids[number] ?? []))
}

type ComparedRun = Pick<RunReport, 'run' | 'target' | 'results' | 'cases'>

export function snapshotOf(report: ComparedRun): ReadonlyMap<string, ComparedResult> {
  const normalize = createNormalizer(report)
  const judged = judgedCaseIds(report)
  return new Map(
    report.results.map((result) => {
      const cases = comparedCases(result, report.cases, judged, normalize)
      return [result.requirement, { state: stateOf(result), ...(cases && { cases }) }]
    }),
  )
}

/** Returns the base URL of a service, and the address of its connections if that is another one. */
export function placeOf({ baseUrl, connectedTo }: RunReport['target'][string]): string {
  return connectedTo === undefined ? baseUrl : `${baseUrl} (connected to ${connectedTo})`
}

/** Returns the address of a service. All reference servers share one, whatever their port. */
export function addressOf(service: RunReport['target'][string]): string {
  return service.embedded === true ? 'embedded' : placeOf(service)
}

/** Returns true if two runs have common services, each with the same address. */
export function isSameTarget(one: RunReport['target'], other: RunReport['target']): boolean {
  const addresses = new Map(Object.entries(other))
  const common = Object.entries(one).flatMap(([service, address]) => {
    const otherAddress = addresses.get(service)
    return otherAddress === undefined ? [] : [addressOf(address) === addressOf(otherAddress)]
  })
  return common.length > 0 && !common.includes(false)
}

/** Returns the changes of all requirements, in the order of the later run. */
export function changesBetween(before: ComparedRun, after: ComparedRun) {
  const [was, is] = [snapshotOf(before), snapshotOf(after)]
  const absenceIn = ({ target }: ComparedRun, id: string): State => {
    const services = Object.keys(target).map(toServiceName)
    return services.includes(idParts(id).service) ? 'absent' : 'not probed'
  }
  return [...new Set([...is.keys(), ...was.keys()])].map((requirement) => {
    const absence = { before: absenceIn(before, requirement), after: absenceIn(after, requirement) }
    return { requirement, ...change(was.get(requirement), is.get(requirement), absence) }
  })
}
