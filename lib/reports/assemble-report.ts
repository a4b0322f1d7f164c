import type { Judgement } from '../conformance/judgement.ts'
import { INTERRUPTED } from '../conformance/outcome.ts'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import type { RequirementResult, RunReport } from '../conformance/result.ts'
import type { RunEvidence } from './conformance-reporter.ts'
import { runVerdict } from './exit-status.ts'

/** What a report needs to know beside the evidence. */
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
  /** Of the probed services. */
  catalogues: readonly Catalogue[]
  /** Ids of the requirements that were to be judged. */
  selected: readonly string[]
  wording: 'strict' | 'advisory'
}

/** A probe's verdict stands, unless the exchanges of the whole run contradict it. */
const precedence: readonly ((judgement: Judgement) => boolean)[] = [
  ({ verdict }) => verdict === 'fail',
  ({ verdict }) => verdict === 'inconclusive',
  ({ by }) => by === 'probe',
  () => true,
]

/** The judgement that counts where a requirement has two. */
export function decisive(judgements: readonly Judgement[]): Judgement | undefined {
  for (const decides of precedence) {
    const judgement = judgements.find(decides)
    if (judgement !== undefined) return judgement
  }
  return undefined
}

type Outcome = Omit<RequirementResult, 'requirement' | 'level' | 'statement' | 'section'>

const nothingSent = { exchanges: [], durationMs: 0 }

function outcomeOf(
  { judged, level, reason }: Requirement,
  judgements: readonly Judgement[],
  selected: boolean,
  { interrupted, brokenOff, wording }: RunDescription,
): Outcome {
  if (judged.includes('untestable')) {
    const unjudged = { kind: 'untestable', why: reason ?? '' } as const
    return { ...nothingSent, verdict: 'skipped', reason: `cannot be tested: ${reason}`, unjudged }
  }
  if (!selected) {
    const unjudged = { kind: 'not selected' } as const
    return { ...nothingSent, verdict: 'skipped', reason: 'not selected', unjudged }
  }
  const judgement = decisive(judgements)
  if (judgement === undefined) {
    const cause = interrupted ? INTERRUPTED : 'the run ended'
    const hint = brokenOff && !interrupted ? '; what it told on standard error says why' : ''
    return {
      ...nothingSent,
      verdict: 'inconclusive',
      reason: `${cause} before this was judged${hint}`,
      unjudged: { kind: 'interrupted' },
    }
  }
  const { requirement: _, by: __, ...outcome } = judgement
  const advises = outcome.verdict === 'fail' && level === 'wording' && wording === 'advisory'
  if (advises) return { ...outcome, verdict: 'advisory' }
  const stopped = outcome.verdict === 'inconclusive' && outcome.reason === INTERRUPTED
  return stopped ? { ...outcome, unjudged: { kind: 'interrupted' } } : outcome
}

function byNumber(a: { id: string }, b: { id: string }): number {
  return Number(a.id.slice(1)) - Number(b.id.slice(1))
}

/** Joins what the checks told with the catalogues: one result for each requirement. */
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
    exchanges: evidence.exchanges.toSorted(byNumber),
    leftBehind: evidence.leftBehind,
  }
}
