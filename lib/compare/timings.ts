import type { RunReport } from '../conformance/result.ts'

/** Fewer exchanges tell nothing: the first of them opens connections. */
const fewestSamples = 5

/** Both have to be reached: twice nothing is nothing, and a slow endpoint varies. */
const leastFactor = 2
const leastDifferenceMs = 100

type Report = Pick<RunReport, 'exchanges'>

/** How long an endpoint took, as the median of its exchanges. */
function timing(durations: readonly number[]) {
  const sorted = durations.toSorted((one, other) => one - other)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  const median = middle.reduce((sum, duration) => sum + duration, 0) / middle.length
  return { medianMs: Math.round(median * 10) / 10, samples: sorted.length }
}

/**
 * Durations of the exchanges with documented endpoints, by service and endpoint. What got no response
 * took as long as its time limit, and is left out.
 */
function durationsIn({ exchanges }: Report): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { service, endpoint, response, durationMs } of exchanges) {
    if (endpoint === undefined || response === null) continue
    const key = `${service} ${endpoint}`
    const durations = found.get(key) ?? []
    durations.push(durationMs)
    found.set(key, durations)
  }
  return found
}

type Timing = ReturnType<typeof timing>

function isMuchMore(one: Timing, other: Timing): boolean {
  const difference = one.medianMs - other.medianMs
  return one.medianMs >= other.medianMs * leastFactor && difference >= leastDifferenceMs
}

/**
 * Compares the median of each endpoint that has at least five answered exchanges in both reports.
 * It is slower when it takes at least twice as long and at least 100 ms longer, faster the other way
 * round; the largest difference comes first.
 */
export function compareTimings(before: Report, after: Report) {
  const later = durationsIn(after)
  const compared = [...durationsIn(before)].flatMap(([key, values]) => {
    const now = later.get(key) ?? []
    if (Math.min(values.length, now.length) < fewestSamples) return []
    const [service = '', ...endpoint] = key.split(' ')
    return [{ service, endpoint: endpoint.join(' '), before: timing(values), after: timing(now) }]
  })
  const difference = (each: { before: Timing; after: Timing }) =>
    Math.abs(each.before.medianMs - each.after.medianMs)
  const largestFirst = compared.toSorted((one, other) => difference(other) - difference(one))
  return {
    slower: largestFirst.filter((each) => isMuchMore(each.after, each.before)),
    faster: largestFirst.filter((each) => isMuchMore(each.before, each.after)),
    compared: compared.length,
  }
}
