import { printableSentence } from '../printable.ts'

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
