import type { Observation, RunReport } from '../conformance/result.ts'
import { pruned, type ValueDifference, valueDifferences } from './values.ts'
import { withSettledNames } from './volatile-names.ts'

/** An observation that both reports have, with values that mean different things. */
export interface ChangedObservation {
  id: string
  /** As the reports have them, without what is nested very deep. */
  before: unknown
  after: unknown
  differences: ValueDifference[]
}

/** What two reports tell about what the documents leave open. Never makes a deployment worse. */
export interface ObservationComparison {
  changed: ChangedObservation[]
  /** Only in the later report. */
  appeared: Pick<Observation, 'id' | 'value'>[]
  /** Only in the earlier report. */
  disappeared: Pick<Observation, 'id' | 'value'>[]
  /** How many mean the same. */
  unchanged: number
}

const originWords = '(the origin of the base URL)'

/** Puts words in place of a deployment's own address, which no two deployments have in common. */
function ownAddressInWords(target: RunReport['target']): (text: string) => string {
  const words = new Map<string, string>()
  const origins = new Set<string>()
  for (const { baseUrl } of Object.values(target)) {
    if (!URL.canParse(baseUrl)) continue
    const { origin } = new URL(baseUrl)
    origins.add(origin)
    words.set(origin, originWords)
  }
  for (const { baseUrl } of Object.values(target)) {
    words.set(baseUrl.replace(/\/+$/, ''), '(the base URL)')
  }
  const longestFirst = [...words].sort(([one], [other]) => other.length - one.length)
  return (text) => {
    // A base URL without a path is its origin too, and one with a path is not.
    if (origins.has(text)) return originWords
    const found = longestFirst.find(
      ([url]) => text.startsWith(url) && /^([/?#]|$)/.test(text.slice(url.length)),
    )
    return found === undefined ? text : `${found[1]}${text.slice(found[0].length)}`
  }
}

function only(
  observations: readonly Observation[],
  others: ReadonlyMap<string, unknown>,
): Pick<Observation, 'id' | 'value'>[] {
  return observations
    .filter(({ id }) => !others.has(id))
    .map(({ id, value }) => ({ id, value: pruned(value) }))
}

/** Compares by id and by meaning, see `valueDifferences`. */
export function compareObservations(
  before: Pick<RunReport, 'target' | 'observations'>,
  after: Pick<RunReport, 'target' | 'observations'>,
): ObservationComparison {
  const [earlier, later] = [before, after].map(
    ({ observations }) => new Map(observations.map(({ id, value }) => [id, value])),
  ) as [Map<string, unknown>, Map<string, unknown>]
  const inWords = {
    before: ownAddressInWords(before.target),
    after: ownAddressInWords(after.target),
  }
  const common = before.observations.filter(({ id }) => later.has(id))
  const changed = common.flatMap(({ id, value }): ChangedObservation[] => {
    const now = later.get(id)
    const differences = valueDifferences(
      withSettledNames(pruned(value, inWords.before), inWords.before),
      withSettledNames(pruned(now, inWords.after), inWords.after),
    )
    if (differences.length === 0) return []
    return [{ id, before: pruned(value), after: pruned(now), differences }]
  })
  return {
    changed,
    appeared: only(after.observations, earlier),
    disappeared: only(before.observations, later),
    unchanged: common.length - changed.length,
  }
}
