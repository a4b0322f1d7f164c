import {
  type Deviation,
  deviationText,
  problemText,
  type Waiver,
} from '../../results/run-report.ts'

export type Normalize = (text: string) => string

/** Returns a function that tests texts against a pattern: `*` matches any text, `\*` an asterisk. */
function matcherOf(pattern: string): (text: string) => boolean {
  const parts = pattern.split(/(?<!\\)\*/).map((part) => part.replaceAll(String.raw`\*`, '*'))
  const [start = '', ...others] = parts
  const end = others.pop()
  if (end === undefined) return (text) => text === start
  return (text) => {
    if (!text.startsWith(start)) return false
    let at = start.length
    for (const part of others) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return text.length - end.length >= at && text.endsWith(end)
  }
}

/** Returns the texts that match a pattern. */
export const matchesOf = (pattern: string, texts: readonly string[]): string[] =>
  texts.filter(matcherOf(pattern))

/** A pattern of a waiver. */
interface WaivedPattern {
  text: string
  /** Ids of the cases that it names; undefined for any case. */
  cases?: ReadonlySet<string>
}

/** @param caseIds ids of the cases of the report */
function patternsOf(
  { actual = '*', deviations }: WaiverContent,
  caseIds: readonly string[],
): WaivedPattern[] {
  if (deviations === undefined) return [actual].flat().map((text) => ({ text }))
  const named = deviations.map(({ cases }) => cases.map((one) => matchesOf(one, caseIds)))
  // Another version has other cases, whose names then say nothing.
  const isOfTable = named.flat().every(({ length }) => length > 0)
  return deviations.map(({ actual }, index) => {
    return { text: actual, ...(isOfTable && { cases: new Set(named[index]?.flat()) }) }
  })
}

export type WaiverContent = Pick<Waiver, 'actual' | 'deviations'>

/** Deviations of a requirement by whether a waiver covers them. */
export interface WaiverMatch {
  covered: Deviation[]
  others: Deviation[]
  unmatched: string[]
}

/**
 * Splits deviations by whether a waiver covers them. A deviation that is covered in some of its cases is in both
 * lists, each with its cases.
 *
 * @param caseIds ids of the cases of the report
 */
export function matchWaiver(
  waiver: WaiverContent,
  deviations: readonly Deviation[],
  normalize: Normalize,
  caseIds: readonly string[] = [],
): WaiverMatch {
  const patterns = patternsOf(waiver, caseIds).map((one) => ({
    ...one,
    isMatch: matcherOf(normalize(one.text)),
  }))
  const matches = deviations.map((deviation) => {
    const texts = [deviationText(deviation), problemText(deviation)]
    const forms = texts.flatMap((text) => [text.replace(/\s+/g, ' ').trim(), normalize(text)])
    const matching = patterns.filter(({ isMatch }) => forms.some(isMatch))
    const isNamed = (number: number) =>
      matching.some(({ cases }) => cases?.has(caseIds[number] ?? '') ?? true)
    const isWide = matching.some(({ cases }) => cases === undefined)
    const { cases } = deviation
    if (cases === undefined || isWide) {
      const [covered, others] = isWide ? [[deviation], []] : [[], [deviation]]
      return { covered, others, matching }
    }
    const having = (named: boolean) => {
      const some = cases.filter((number) => isNamed(number) === named)
      return some.length === 0 ? [] : [{ ...deviation, cases: some }]
    }
    return { covered: having(true), others: having(false), matching }
  })
  return {
    covered: matches.flatMap(({ covered }) => covered),
    others: matches.flatMap(({ others }) => others),
    unmatched: patterns
      .filter((pattern) => !matches.some(({ matching }) => matching.includes(pattern)))
      .map(({ text }) => text),
  }
}
