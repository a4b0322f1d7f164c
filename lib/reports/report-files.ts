import { join } from 'node:path'
import { isDeviation } from '../results/outcome.ts'
import { exchangeOf } from '../results/reason.ts'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { removeFile, replaceFiles } from '../text/write-files.ts'
import { exchangesById } from './exchange-text.ts'
import type { ReportModel } from './facts.ts'
import { evidenceHar } from './har.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import { summaryMarkdown } from './markdown.ts'
import { creationsFor } from './rerun-commands.ts'
import { findSchemaErrors } from './schema-errors.ts'
import { isReport } from './validators.ts'
import { runVerdictStyles } from './verdict-labels.ts'

/** Formats the report with this indentation. @throws Error if it does not match its schema, an internal error of Plumbline */
export function reportJson(report: RunReport, indentation = 2): string {
  const text = JSON.stringify(report, null, indentation)
  const problems = findSchemaErrors(JSON.parse(text), isReport)
  if (problems.length === 0) return `${text}\n`
  const message = 'Internal error of Plumbline: the report does not match its schema:'
  throw new Error([message, ...problems].join('\n  '))
}

/** Returns a badge for the endpoint of shields.io (https://shields.io/badges/endpoint-badge). */
function badgeJson({ report, outcome }: ReportModel): string {
  const { displayVerdict, counts, coverage } = outcome
  const [count, verb] = counts.fail > 0 ? [counts.fail, 'failed'] : [coverage.judged, 'judged']
  // The badge of a job that lost its target must not look like a badge of the target.
  const isEmbedded = Object.values(report.target).some(({ embedded }) => embedded === true)
  const { label: verdict, color: own } = runVerdictStyles[displayVerdict]
  const message = `${isEmbedded ? 'reference server: ' : ''}${verdict}, ${count} of ${coverage.testable} ${verb}`
  const color = isEmbedded ? 'lightgrey' : own
  return `${JSON.stringify({ schemaVersion: 1, label: 'conformance', message, color }, null, 2)}\n`
}

/** @param evidence report with all exchanges */
type Format = (model: ReportModel, evidence?: RunReport) => string | undefined

/** Files of a run in the order of writing; the file that decides a CI build comes first. */
const formats: Record<string, Format> = {
  'junit.xml': junitXml,
  'report.json': ({ report }) => reportJson(report),
  'report.html': reportHtml,
  'evidence.har': ({ title }, evidence) => evidence && evidenceHar(evidence, title),
  'summary.md': summaryMarkdown,
  'badge.json': badgeJson,
}

export const reportFileNames = Object.keys(formats)

export function reportFiles(model: ReportModel, evidence?: RunReport) {
  return Object.entries(formats).flatMap(([name, format]) => {
    const content = format(model, evidence)
    return content === undefined ? [] : { name, content }
  })
}

/** Writes all files of a run or none, removes files of earlier runs, and returns the paths. @param evidence report with all exchanges */
export function writeReports(model: ReportModel, directory: string, evidence?: RunReport) {
  const files = reportFiles(model, evidence).map(({ name, content }) => {
    return { path: join(directory, name), content }
  })
  replaceFiles(files)
  const written = files.map(({ path }) => path)
  const all = reportFileNames.map((name) => join(directory, name))
  all.filter((path) => !written.includes(path)).forEach(removeFile)
  return written
}

/** Maximum number of exchanges of a result, besides the exchanges of its deviations and its reason. */
const MAX_EXCHANGES = 8

/** Returns the ids of the exchanges that show a failure or a missing verdict, or that a reason names. */
function referredBy(result: RequirementResult): readonly string[] {
  const { verdict, exchanges, deviations = [], noVerdict, cases } = result
  const reasons = [noVerdict ?? [], cases?.missing.map((one) => one.noVerdict) ?? []].flat()
  const named = reasons.flatMap((reason) => {
    const others = reason.kind === 'not observed' ? (reason.exchanges ?? []) : []
    return [exchangeOf(reason) ?? [], others].flat()
  })
  const deviating = deviations.flatMap(({ exchange = [] }) => exchange)
  const first = isDeviation(verdict) ? exchanges.slice(0, MAX_EXCHANGES) : []
  const last = verdict === 'inconclusive' ? exchanges.slice(-MAX_EXCHANGES) : []
  return [...named, ...deviating, ...first, ...last]
}

/** Returns a report with only the exchanges that a failure, a missing verdict or an observation refers to, and the exchanges that create what these use. */
export function withReferredExchanges(report: RunReport): RunReport {
  const { results, observations } = report
  const byId = exchangesById(report.exchanges)
  const ids = [...observations, ...results.map((one) => ({ exchanges: referredBy(one) }))]
  const named = new Set(ids.flatMap(({ exchanges }) => exchanges))
  const referred = [...named].flatMap((id) => byId.get(id) ?? [])
  const used = referred.flatMap((one) => creationsFor(one, report).map(({ exchange }) => exchange))
  const kept = new Set([...referred, ...used].map(({ id }) => id))
  const exchanges = report.exchanges.filter(({ id }) => kept.has(id))
  const withKept = (result: RequirementResult) => {
    return { ...result, exchanges: result.exchanges.filter((id) => kept.has(id)) }
  }
  return { ...report, results: results.map(withKept), exchanges }
}
