import type { Settings } from '../environment/environment.ts'
import { TRACE_ID } from '../environment/variable.ts'
import { shellWord } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange.ts'
import { idParts, sectionOf, toServiceName } from '../results/ids.ts'
import {
  caseIds,
  type Deviation,
  type LeakedResource,
  type RequirementResult,
  type RunReport,
} from '../results/run-report.ts'
import { placeOf } from '../results/targets.ts'
import { groupBy } from '../text/group-by.ts'
import { truncate } from '../text/printable.ts'
import { counted, durationText } from '../text/quantities.ts'

/** Program of a checkout; npm has a shorter form of its command "run". */
export const NPM_SCRIPT = 'npm run plumbline --'

/** Returns a command that can be pasted. @param program as in the report of a run; default: its name */
export function formatCommand(command: string, program = 'plumbline'): string {
  // Without the option, npm writes the names of the script before the data.
  const silent = / --format (?:json|markdown)\b/.test(command) ? ' --silent' : ''
  return `${program} ${command}`
    .replace(`${NPM_SCRIPT} run`, `npm start${silent} --`)
    .replace(NPM_SCRIPT, `npm run${silent} plumbline --`)
    .replace(/ --$/, '')
}

/** Returns a command of these words, quoted for a shell. @param run its program */
export const commandOf = (
  words: readonly string[],
  { program }: Pick<RunReport['run'], 'program'>,
) => formatCommand(words.map(shellWord).join(' '), program)

/** Joins requirement ids; more than three are grouped by section: `service/section (13)`. */
export function abbreviatedIds(ids: readonly string[]): string {
  if (ids.length <= 3) return ids.join(', ')
  const sections = groupBy(ids, sectionOf)
  return [...sections]
    .map(([section, [id, ...more]]) => (more.length === 0 ? id : `${section} (${more.length + 1})`))
    .join(', ')
}

export const runTimeMs = ({ run }: Pick<RunReport, 'run'>) =>
  Date.parse(run.finishedAt) - Date.parse(run.startedAt)

/** Returns the requests and the duration of a run: `200 requests (1 retry) in 12.3 s`. */
export function requestsText({ run }: Pick<RunReport, 'run'>): string {
  const repeated = run.retries === 0 ? '' : ` (${counted(run.retries, 'retry', 'retries')})`
  return `${counted(run.requests, 'request')}${repeated} in ${durationText(runTimeMs({ run }))}`
}

/** Returns the document and section of a requirement; `url` links to the operator's copy. */
export function placeInDocument(
  { requirement, section }: Pick<RequirementResult, 'requirement' | 'section'>,
  { documents }: Pick<RunReport, 'documents'>,
): { title: string | undefined; text: string; url: string | undefined } {
  const { title, url } = documents[idParts(requirement).service] ?? {}
  const text = title === undefined ? section : `${section} (${title})`
  // Markdown renderers name a heading like this.
  const words = section.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}_ -]/gu, '')
  return { title, text, url: url && `${url}#${encodeURIComponent(words.replaceAll(' ', '-'))}` }
}

/** Returns `code-hosting: https://git.example.com` for each service. */
export const targetTexts = (target: RunReport['target']): string[] =>
  Object.entries(target).map(([key, service]) => {
    const marker = service.embedded === true ? ' (reference server)' : ''
    return `${toServiceName(key)}: ${placeOf(service)}${marker}`
  })

/** Returns true if all targets were reference servers, which end with the run and leave no resources. */
export function hasEnded({ target }: Pick<RunReport, 'target'>): boolean {
  return Object.values(target).every((service) => service.embedded === true)
}

/** Returns the hosts that a run probed, without the reference server, whose port differs in each run. */
export function hostsOf({ target }: Pick<RunReport, 'target'>): string {
  const hosts = Object.values(target).map(({ baseUrl, embedded }) => {
    if (embedded === true) return 'reference server'
    return (URL.canParse(baseUrl) && new URL(baseUrl).host) || baseUrl
  })
  return [...new Set(hosts)].join(', ')
}

/** Returns sentences that qualify the verdict of a run: the effect of `--as-of`, and a reference server as the target. */
export function runNotes({ run, results, target }: RunReport): string[] {
  const { version = '', later = [] } = run.asOf ?? {}
  const failed = results.filter(
    ({ requirement, verdict }) => verdict === 'advisory' && later.includes(requirement),
  )
  const number = `${counted(later.length, 'requirement')} later than ${version}`
  const isEmbedded = Object.values(target).some(({ embedded }) => embedded === true)
  return [
    ...(later.length > 0 ? [`Of ${number}, ${failed.length} failed (advisory).`] : []),
    ...(isEmbedded ? ['This was the reference server, not your deployment.'] : []),
  ]
}

export const leakedResourceText = ({ kind, name, account, unconfirmed }: LeakedResource): string =>
  `${kind} ${name}, account ${account}${unconfirmed ? ' (may exist: no response confirmed it)' : ''}`

/** Returns the web address of the trace of an exchange; undefined without a trace id or `PROBE_TRACE_URL`. */
export function traceUrlOf({ traceId }: Pick<ExchangeRecord, 'traceId'>, settings: Settings) {
  const { PROBE_TRACE_URL: template } = settings
  if (traceId === undefined || typeof template !== 'string') return undefined
  const url = template.replaceAll(TRACE_ID, traceId)
  // A report may come from another machine: no other scheme becomes a link.
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).href : undefined
}

const MAX_LISTED = 2
const MAX_LISTED_CHARS = 90

const factorsOf = (id: string) => id.split(', ')

/** Returns the factors that all deviating cases have, but not all judged cases, in the order of the first case. */
function sharedFactors(deviating: readonly string[], judged: readonly string[]): string[] {
  const [first = [], ...others] = deviating.map(factorsOf)
  const common = others.reduce((shared, one) => shared.filter((part) => one.includes(part)), first)
  const all = judged.map(factorsOf)
  return common.filter((part) => !all.every((one) => one.includes(part)))
}

/** Returns `in 12 of 41 cases, all with Sudo: the main account`. */
function numberText(deviating: readonly string[], judged: readonly string[]): string {
  if (judged.length === 1) return 'in the only judged case'
  if (deviating.length === judged.length) return `in all ${judged.length} cases`
  const number = `in ${deviating.length} of ${judged.length} cases`
  const [first, ...others] = deviating.length < 2 ? [] : sharedFactors(deviating, judged)
  if (first === undefined) return number
  const preposition = /^(?:with|sent|after) /.test(first) ? '' : 'with '
  return `${number}, all ${preposition}${[first, ...others].join(', ')}`
}

/** Returns `user/none: no credentials, GET /user (in 12 of 41 cases; 1 not judged)`: the simplest case that deviates. */
export function caseText(
  first: Deviation,
  { requirement, cases }: RequirementResult,
  report: Pick<RunReport, 'cases' | 'caseTexts'>,
): string | undefined {
  const nameOf = (id: string) => report.caseTexts?.[id] ?? id
  const deviating = caseIds(report, cases?.deviating).map(nameOf)
  const judged = [...deviating, ...caseIds(report, cases?.conforming).map(nameOf)]
  const lost = (cases?.missing ?? []).flatMap((one) => one.cases).length
  const number = judged.length + lost < 2 ? [] : numberText(deviating, judged)
  const numbers = [number, lost === 0 ? [] : `${lost} not judged`].flat().join('; ')
  const [simplest] = caseIds(report, first.cases)
  const { section, name } = idParts(requirement)
  if (simplest === undefined || simplest === `${section}/${name}`) return numbers || undefined
  const text = nameOf(simplest) === simplest ? simplest : `${simplest}: ${nameOf(simplest)}`
  return numbers === '' ? text : `${text} (${numbers})`
}

/** Returns the first texts of a list, truncated, and the number of the others. */
export function firstTexts(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED
  const first = texts.slice(0, MAX_LISTED).map((text) => truncate(text, MAX_LISTED_CHARS))
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
