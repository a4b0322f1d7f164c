/** The report of a run: what its checks found for each requirement of the catalogues, with texts, without secrets. */
import { type Catalogue, wordsOf } from '../conformance/catalogue.ts'
import type { RunSettings } from '../conformance/probe-run.ts'
import type { PlannedCase } from '../conformance/suite.ts'
import type { Settings } from '../environment/environment.ts'
import type { Target } from '../environment/probe-variables.ts'
import { readOutstanding } from '../ledger/read-ledger.ts'
import { type KnownSecret, publicTexts, Redactor } from '../probe/redaction/redaction.ts'
import { toServiceName } from '../results/ids.ts'
import { createNormalizer, sortByRequest } from '../results/normalize.ts'
import { withoutOutages } from '../results/outage.ts'
import { outcomeOf } from '../results/outcome.ts'
import { exchangeOf, type Reason } from '../results/reason.ts'
import { redactReport } from '../results/redact-report.ts'
import {
  isAdvisory,
  isLater,
  isTestable,
  type Requirement,
  type Version,
} from '../results/requirement.ts'
import type { CheckResult, RunEvidence } from '../results/run-evidence.ts'
import {
  caseIds,
  type JudgedCases,
  type RequirementResult,
  type RunReport,
  type Verdict,
} from '../results/run-report.ts'
import { describeTarget } from '../results/targets.ts'
import { groupBy } from '../text/group-by.ts'
import { exchangeNames, withReasonText } from './reasons.ts'

/** A run with what only its report needs. */
export interface ReportedRun extends RunSettings {
  startedAt: Date
  ledgerFile: string
  /** Effective configuration by variable. */
  settings: Settings
}

export interface RunEnding {
  interrupted: boolean
  /** True if its thread ran out of memory, which explains all other errors. */
  outOfMemory: boolean
  internalErrors: string[]
}

interface Probed {
  catalogues: readonly Catalogue[]
  creationsOf: Parameters<typeof readOutstanding>[1]
  discoveredSecrets: readonly KnownSecret[]
  planned?: readonly PlannedCase[]
  /** Failures of requirements of later versions are advisory. */
  asOf?: Version | undefined
  complete?: ((report: RunReport) => RunReport) | undefined
}

/** Returns the title of each document, and the URL of the operator's copy. */
function describeDocuments(catalogues: readonly Catalogue[], target: Target) {
  const places: [string, { documentUrl?: string }][] = Object.entries(target)
  const documents = catalogues.map(({ service, document: title }) => {
    const url = places.find(([key]) => toServiceName(key) === service)?.[1].documentUrl
    return [service, { title, ...(url !== undefined && { url }) }]
  })
  return Object.fromEntries(documents)
}

type NumbersOf = (ids: readonly string[]) => number[]

function judgedCases({ cases: results }: CheckResult, numbersOf: NumbersOf): JudgedCases {
  const groups = groupBy(Object.keys(results).sort(), (id) => JSON.stringify(results[id]))
  const judged: JudgedCases = { conforming: [], deviating: [], missing: [] }
  for (const ids of groups.values()) {
    const [result, cases] = [results[ids[0]], numbersOf(ids)]
    if (result === 'conforms') judged.conforming = cases
    else if (result === 'deviates') judged.deviating = cases
    else if (result) judged.missing.push({ cases, noVerdict: result, reason: '' })
  }
  return judged
}

/** Sorts by request, with exchanges of deviations first and the exchange that ended the check last. */
function sortedExchanges(
  { exchanges, deviations = [], noVerdict }: CheckResult,
  ranks: ReadonlyMap<string, number>,
): string[] {
  const shownBy = noVerdict && exchangeOf(noVerdict)
  const first = deviations.flatMap(({ exchange = [] }) => exchange)
  const others = exchanges.filter((id) => !first.includes(id) && id !== shownBy)
  others.sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
  return [...new Set([first, others, shownBy ?? []].flat())]
}

/** Returns the ids of all cases, in an order that does not depend on time, and a result for each requirement. */
function resultsOf(
  { judgements, exchanges }: RunEvidence,
  { runId, target, selected }: ReportedRun,
  endedBy: 'operator' | 'internal error' | undefined,
  { catalogues, asOf }: Probed,
) {
  const normalize = createNormalizer({ run: { id: runId }, target })
  const sorted = sortByRequest(exchanges, (record) => record, normalize)
  const ranks = new Map(sorted.map(({ id }, index) => [id, index]))
  const own = judgements.filter(({ requirement }) => selected.includes(requirement))
  const cases = [...new Set(own.flatMap((one) => Object.keys(one.cases)))].sort()
  const numbers = new Map(cases.map((id, number) => [id, number]))
  const numbersOf: NumbersOf = (ids) => ids.flatMap((id) => numbers.get(id) ?? [])

  function outcomeFor(requirement: Requirement) {
    const { id, checkedBy, reason: why = '' } = requirement
    const without = (verdict: Verdict, noVerdict: Reason) => {
      return { exchanges: [], durationMs: 0, verdict, noVerdict }
    }
    if (checkedBy.includes('untestable')) return without('skipped', { kind: 'untestable', why })
    if (!selected.includes(id)) return without('skipped', { kind: 'not selected' })
    const judgement = own.find((one) => one.requirement === id)
    if (judgement === undefined) {
      const by = endedBy && { by: endedBy }
      return without('inconclusive', { kind: 'interrupted', before: true, ...by })
    }
    const { requirement: _, deviations, ...rest } = judgement
    const [first] = deviations ?? []
    const leniency = { wording: target.probe.wording, asOf }
    const isTolerated = rest.verdict === 'fail' && isAdvisory(requirement, leniency)
    return {
      ...rest,
      ...(isTolerated && { verdict: 'advisory' as const }),
      ...(deviations && {
        ...{ expected: first?.expected, actual: first?.actual },
        ...(first?.reads && { reads: first.reads }),
        deviations: deviations.map(({ cases = [], ...one }) => {
          return { ...one, cases: numbersOf(cases) }
        }),
      }),
      cases: judgedCases(judgement, numbersOf),
      exchanges: sortedExchanges(judgement, ranks),
    }
  }

  const requirements = catalogues.flatMap((one) => one.requirements)
  const results = requirements.map((requirement): RequirementResult => {
    const { id, level, impact, statement, section } = requirement
    return { requirement: id, level, impact, statement, section, ...outcomeFor(requirement) }
  })
  return { cases, results }
}

/** Combines the results of checks with the catalogues, without the texts of reasons. */
function assembleReport(
  gathered: RunEvidence,
  run: ReportedRun,
  ending: RunEnding,
  probed: Probed,
) {
  const evidence = withoutOutages(gathered)
  const { exchanges, leakedResources } = evidence
  const { interrupted } = ending
  const { catalogues, asOf } = probed
  const isAborted = ending.outOfMemory || ending.internalErrors.length > 0
  const endedBy = interrupted ? 'operator' : isAborted ? 'internal error' : undefined
  const { cases, results } = resultsOf(evidence, run, endedBy, probed)
  const { verdict, coverage } = outcomeOf({ results, run: { interrupted } })
  const isSelected = (id: string) => run.selected.includes(id)
  const observable = new Map(catalogues.flatMap((one) => Object.entries(one.observations ?? {})))
  const report: RunReport = {
    schema: 4,
    tool: { name: 'plumbline', version: run.version },
    run: {
      id: run.runId,
      startedAt: run.startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
      ...(interrupted && { interrupted }),
      ...(asOf !== undefined && {
        asOf: {
          version: asOf,
          later: catalogues
            .flatMap((one) => one.requirements)
            .filter((one) => isSelected(one.id) && isTestable(one) && isLater(one, asOf))
            .map(({ id }) => id),
        },
      }),
      requests: exchanges.length,
      retries: exchanges.filter(({ attempt }) => attempt > 1).length,
      options: ['--reports', 'reports/again'],
      program: 'plumbline',
    },
    target: describeTarget(run.target, run.embedded),
    documents: describeDocuments(catalogues, run.target),
    settings: run.settings,
    ...{ verdict, coverage, cases, results },
    observations: evidence.observations
      .filter(({ id }) => observable.get(id)?.of.some(isSelected) ?? true)
      .map((one) => ({ ...one, description: observable.get(one.id)?.description ?? one.id }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    exchanges: exchanges.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))),
    leakedResources,
  }
  return report
}

function caseTexts(report: RunReport, planned: readonly PlannedCase[]) {
  const numbers = report.results.flatMap(({ cases, deviations }) =>
    deviations && cases ? [...cases.deviating, ...cases.conforming] : [],
  )
  const described = new Set(caseIds(report, numbers))
  return Object.fromEntries(
    planned.flatMap(({ case: id, text }) =>
      text !== undefined && described.has(id) ? [[id, text]] : [],
    ),
  )
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

export function buildReport(
  evidence: RunEvidence,
  run: ReportedRun,
  ending: RunEnding,
  probed: Probed,
) {
  const { target, checks, secrets } = run
  const { outOfMemory } = ending
  const { catalogues, creationsOf, planned = [], complete = (report) => report } = probed
  const names = publicTexts(target, secrets)
  const redactor = new Redactor({ words: wordsOf(checks), names, secrets })
  for (const { name, value, minMatchLength } of probed.discoveredSecrets) {
    redactor.add(name, value, minMatchLength)
  }
  // An aborted thread does not report them.
  if (evidence.leakedResources.length === 0) {
    evidence.leakedResources.push(...readOutstanding(run.ledgerFile, creationsOf))
  }
  const errors = outOfMemory ? [] : [...evidence.internalErrors, ...ending.internalErrors]
  const internalErrors = errors.map((text) => redactor.redact(text))
  const report = assembleReport(evidence, run, { ...ending, internalErrors }, probed)
  const ofCases = caseTexts(report, planned)
  const texts = new Set([...catalogues.flatMap(textsIn), ...textsIn(ofCases)])
  const named = exchangeNames(report.exchanges)
  const results = report.results.map((result) => withReasonText(result, named))
  const described = { ...report, results, caseTexts: ofCases }
  const redacted = redactReport(complete(described), redactor, texts)
  return { report: redacted, internalErrors, outOfMemory }
}
