import type { RequirementResult } from '../conformance/result.ts'

type Reasoned = Pick<RequirementResult, 'requirement' | 'reason' | 'unjudged'>

/** Results that have their verdict for the same reason. */
export interface ReasonGroup<Result extends Reasoned = RequirementResult> {
  reason: string
  results: Result[]
}

const idsInFull = 3

// A method and a URL, without the punctuation that ends it.
const request = /\b[A-Z]+ (https?:\/\/[^\s/?#]+?)(?:[/?#]\S*?)?(?=[.,:;)]*(?:\s|$))/g

function withoutPaths(reason: string): string {
  return reason.replace(request, 'a request to $1')
}

/**
 * Why each row that can never be tested cannot never changes: the catalogue tells it, and one line is
 * enough beside what does change.
 */
const untestable = 'cannot be tested ("plumbline requirements" tells why)'

function reasonOf({ reason, unjudged }: Reasoned): string {
  if (unjudged?.kind === 'untestable') return untestable
  return reason ?? 'no reason was recorded'
}

/**
 * Groups results by reason: the largest group first, else in order of appearance. Reasons that
 * differ only in which request to the same server they name count as one, so that a server that
 * cannot be reached is one reason and not one for each URL; all that can never be tested is one, too.
 */
export function groupByReason<Result extends Reasoned>(
  results: readonly Result[],
): ReasonGroup<Result>[] {
  const groups = new Map<string, ReasonGroup<Result>>()
  for (const result of results) {
    const reason = reasonOf(result)
    const common = withoutPaths(reason)
    const group = groups.get(common)
    if (group === undefined) {
      groups.set(common, { reason, results: [result] })
    } else {
      group.results.push(result)
      if (group.reason !== reason) group.reason = common
    }
  }
  return [...groups.values()].sort((one, other) => other.results.length - one.results.length)
}

/**
 * Requirement ids in brief: a few are named in full; of many, those that share their
 * `service/section` become one entry with their number, `service/section (13)`.
 */
export function abbreviatedIds(ids: readonly string[]): string {
  if (ids.length <= idsInFull) return ids.join(', ')
  const sections = new Map<string, string[]>()
  for (const id of ids) {
    const section = id.split('/').slice(0, 2).join('/')
    sections.set(section, [...(sections.get(section) ?? []), id])
  }
  return [...sections]
    .map(([section, members]) =>
      members.length === 1 ? members[0] : `${section} (${members.length})`,
    )
    .join(', ')
}
