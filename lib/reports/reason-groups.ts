import { groupBy } from '../environment/group-by.ts'
import type { RequirementResult } from '../results/result.ts'

type Reasoned = Pick<RequirementResult, 'requirement' | 'reason' | 'unjudged'>

export interface ReasonGroup<Result extends Reasoned = RequirementResult> {
  reason: string
  results: Result[]
}

const request = /\b[A-Z]+ (https?:\/\/[^\s/?#]\S*)/g
// One expression for both would look for the end at every sign of punctuation.
const origin = /^https?:\/\/[^/?#]*/
const punctuation = /(?<![.,:;)])[.,:;)]*$/

/** Puts origins in the place of requests, and keeps the punctuation that ends their URLs. */
function withoutRequests(reason: string): string {
  return reason.replace(request, (_, text: string) => {
    const url = text.replace(punctuation, '')
    return `a request to ${origin.exec(url)}${text.slice(url.length)}`
  })
}

/** Why each of the untestable is so never changes: one line is enough beside what does change. */
function reasonOf({ reason, unjudged }: Reasoned): string {
  if (unjudged?.kind === 'untestable') {
    return 'cannot be tested ("plumbline requirements" tells why)'
  }
  return reason ?? 'no reason was recorded'
}

/** The largest group first. A server that cannot be reached is one reason, not one for each URL. */
export function groupByReason<Result extends Reasoned>(
  results: readonly Result[],
): ReasonGroup<Result>[] {
  const groups = groupBy(results, (one) => withoutRequests(reasonOf(one)))
  return [...groups]
    .map(([shared, members]) => {
      const [first = shared, ...others] = new Set(members.map(reasonOf))
      return { reason: others.length === 0 ? first : shared, results: members }
    })
    .sort((one, other) => other.results.length - one.results.length)
}

/** Requirement ids: a few in full; of many, those of one section as `service/section (13)`. */
export function abbreviatedIds(ids: readonly string[]): string {
  if (ids.length <= 3) return ids.join(', ')
  const sections = groupBy(ids, (id) => id.split('/').slice(0, 2).join('/'))
  return [...sections]
    .map(([section, [id, ...more]]) => (more.length === 0 ? id : `${section} (${more.length + 1})`))
    .join(', ')
}
