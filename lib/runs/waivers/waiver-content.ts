import { type Deviation, problemText, type WaivedDeviation } from '../../results/run-report.ts'
import { groupBy } from '../../text/group-by.ts'
import { matchesOf, type Normalize, type WaiverContent } from './match-waiver.ts'

const escapeAsterisks = (text: string) => text.replaceAll('*', String.raw`\*`)

/** Returns the pattern that matches only this deviation, in any run. */
export function toPattern(deviation: Deviation, normalize: Normalize): string {
  return escapeAsterisks(normalize(problemText(deviation)))
}

/** Returns the ids of the cases of deviations. */
function casesOf(deviations: readonly Deviation[], caseIds: readonly string[]): string[] {
  const numbers = new Set(deviations.flatMap(({ cases = [] }) => cases))
  return [...numbers].flatMap((number) => caseIds[number] ?? [])
}

/** Returns the content of a waiver that covers only these deviations in their cases, in any run. */
export function toWaivedDeviations(
  deviations: readonly Deviation[],
  normalize: Normalize,
  caseIds: readonly string[],
): WaivedDeviation[] {
  // A deviation without a text has no pattern.
  const same = groupBy(deviations, (deviation) => toPattern(deviation, normalize) || '*')
  return [...same].map(([actual, group]) => {
    return { actual, cases: casesOf(group, caseIds).map(escapeAsterisks) }
  })
}

/** Returns the patterns that have consecutive parts of a case id, and its first or last ones. */
function patternsIn(id: string): string[] {
  const parts = escapeAsterisks(id).split(', ')
  return parts.flatMap((_, start) =>
    parts.slice(start).map((_, length) => {
      const end = start + length + 1
      const text = parts.slice(start, end).join(', ')
      return `${start > 0 ? '*, ' : ''}${text}${end < parts.length ? ', *' : ''}`
    }),
  )
}

/** Returns few patterns that match these ids of cases, and none of the others. */
function toCasePatterns(ids: readonly string[], others: readonly string[]): string[] {
  let candidates = [...new Set(ids.flatMap(patternsIn))]
    .filter((pattern) => matchesOf(pattern, others).length === 0)
    .map((pattern) => ({ pattern, left: matchesOf(pattern, ids) }))
  const chosen: string[] = []
  while (candidates.length > 0) {
    // Of equal ones, the most specific.
    candidates.sort((a, b) => b.left.length - a.left.length || b.pattern.length - a.pattern.length)
    const [{ pattern, left: found } = { pattern: '', left: [] }] = candidates
    chosen.push(pattern)
    candidates = candidates
      .map((one) => ({ ...one, left: one.left.filter((id) => !found.includes(id)) }))
      .filter(({ left }) => left.length > 0)
  }
  return chosen.length > 0 ? chosen : ['*']
}

/**
 * Returns the short content of a waiver that covers these deviations, in any run: one pattern for equal
 * values of several requests, and if cases conform, patterns that match none of them.
 *
 * @param conforming indexes of the cases that conform
 */
export function toWaiverContent(
  deviations: readonly Deviation[],
  conforming: readonly number[],
  normalize: Normalize,
  caseIds: readonly string[],
): WaiverContent {
  const others = conforming.flatMap((number) => caseIds[number] ?? [])
  const patternOfValue = ({ subject: _, ...rest }: Deviation) => toPattern(rest, normalize)
  const groups = groupBy(deviations, (one) => `${one.subject === undefined} ${patternOfValue(one)}`)
  const actuals = [...groups.values()].map((group) => {
    const [text = '', ...further] = new Set(group.map((one) => toPattern(one, normalize)))
    return further.length === 0 ? text || '*' : `*: ${patternOfValue(group[0])}`
  })
  if (others.length === 0) return { actual: actuals.length === 1 ? actuals[0] : actuals }
  const cases = [...groups.values()].map((group) => toCasePatterns(casesOf(group, caseIds), others))
  return { deviations: actuals.map((actual, index) => ({ actual, cases: cases[index] ?? [] })) }
}
