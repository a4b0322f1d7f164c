import type { Requirement } from '../conformance/requirement.ts'
import { idParts } from '../results/ids.ts'
import type { Reason } from '../results/reason.ts'
import type { RequirementResult, UncheckedPart } from '../results/run-report.ts'

/**
 * Returns true if a check, or a part of one, could have produced exchanges that the run lacks: false for
 * an untestable requirement, a check without a relevant response, and a check that does not apply to the
 * server, which has an unmet need without advice.
 */
function isEvidenceMissing(noVerdict: Reason | undefined): boolean {
  if (noVerdict?.kind === 'untestable' || noVerdict?.kind === 'not observed') return false
  if (noVerdict?.kind !== 'needs') return true
  return noVerdict.needs.every(({ advice }) => advice !== undefined)
}

/**
 * Returns the parts of a check that could have finished but did not. A check that passed or failed has
 * finished, except the unchecked parts of its pass.
 */
function unfinishedParts(result: RequirementResult): UncheckedPart[] {
  const { requirement: check, verdict, noVerdict, partial = [] } = result
  if (verdict === 'pass') {
    const missing = partial.filter((part) => isEvidenceMissing(part.noVerdict))
    return missing.map((part) => ({ ...part, check }))
  }
  const isMissing =
    verdict === 'inconclusive' || (verdict === 'skipped' && isEvidenceMissing(noVerdict))
  return isMissing ? [{ check, reason: '', ...(noVerdict && { noVerdict }) }] : []
}

/**
 * Adds the unfinished checks of the service to the pass of an invariant, which applies to all their
 * exchanges. Supplied requests do not count: they go to undocumented endpoints, which have no invariants.
 *
 * @param results results of all requirements, including those not selected
 */
export function withUncheckedParts(
  result: RequirementResult,
  requirements: readonly Requirement[],
  results: readonly RequirementResult[],
): RequirementResult {
  const judgedById = new Map(requirements.map(({ id, checkedBy: judged }) => [id, judged]))
  const { requirement: id, verdict } = result
  if (verdict !== 'pass' || !judgedById.get(id)?.includes('invariant')) return result
  const { service } = idParts(id)
  const checks = new Set(
    requirements.flatMap((one) => {
      return one.checkedBy.includes('probe') && one.id !== id && idParts(one.id).service === service
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
