import type { Judgement } from '../conformance/judgement.ts'
import { INTERRUPTED } from '../conformance/outcome.ts'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import type { RequirementResult, RunReport, Unjudged, Verdict } from '../conformance/result.ts'
import { runVerdict } from './exit-status.ts'
import type { RunEvidence } from './run-evidence.ts'

export interface RunDescription {
  version: string
  runId: string
  startedAt: Date
  finishedAt: Date
  interrupted: boolean
  /** A defect of Plumbline ended the run before its time. */
  brokenOff?: boolean
  target: RunReport['target']
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

type Outcome = Omit<RequirementResult, 'requirement' | 'level' | 'statement' | 'section'>

function outcomeOf(
  { judged, level, reason: why = '' }: Requirement,
  judgements: readonly Judgement[],
  selected: boolean,
  { interrupted, brokenOff, wording }: RunDescription,
): Outcome {
  const unjudged = (verdict: Verdict, reason: string, unjudged: Unjudged): Outcome => {
    return { exchanges: [], durationMs: 0, verdict, reason, unjudged }
  }
  if (judged.includes('untestable')) {
    return unjudged('skipped', `cannot be tested: ${why}`, { kind: 'untestable', why })
  }
  if (!selected) return unjudged('skipped', 'not selected', { kind: 'not selected' })
  const judgement = decisive(judgements)
  if (judgement === undefined) {
    const cause = interrupted ? INTERRUPTED : 'the run ended'
    const hint = brokenOff && !interrupted ? '; what it told on standard error says why' : ''
    const reason = `${cause} before this was judged${hint}`
    return unjudged('inconclusive', reason, { kind: 'interrupted' })
  }
  const { requirement: _, by: __, ...outcome } = judgement
  const advises = outcome.verdict === 'fail' && level === 'wording' && wording === 'advisory'
  if (advises) return { ...outcome, verdict: 'advisory' }
  const stopped = outcome.verdict === 'inconclusive' && outcome.reason === INTERRUPTED
  return stopped ? { ...outcome, unjudged: { kind: 'interrupted' } } : outcome
}

/** Joins what the checks reported with the catalogues: one result for each requirement. */
export function assembleReport(evidence: RunEvidence, description: RunDescription): RunReport {
  const selected = new Set(description.selected)
  const results = description.catalogues.flatMap(({ requirements }) =>
    requirements.map((requirement): RequirementResult => {
      const { id, level, statement, section } = requirement
      const judgements = evidence.judgements.filter((judgement) => judgement.requirement === id)
      const outcome = outcomeOf(requirement, judgements, selected.has(id), description)
      return { requirement: id, level, statement, section, ...outcome }
    }),
  )
  const { runId, startedAt, finishedAt, interrupted, version, target, settings } = description
  return {
    schema: 1,
    tool: { name: 'plumbline', version },
    run: {
      id: runId,
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      ...(interrupted ? { interrupted } : {}),
    },
    target,
    settings,
    verdict: runVerdict(results, interrupted),
    results,
    observations: evidence.observations.toSorted((a, b) => a.id.localeCompare(b.id)),
    exchanges: evidence.exchanges.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))),
    leftBehind: evidence.leftBehind,
  }
}
