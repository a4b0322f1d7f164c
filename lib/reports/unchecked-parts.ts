import type { Requirement } from '../conformance/requirement.ts'
import { idParts } from '../results/ids.ts'
import type { Reason } from '../results/reason.ts'
import type { RequirementResult, UncheckedPart } from '../results/run-report.ts'

/**
 * Returns true if a check, or a part of one, could have brought exchanges that the run does not have.
 *
 * Not so: what nobody can test, a check whose requests were sent and whose responses left nothing to judge, and a
 * check that does not apply to this server. The last is known from its unmet needs: the operator cannot meet a
 * need without advice, such as that a token scheme is switched on.
 */
function isEvidenceMissing(unjudged: Reason | undefined): boolean {
  if (unjudged?.kind === 'untestable' || unjudged?.kind === 'not observed') return false
  if (unjudged?.kind !== 'needs') return true
  return unjudged.needs.every(({ advice }) => advice !== undefined)
}

/**
 * Returns the parts of a check that did not run to their end, although they could have. A check that passed or
 * failed ran to its end, except the parts that its pass left out.
 */
function unfinishedParts(result: RequirementResult): UncheckedPart[] {
  const { requirement: check, verdict, unjudged, partial = [] } = result
  if (verdict === 'pass') {
    const missing = partial.filter((part) => isEvidenceMissing(part.unjudged))
    return missing.map((part) => ({ ...part, check }))
  }
  const isMissing =
    verdict === 'inconclusive' || (verdict === 'skipped' && isEvidenceMissing(unjudged))
  return isMissing ? [{ check, reason: '', ...(unjudged && { unjudged }) }] : []
}

/**
 * Adds to the pass of an invariant the checks of its service that did not run to their end, since it is about
 * the exchanges of all of them. Requests that the operator supplies go to undocumented endpoints, which no
 * invariant is about.
 *
 * @param results of all requirements of the run, those too that were not selected
 */
export function withUncheckedParts(
  result: RequirementResult,
  requirements: readonly Requirement[],
  results: readonly RequirementResult[],
): RequirementResult {
  const judgedOf = new Map(requirements.map(({ id, judged }) => [id, judged]))
  const { requirement: id, verdict } = result
  if (verdict !== 'pass' || !judgedOf.get(id)?.includes('invariant')) return result
  const { service } = idParts(id)
  const checks = new Set(
    requirements.flatMap((one) => {
      return one.judged.includes('probe') && one.id !== id && idParts(one.id).service === service
        ? one.id
        : []
    }),
  )
  const parts = results
    .filter(({ requirement }) => checks.has(requirement))
    .flatMap(unfinishedParts)
  if (parts.length === 0) return result
  return { ...result, partial: [...(result.partial ?? []), ...parts] }
}
