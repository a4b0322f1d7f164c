import type { RunReport } from '../conformance/result.ts'

/** Fewer exchanges tell nothing: the first of them opens connections. */
const fewestSamples = 5

/** Both have to be reached: twice nothing is nothing, and a slow endpoint varies. */
const leastFactor = 2
const leastDifferenceMs = 100

/** How long an endpoint took, in milliseconds, as the median of its exchanges. */
export interface Timing {
  medianMs: number
  samples: number
}

/** An endpoint whose median became much larger or much smaller. */
export interface ChangedTiming {
  service: string
  /** Method and path template: `GET /api/v1/repos/{owner}/{repo}`. */
  endpoint: string
  before: Timing
  after: Timing
}

/** Endpoints that became slower or faster; never makes a deployment worse by itself. */
export interface TimingComparison {
  slower: ChangedTiming[]
  faster: ChangedTiming[]
  /** How many endpoints have enough exchanges in both reports. */
  compared: number
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  const value = sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
  return Math.round(value * 10) / 10
}

type Report = Pick<RunReport, 'exchanges'>

/**
 * Durations of the exchanges with documented endpoints, by service and endpoint. What got no response
 * took as long as its time limit, and is left out.
 */
function durations({ exchanges }: Report): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { service, endpoint, response, durationMs } of exchanges) {
    if (endpoint === undefined || response === null) continue
    const key = `${service} ${endpoint}`
    const values = found.get(key) ?? []
    values.push(durationMs)
    found.set(key, values)
  }
  return found
}

function muchMore(one: Timing, other: Timing): boolean {
  return (
    one.medianMs >= other.medianMs * leastFactor &&
    one.medianMs - other.medianMs >= leastDifferenceMs
  )
}

/**
 * Compares the median of each endpoint that has at least five answered exchanges in both reports.
 * It is slower when it takes at least twice as long and at least 100 ms longer, faster the other way
 * round; the largest difference comes first.
 */
export function compareTimings(before: Report, after: Report): TimingComparison {
  const later = durations(after)
  const compared = [...durations(before)].flatMap(([key, values]): ChangedTiming[] => {
    const now = later.get(key) ?? []
    if (Math.min(values.length, now.length) < fewestSamples) return []
    const [service = '', ...endpoint] = key.split(' ')
    return [
      {
        service,
        endpoint: endpoint.join(' '),
        before: { medianMs: median(values), samples: values.length },
        after: { medianMs: median(now), samples: now.length },
      },
    ]
  })
  const difference = ({ before: one, after: other }: ChangedTiming) =>
    Math.abs(one.medianMs - other.medianMs)
  const largestFirst = compared.toSorted((one, other) => difference(other) - difference(one))
  return {
    slower: largestFirst.filter((timing) => muchMore(timing.after, timing.before)),
    faster: largestFirst.filter((timing) => muchMore(timing.before, timing.after)),
    compared: compared.length,
  }
}
