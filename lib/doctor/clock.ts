import type { Exchange } from '../probe/exchange.ts'

/** By how many seconds the clock of a server is ahead of ours: somewhere between the two. */
export interface ClockDifference {
  least: number
  most: number
}

/** More than this, and the one-time code of the current step is another one on the server. */
const TOLERATED_SECONDS = 30

/** `Date` tells a second and not which part of it. */
const DATE_SECONDS = 1

/** What one response tells: its `Date` was set between the request and the end of the response. */
function toldBy({ headers, record }: Exchange): ClockDifference | undefined {
  const date = Date.parse(headers.get('date') ?? '') / 1000
  const started = Date.parse(record.startedAt) / 1000
  // What a cache has kept is as old as it says.
  if (Number.isNaN(date) || headers.has('age')) return undefined
  return {
    least: date - (started + record.durationMs / 1000),
    most: date + DATE_SECONDS - started,
  }
}

/**
 * The difference that all responses agree on; each alone leaves room for its round trip. Where they
 * do not agree, a clock was set meanwhile or there are several servers: then the room is that of all.
 *
 * @returns `undefined` when no response has a `Date`
 */
export function clockDifference(exchanges: readonly Exchange[]): ClockDifference | undefined {
  const told = exchanges.map(toldBy).filter((difference) => difference !== undefined)
  if (told.length === 0) return undefined
  const least = told.map((difference) => difference.least)
  const most = told.map((difference) => difference.most)
  const agreed = { least: Math.max(...least), most: Math.min(...most) }
  if (agreed.least <= agreed.most) return agreed
  return { least: Math.min(...least), most: Math.max(...most) }
}

/** Whether the clocks differ by more than is tolerated, whatever the room. */
export function isClockOff({ least, most }: ClockDifference): boolean {
  return least > TOLERATED_SECONDS || most < -TOLERATED_SECONDS
}

/** The difference in words: `120 s ahead of`. */
export function clockWords({ least, most }: ClockDifference): string {
  const middle = Math.round((least + most) / 2)
  if (middle === 0 || (least <= 0 && most >= 0)) {
    return `within ${Math.ceil(Math.max(-least, most))} s of`
  }
  return middle > 0 ? `${middle} s ahead of` : `${-middle} s behind`
}
