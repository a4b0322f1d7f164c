import { idParts } from '../results/ids.ts'
import type {
  BaselineReview,
  LeakedResource,
  ObservationState,
  RequirementResult,
  RunReport,
  Waiver,
} from '../results/run-report.ts'
import { printableSentence } from './printable.ts'

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Milliseconds for a reader: `840 ms`, `12.3 s`, `3 min 05 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

/** How much a run did and how long it took: `200 requests (1 retry) in 12.3 s`. */
export function requestsText({ run, exchanges }: RunReport): string {
  const retries = exchanges.filter(({ attempt }) => attempt > 1).length
  const repeated = retries === 0 ? '' : ` (${counted(retries, 'retry', 'retries')})`
  const duration = durationText(Date.parse(run.finishedAt) - Date.parse(run.startedAt))
  return `${counted(exchanges.length, 'request', 'requests')}${repeated} in ${duration}`
}

/** The anchor of a heading, as servers that render Markdown make it. */
const headingAnchor = (heading: string) =>
  encodeURIComponent(
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Where the statement of a requirement stands: `url` leads there, in the operator's copy. */
export function placeInDocument(
  { requirement, section }: Pick<RequirementResult, 'requirement' | 'section'>,
  { documents = {} }: Pick<RunReport, 'documents'>,
): { title: string | undefined; text: string; url: string | undefined } {
  const { title, url } = documents[idParts(requirement).service] ?? {}
  return {
    title,
    text: title === undefined ? section : `${section} (${title})`,
    url: url && `${url}#${headingAnchor(section)}`,
  }
}

/** What the level of a requirement says of its failure. */
export const levels = {
  contract: 'what clients rely on',
  wording:
    'the exact text of a message, which may change between releases; PROBE_WORDING=advisory reports it and fails no run',
}

/** Whether what was probed ended with the run: nothing can be repeated there, and nothing is left. */
export function hasEnded({ target }: Pick<RunReport, 'target'>): boolean {
  return Object.values(target).every((service) => service.embedded === true)
}

/** For whoever meant to probe a deployment of theirs, and did not; empty when one was probed. */
export function embeddedNote({ target }: Pick<RunReport, 'target'>): string {
  const embedded = Object.values(target).some((service) => service.embedded === true)
  return embedded ? 'this was the embedded reference deployment, none of yours' : ''
}

const timestamp = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d+)?Z$/

/** `2026-02-03 02:59:10 UTC` for an ISO 8601 time in UTC; anything else as it is. */
export function utcTime(time: string): string {
  const [, date, clock] = timestamp.exec(time) ?? []
  return date === undefined ? printableSentence(time) : `${date} ${clock} UTC`
}

/** `02:59:10.120 UTC` for an ISO 8601 time in UTC; anything else as it is. */
export function timeOfDay(time: string): string {
  const [, date, clock, fraction = ''] = timestamp.exec(time) ?? []
  return date === undefined ? printableSentence(time) : `${clock}${fraction} UTC`
}

export function waiverText({ owner, expires, reason, link }: Omit<Waiver, 'requirement'>): string {
  return `${owner}, until ${expires}: ${reason}${link === undefined ? '' : ` (${link})`}`
}

/** Returns what waivers without `actual` mean, and how to narrow them; undefined if there are none. */
export function wideWaiversText(count: number): string | undefined {
  if (count === 0) return undefined
  const subject =
    count === 1
      ? '1 waiver has no "actual" and covers any deviation of its requirement'
      : `${count} waivers have no "actual" and cover any deviation of their requirements`
  return `${subject}. To accept only what was seen, delete such entries, run again, and add them with "plumbline waive".`
}

const dayMs = 86_400_000

/** For how many days after that of a run a waiver holds, where somebody has to see to it before long. */
export function lastDays(expires: string, startedAt: string): number | undefined {
  const days = Math.round((Date.parse(expires) - Date.parse(startedAt.slice(0, 10))) / dayMs)
  return days > 14 ? undefined : days
}

/** `2 observations changed, 1 is new, 3 were not observed; 32 are unchanged`. */
export function baselineCountsText({ observations }: BaselineReview): string {
  const count = (wanted: ObservationState) =>
    observations.filter(({ state }) => state === wanted).length
  const [added, missing] = [count('new'), count('missing')]
  if (missing > 0 && missing === observations.length) {
    return `nothing was compared, since ${counted(missing, 'observation was', 'observations were')} not made`
  }
  return [
    `${counted(count('changed'), 'observation', 'observations')} changed`,
    ...(added === 0 ? [] : [counted(added, 'is new', 'are new')]),
    ...(missing === 0 ? [] : [`${counted(missing, 'was', 'were')} not observed`]),
    `${counted(count('unchanged'), 'is', 'are')} unchanged`,
  ].join(', ')
}

/** ` (may exist)` behind what nobody knows to have been made. */
export function stateText({ mayExist }: { mayExist?: boolean | undefined }): string {
  return mayExist ? ' (may exist)' : ''
}

export function leftBehindText(left: LeakedResource): string {
  return `${left.kind} ${left.name}, account ${left.account}${stateText(left)}`
}

/** What to do about what was left behind. @param code sets a command or a variable as code */
export function sweepAdvice(
  leftBehind: readonly LeakedResource[],
  code: (text: string) => string,
): string {
  const variables = [...new Set(leftBehind.flatMap(({ deletedBy }) => deletedBy ?? []))]
  const where = variables.length === 0 ? '' : `, where ${variables.map(code).join(', ')} says how`
  const meaning = leftBehind.some(({ mayExist }) => mayExist)
    ? 'What may exist was asked for, and no answer of the service said whether it was made. '
    : ''
  return `${meaning}${code('plumbline sweep')} takes these away by the ledger in the reports directory${where}. Otherwise delete them by hand.`
}
