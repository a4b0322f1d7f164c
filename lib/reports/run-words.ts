import type { RunReport } from '../conformance/result.ts'
import { printableSentence } from './printable.ts'

/** A camel-case service name as ids spell it: `twoWords` becomes `two-words`. */
export function serviceName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `1 request`, `2 requests`. */
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
  const duration = Date.parse(run.finishedAt) - Date.parse(run.startedAt)
  return [
    counted(exchanges.length, 'request', 'requests'),
    ...(retries === 0 ? [] : [` (${counted(retries, 'retry', 'retries')})`]),
    ` in ${durationText(duration)}`,
  ].join('')
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

/** The parts of a requirement id: `service/section/name`. */
export function idParts(id: string): { service: string; section: string; name: string } {
  const [service = '', section = '', ...rest] = id.split('/')
  return { service, section, name: rest.length === 0 ? id : rest.join('/') }
}
