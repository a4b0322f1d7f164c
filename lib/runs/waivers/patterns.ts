import { type Deviation, deviationText, type Waiver } from '../../results/run-report.ts'

type Normalize = (text: string) => string

/** Returns the pattern that matches only this deviation, in any run. */
export function toPattern(deviation: Deviation, normalize: Normalize): string {
  return normalize(deviationText(deviation)).replaceAll('*', String.raw`\*`)
}

/** Returns true if the text matches the pattern: `*` matches any text, `\*` an asterisk. */
function isMatch(pattern: string, text: string): boolean {
  const parts = pattern.split(/(?<!\\)\*/).map((part) => part.replaceAll(String.raw`\*`, '*'))
  const [start = '', ...others] = parts
  const end = others.pop()
  if (end === undefined) return text === start
  if (!text.startsWith(start)) return false
  let at = start.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - end.length >= at && text.endsWith(end)
}

/** Deviations of a requirement by whether a waiver covers them. */
export interface WaiverMatch {
  covered: Deviation[]
  others: Deviation[]
  unmatched: string[]
}

/** Splits deviations by whether a waiver covers them. Without `actual` it covers all. */
export function matchWaiver(
  { actual }: Pick<Waiver, 'actual'>,
  deviations: readonly Deviation[],
  normalize: Normalize,
): WaiverMatch {
  const patterns = (actual === undefined ? ['*'] : [actual].flat()).map((text) => {
    return { text, normal: normalize(text) }
  })
  const matches = deviations.map((deviation) => {
    const text = deviationText(deviation)
    const forms = [text.replace(/\s+/g, ' ').trim(), normalize(text)]
    const hasMatch = ({ normal }: (typeof patterns)[number]) =>
      forms.some((form) => isMatch(normal, form))
    return { deviation, hasMatch, isCovered: patterns.some(hasMatch) }
  })
  const having = (covered: boolean) =>
    matches.filter(({ isCovered }) => isCovered === covered).map(({ deviation }) => deviation)
  return {
    covered: having(true),
    others: having(false),
    unmatched: patterns
      .filter((pattern) => !matches.some(({ hasMatch }) => hasMatch(pattern)))
      .map(({ text }) => text),
  }
}
