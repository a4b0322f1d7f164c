import { createHash } from 'node:crypto'
import {
  type Change,
  type ComparedCases,
  type ComparedResult,
  change,
  changedCases,
  isJudgedState,
  lossKinds,
  type ReportedState,
} from './changes.ts'
import { idParts, toServiceName } from './ids.ts'
import { createNormalizer } from './normalize.ts'
import {
  deviationsOf,
  deviationText,
  problemText,
  type RequirementResult,
  type RunReport,
} from './run-report.ts'

/** States of the requirements in a run, or in several runs of one target. */
export interface RunSnapshot {
  /** ISO 8601, UTC. */
  startedAt: string
  target: RunReport['target']
  /** Version of Plumbline; undefined if unknown. */
  version?: string
  results: readonly SnapshotResult[]
}

export interface SnapshotResult extends ComparedResult {
  requirement: string
  /** Last conclusive state, unless `state` is; a pass is not without the cases that deviated before. */
  lastKnown?: ReportedState
}

export function stateOf({
  verdict,
  noVerdict,
}: Pick<RequirementResult, 'verdict' | 'noVerdict'>): ReportedState {
  return noVerdict?.kind === 'not selected' ? 'not selected' : verdict
}

/** Returns the reported texts of the deviations of a result by their normalized texts. */
export function deviationTexts(
  result: RequirementResult,
  { run, target, exchanges }: Pick<RunReport, 'run' | 'target' | 'exchanges'>,
  normalize = createNormalizer({ run, target }),
): Map<string, string> {
  const texts = deviationsOf(result, exchanges).map(deviationText)
  return new Map(texts.map((text) => [normalize(text), text]))
}

const shortHash = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

/** Returns a short name of a case, as a line of a history has many. */
export const caseKey = (id: string): string => shortHash(id, 8)

/**
 * Returns the deviations of each case, and the missing cases; undefined for a check that did not start.
 *
 * @param keys key of each case of the report
 */
function comparedCases(
  { cases, deviations }: RequirementResult,
  keys: readonly string[],
  exchanges: RunReport['exchanges'],
  normalize: (text: string) => string,
): ComparedCases | undefined {
  if (cases === undefined) return undefined
  const keyOf = (number: number) => keys[number] ?? ''
  const found = deviationsOf({ deviations }, exchanges)
  // The cases of a deviation are sorted, the cases of the result are not.
  const sorted = found.flatMap((one) => one.cases ?? [])
  const numbers = [...sorted, ...cases.deviating].filter((one) => cases.deviating.includes(one))
  const texts = new Map<number, string[]>(numbers.map((number) => [number, []]))
  for (const deviation of found) {
    const text = normalize(problemText(deviation))
    for (const number of deviation.cases ?? []) texts.get(number)?.push(text)
  }
  // A report has only some of many deviations.
  const digest = (all: string[]) => (all.length === 0 ? '' : shortHash(all.sort().join('\n'), 8))
  return {
    deviating: new Map([...texts].map(([number, all]) => [keyOf(number), digest(all)])),
    missing: new Set(cases.missing.flatMap((one) => one.cases).map(keyOf)),
  }
}

/** Returns the ids of the cases that a run judged for any requirement. */
export function judgedCaseIds({ results, cases: ids }: Pick<RunReport, 'results' | 'cases'>) {
  const numbers = results.flatMap(({ cases }) =>
    cases ? [...cases.conforming, ...cases.deviating] : [],
  )
  return new Set([...new Set(numbers)].flatMap((number) => ids[number] ?? []))
}

export function snapshotOf(
  report: Pick<RunReport, 'run' | 'target' | 'tool' | 'results' | 'exchanges' | 'cases'>,
): RunSnapshot {
  const { run, target, tool, exchanges } = report
  const normalize = createNormalizer(report)
  const keys = report.cases.map(caseKey)
  const judged = new Set([...judgedCaseIds(report)].map(caseKey))
  const results = report.results.map((result): SnapshotResult => {
    const cases = comparedCases(result, keys, exchanges, normalize)
    const { requirement } = result
    const compared = cases && { cases: { ...cases, judged } }
    return { requirement, state: stateOf(result), ...compared }
  })
  return { startedAt: run.startedAt, target, version: tool.version, results }
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

function lastKnown(result: SnapshotResult | undefined): ReportedState | undefined {
  return result?.lastKnown ?? (result && isJudgedState(result.state) ? result.state : undefined)
}

/** Returns the newer result, with what only the older one shows. */
function completedResult(older: SnapshotResult, newer: SnapshotResult): SnapshotResult {
  const previous = newer.lastKnown ?? lastKnown(older)
  if (previous === undefined) return newer
  if (!isJudgedState(newer.state)) {
    const { cases } = newer.lastKnown === undefined ? older : newer
    return { ...newer, lastKnown: previous, ...(cases && { cases }) }
  }
  if (older.cases === undefined || newer.cases === undefined) return newer
  const lost = changedCases(older.cases, newer.cases).lost
  if (lost.length === 0) return newer
  const deviating = new Map([
    ...newer.cases.deviating,
    ...[...older.cases.deviating].filter(([key]) => lost.includes(key)),
  ])
  const cases = { ...newer.cases, deviating }
  // A pass without the cases that deviated before does not show that they conform.
  return { ...newer, cases, ...(newer.state === 'pass' && { lastKnown: previous }) }
}

/**
 * Returns the newer run, completed by the older one. Requirements that were not selected have the older result,
 * inconclusive ones keep their last conclusive state, and a case that deviated keeps its deviation until it is
 * judged again.
 */
export function completedBy(older: RunSnapshot, newer: RunSnapshot): RunSnapshot {
  const results = new Map(older.results.map((result) => [result.requirement, result]))
  for (const result of newer.results) {
    const before = results.get(result.requirement)
    if (result.state === 'not selected' && before !== undefined) continue
    results.set(result.requirement, before ? completedResult(before, result) : result)
  }
  return { ...newer, target: { ...older.target, ...newer.target }, results: [...results.values()] }
}

/** Returns the latest run of the same target, completed by the others. */
export function lastRunBefore(
  { target }: Pick<RunReport, 'target'>,
  candidates: readonly (RunSnapshot | undefined)[],
): RunSnapshot | undefined {
  const [oldest, ...newer] = candidates
    .flatMap((run) => (run !== undefined && isSameTarget(run.target, target) ? [run] : []))
    .toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt))
  return oldest && newer.reduce(completedBy, oldest)
}

interface RequirementChange extends Change {
  requirement: string
}

/** Returns the state to compare with: after an outage, the last conclusive one. */
function comparedWith(before: SnapshotResult | undefined, after: SnapshotResult | undefined) {
  if (before?.lastKnown === undefined || after === undefined) return before
  if (before.state === 'pass' && after.state === 'pass') {
    const { cases } = change(before, after)
    // The loss of these cases is known.
    if (cases && cases.lost.length > 0) return before
  }
  const isLost = after.state === 'skipped' && before.state === 'inconclusive'
  return isJudgedState(after.state) || isLost ? { ...before, state: before.lastKnown } : before
}

function indexResults({ target, results }: RunSnapshot) {
  const services = new Set(Object.keys(target).map(toServiceName))
  return { services, byId: new Map(results.map((one) => [one.requirement, one])) }
}

/** Returns the changes of all requirements, in the order of the later run. */
export function changesBetween(before: RunSnapshot, after: RunSnapshot): RequirementChange[] {
  const [was, is] = [indexResults(before), indexResults(after)]
  const { version = after.version } = before
  const sameVersion = version === (after.version ?? version)
  return [...new Set([...is.byId.keys(), ...was.byId.keys()])].map((requirement) => {
    const { service } = idParts(requirement)
    const later = is.byId.get(requirement)
    const [wasProbed, isProbed] = [was.services.has(service), is.services.has(service)]
    const earlier = comparedWith(was.byId.get(requirement), later)
    return { requirement, ...change(earlier, later, { wasProbed, isProbed, sameVersion }) }
  })
}

/** Returns the ids of the requirements that an earlier run judged and the later one did not. */
export function lostSince(before: RunSnapshot, after: RunSnapshot): string[] {
  const results = before.results.map((one) => ({ ...one, state: lastKnown(one) ?? one.state }))
  const changes = changesBetween({ ...before, results }, after)
  const lost = new Set(
    changes
      .filter(({ kind, after }) => lossKinds.includes(kind) && !isJudgedState(after))
      .map(({ requirement }) => requirement),
  )
  return results.flatMap(({ requirement }) => (lost.has(requirement) ? requirement : []))
}
