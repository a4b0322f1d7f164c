import type { RequirementResult } from '../conformance/result.ts'

type Reasoned = Pick<RequirementResult, 'requirement' | 'reason' | 'unjudged'>

export interface ReasonGroup<Result extends Reasoned = RequirementResult> {
  reason: string
  results: Result[]
}

export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

const idsInFull = 3

// A method and a URL, without the punctuation that ends it.
const request = /\b[A-Z]+ (https?:\/\/[^\s/?#]+?)(?:[/?#]\S*?)?(?=[.,:;)]*(?:\s|$))/g

function withoutPaths(reason: string): string {
  return reason.replace(request, 'a request to $1')
}

/** Why each of these is so never changes: one line is enough beside what does change. */
const untestable = 'cannot be tested ("plumbline requirements" tells why)'

function reasonOf({ reason, unjudged }: Reasoned): string {
  if (unjudged?.kind === 'untestable') return untestable
  return reason ?? 'no reason was recorded'
}

/**
 * Groups results by reason, the largest group first. A server that cannot be reached is one reason
 * and not one for each URL; all that can never be tested is one, too.
 */
export function groupByReason<Result extends Reasoned>(
  results: readonly Result[],
): ReasonGroup<Result>[] {
  const common = ({ reason }: { reason: string }) => withoutPaths(reason)
  const reasoned = results.map((result) => ({ result, reason: reasonOf(result) }))
  return [...groupBy(reasoned, common)]
    .map(([shared, members]) => {
      const reasons = new Set(members.map(({ reason }) => reason))
      const [first = shared] = reasons
      const reason = reasons.size === 1 ? first : shared
      return { reason, results: members.map(({ result }) => result) }
    })
    .sort((one, other) => other.results.length - one.results.length)
}

/** Requirement ids: a few in full; of many, those of one section as `service/section (13)`. */
export function abbreviatedIds(ids: readonly string[]): string {
  if (ids.length <= idsInFull) return ids.join(', ')
  const sections = groupBy(ids, (id) => id.split('/').slice(0, 2).join('/'))
  return [...sections]
    .map(([section, members]) =>
      members.length === 1 ? members[0] : `${section} (${members.length})`,
    )
    .join(', ')
}
