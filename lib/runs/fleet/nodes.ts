import type { RequirementResult, RunReport } from '../../results/run-report.ts'
import { deviationTexts } from '../../results/snapshot.ts'
import { isDeviation } from '../../results/verdict.ts'
import { groupBy } from '../../text/group-by.ts'

/** Nodes of a deployment that behave alike on a requirement, and unlike the others. */
interface NodeDifference extends Pick<RequirementResult, 'requirement' | 'verdict'> {
  nodes: string[]
  /** First deviation, or the reason without one. */
  text: string
}

/**
 * Returns what some nodes of a deployment do, and others do not: deviations first, sorted by their number of nodes.
 * A node without any verdict, for example because it is down, differs in everything, and is left out.
 */
export function nodeDifferences(
  all: readonly { node: string; report: RunReport }[],
): NodeDifference[] {
  const judged = all.filter(({ report }) => report.coverage.judged > 0)
  const behaviors = judged.flatMap(({ node, report }) =>
    report.results.map((result) => {
      const { requirement, verdict, reason = '' } = result
      const texts = [...(isDeviation(verdict) ? deviationTexts(result, report) : [])]
      const key = JSON.stringify([verdict, ...texts.map(([normal]) => normal).sort()])
      return { node, requirement, verdict, text: texts[0]?.[1] ?? reason, key }
    }),
  )
  const differences = [...groupBy(behaviors, ({ requirement }) => requirement).values()]
    .map((ofOne) => [...groupBy(ofOne, ({ key }) => key).values()])
    .flatMap((groups) => (groups.length === 1 ? [] : groups))
    .filter(([{ verdict }]) => verdict !== 'pass')
    .map((group) => {
      const [{ requirement, verdict, text }] = group
      return { requirement, verdict, text, nodes: group.map(({ node }) => node) }
    })
  const rank = ({ verdict, nodes }: NodeDifference) => (isDeviation(verdict) ? nodes.length : 0)
  return differences.sort((one, other) => rank(other) - rank(one))
}
