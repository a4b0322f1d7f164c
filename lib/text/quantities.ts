export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Returns a duration for people: `840 ms`, `12.3 s`, `3 min 05 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

const timestamp = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/

/** Formats an ISO 8601 time in UTC as `2026-02-03 02:59:10 UTC`; other text is unchanged. */
export function utcTime(time: string): string {
  const [, date, clock] = timestamp.exec(time) ?? []
  return date === undefined ? time : `${date} ${clock} UTC`
}
