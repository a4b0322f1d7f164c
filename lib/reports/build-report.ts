import type { Catalogue } from '../conformance/catalogue.ts'
import { wordsOf } from '../conformance/catalogue.ts'
import type { RunSettings } from '../conformance/probe-run.ts'
import type { PlannedCase } from '../conformance/suite.ts'
import { connectionFor } from '../environment/connect-to.ts'
import type { Settings } from '../environment/environment.ts'
import type { Target } from '../environment/probe-variables.ts'
import { readOutstanding } from '../ledger/read-ledger.ts'
import { type KnownSecret, publicTexts, Redactor } from '../probe/redaction/redaction.ts'
import { assembleReport } from '../results/assemble-report.ts'
import { toServiceName } from '../results/ids.ts'
import { redactReport } from '../results/redact-report.ts'
import type { Version } from '../results/requirement.ts'
import type { RunEvidence } from '../results/run-evidence.ts'
import { caseIds, type RunReport } from '../results/run-report.ts'
import { exchangeNames } from './reasons.ts'
import { withReasonText } from './result-text.ts'

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

export function describeTarget({ probe, ...services }: Target, isEmbedded: boolean) {
  return Object.fromEntries(
    Object.entries<{ baseUrl: string }>(services).map(([key, { baseUrl }]) => {
      const connectedTo = connectionFor(probe.connectTo, new URL(baseUrl))
      const marker = isEmbedded && { embedded: true }
      return [key, { baseUrl, ...marker, ...(connectedTo !== undefined && { connectedTo }) }]
    }),
  )
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
  { interrupted, outOfMemory, internalErrors: others }: RunEnding,
  probed: Probed,
) {
  const { target, checks, secrets } = run
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
  const errors = outOfMemory ? [] : [...evidence.internalErrors, ...others]
  const internalErrors = errors.map((text) => redactor.redact(text))
  const places: [string, { documentUrl?: string }][] = Object.entries(target)
  const documents = catalogues.map(({ service, document: title }) => {
    const url = places.find(([key]) => toServiceName(key) === service)?.[1].documentUrl
    return [service, { title, ...(url !== undefined && { url }) }]
  })
  const report = assembleReport(evidence, {
    ...run,
    finishedAt: new Date(),
    interrupted,
    aborted: internalErrors.length > 0 || outOfMemory,
    target: describeTarget(target, run.embedded),
    documents: Object.fromEntries(documents),
    catalogues,
    wording: target.probe.wording,
    asOf: probed.asOf,
  })
  const ofCases = caseTexts(report, planned)
  const texts = new Set([...catalogues.flatMap(textsIn), ...textsIn(ofCases)])
  const named = exchangeNames(report.exchanges)
  const results = report.results.map((result) => withReasonText(result, named))
  const described = { ...report, results, caseTexts: ofCases }
  const redacted = redactReport(complete(described), redactor, texts)
  return { report: redacted, internalErrors, outOfMemory }
}
