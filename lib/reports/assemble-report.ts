import type { Judgement } from '../conformance/judgement.ts'
import { INTERRUPTED } from '../conformance/outcome.ts'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import type { RunReport, Unjudged, Verdict } from '../conformance/result.ts'
import { runVerdict } from './exit-status.ts'
import type { RunEvidence } from './run-evidence.ts'
import { coverageOf } from './verdict-counts.ts'

export interface RunDescription {
  version: string
  runId: string
  startedAt: Date
  finishedAt: Date
  seed: number
  interrupted: boolean
  /** A defect of Plumbline ended the run before its time. */
  brokenOff?: boolean
  target: RunReport['target']
  documents: NonNullable<RunReport['documents']>
  settings: NonNullable<RunReport['settings']>
  catalogues: readonly Catalogue[]
  /** Ids of the requirements that were to be judged. */
  selected: readonly string[]
  wording: 'strict' | 'advisory'
}

/** Where a requirement has two, a probe's counts, unless the other contradicts it. */
export function decisive(judgements: readonly Judgement[]): Judgement | undefined {
  return (
    judgements.find(({ verdict }) => verdict === 'fail') ??
    judgements.find(({ verdict }) => verdict === 'inconclusive') ??
    judgements.find(({ by }) => by === 'probe') ??
    judgements[0]
  )
}

function outcomeOf(
  { id, judged, level, reason: why = '' }: Requirement,
  judgements: readonly Judgement[],
  { interrupted, brokenOff, wording, selected }: RunDescription,
) {
  const none = (verdict: Verdict, reason: string, unjudged: Unjudged) => {
    return { exchanges: [], durationMs: 0, verdict, reason, unjudged }
  }
  if (judged.includes('untestable')) {
    return none('skipped', `cannot be tested: ${why}`, { kind: 'untestable', why })
  }
  if (!selected.includes(id)) return none('skipped', 'not selected', { kind: 'not selected' })
  const judgement = decisive(judgements.filter(({ requirement }) => requirement === id))
  if (judgement === undefined) {
    const cause = interrupted ? INTERRUPTED : 'the run ended'
    const hint = brokenOff && !interrupted ? '; what it told on standard error says why' : ''
    return none('inconclusive', `${cause} before this was judged${hint}`, { kind: 'interrupted' })
  }
  const { requirement: _, by: __, ...outcome } = judgement
  const advises = outcome.verdict === 'fail' && level === 'wording' && wording === 'advisory'
  return advises ? { ...outcome, verdict: 'advisory' as const } : outcome
}

/** Joins what the checks reported with the catalogues: one result for each requirement. */
export function assembleReport(evidence: RunEvidence, description: RunDescription): RunReport {
  const { runId, startedAt, finishedAt, interrupted, seed, version, target, documents, settings } =
    description
  const rows = description.catalogues.flatMap(({ requirements }) => requirements)
  const descriptions = new Map(
    description.catalogues.flatMap((one) => Object.entries<string>(one.descriptions ?? {})),
  )
  const results = rows.map((row) => {
    const { id: requirement, level, statement, section } = row
    const outcome = outcomeOf(row, evidence.judgements, description)
    return { requirement, level, statement, section, ...outcome }
  })
  return {
    schema: 1,
    tool: { name: 'plumbline', version },
    run: {
      id: runId,
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      ...(interrupted && { interrupted }),
      seed,
    },
    target,
    documents,
    settings,
    verdict: runVerdict(results, interrupted),
    coverage: coverageOf(results),
    results,
    observations: evidence.observations
      .map((one) => ({ ...one, description: descriptions.get(one.id) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    exchanges: evidence.exchanges.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))),
    leftBehind: evidence.leftBehind,
  }
}
