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
import { idParts, serviceName } from './ids.ts'
import { createNormalizer } from './normalize.ts'
import {
  deviationsOf,
  deviationText,
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
  /** Last conclusive state, unless `state` is conclusive. */
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

function digest(texts: Iterable<string>): string {
  const text = [...texts].sort().join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Returns a short name of a case for files that grow with each run. */
export const caseKey = (id: string): string =>
  createHash('sha256').update(id).digest('hex').slice(0, 12)

/** Returns the deviations of each case, and the cases that were judged; undefined for a check that did not start. */
function comparedCases(
  { cases, deviations = [], ...result }: RequirementResult,
  report: Pick<RunReport, 'cases' | 'exchanges'>,
  normalize: (text: string) => string,
): ComparedCases | undefined {
  if (cases === undefined) return undefined
  const keyOf = (number: number) => caseKey(report.cases[number] ?? '')
  const texts = new Map<number, string[]>(cases.deviating.map((number) => [number, []]))
  for (const deviation of deviations) {
    const one = { ...result, deviations: [deviation] }
    const [text = ''] = deviationsOf(one, report.exchanges).map(deviationText).map(normalize)
    for (const number of deviation.cases ?? []) texts.get(number)?.push(text)
  }
  return {
    deviating: new Map([...texts].map(([number, all]) => [keyOf(number), digest(all)])),
    judged: new Set([...cases.conforming, ...cases.deviating].map(keyOf)),
  }
}

export function snapshotOf(
  report: Pick<RunReport, 'run' | 'target' | 'tool' | 'results' | 'exchanges' | 'cases'>,
): RunSnapshot {
  const { run, target, tool } = report
  const normalize = createNormalizer(report)
  const results = report.results.map((result): SnapshotResult => {
    const cases = comparedCases(result, report, normalize)
    return { requirement: result.requirement, state: stateOf(result), ...(cases && { cases }) }
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
  return result && isJudgedState(result.state) ? result.state : result?.lastKnown
}

/**
 * Returns the newer run, completed by the older one. Requirements that were not selected have the older result;
 * inconclusive ones keep their last conclusive state.
 */
export function completedBy(older: RunSnapshot, newer: RunSnapshot): RunSnapshot {
  const results = new Map(older.results.map((result) => [result.requirement, result]))
  for (const result of newer.results) {
    const before = results.get(result.requirement)
    if (result.state === 'not selected' && before !== undefined) continue
    // A pass without the cases that deviated before does not show that they conform.
    const { lost } = changedCases(before?.cases, result.cases)
    const isLost = result.state === 'pass' && lost.length > 0
    const state = isLost ? lastKnown(before) : (lastKnown(result) ?? lastKnown(before))
    const isWhole = (isJudgedState(result.state) && !isLost) || state === undefined
    const cases = before?.cases
    results.set(
      result.requirement,
      isWhole ? result : { ...result, lastKnown: state, ...(cases && { cases }) },
    )
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

export interface RequirementChange extends Change {
  requirement: string
}

/** Returns the state to compare with: after an outage, the last conclusive one. */
function comparedWith(before: SnapshotResult | undefined, after: SnapshotResult | undefined) {
  if (before?.lastKnown === undefined || after === undefined) return before
  const isLost = after.state === 'skipped' && before.state === 'inconclusive'
  // Another pass without the cases that deviated before changes nothing.
  const isLostAgain =
    before.state === 'pass' &&
    after.state === 'pass' &&
    changedCases(before.cases, after.cases).lost.length > 0
  const isCompared = (isJudgedState(after.state) && !isLostAgain) || isLost
  return isCompared ? { ...before, state: before.lastKnown } : before
}

function indexResults({ target, results }: RunSnapshot) {
  const services = new Set(Object.keys(target).map(serviceName))
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
    changes.flatMap(({ requirement, kind }) => (lossKinds.includes(kind) ? requirement : [])),
  )
  return results.flatMap(({ requirement }) => (lost.has(requirement) ? requirement : []))
}
