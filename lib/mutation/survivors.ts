import { type Mutant, oneLine } from './instrument.ts'

export interface SurvivorEntry {
  file: string
  /** Pieces of the file, with any white space; the entry is about the mutants within them. */
  code: string | readonly string[]
  /** Code of the mutants, if the entry is not about all of them. */
  replacement?: string | readonly string[]
  /** `equivalent`: no response differs. `not stated`: no document says which response is right. */
  reason: 'equivalent' | 'not stated'
  why: string
}

/** Mutated sources in one line, by file. */
type Sources = ReadonlyMap<string, string>

/** Returns true if a piece of code, which may occur several times, encloses the mutant. */
function encloses(piece: string, { file, start, end }: Mutant, sources: Sources): boolean {
  const source = sources.get(file) ?? ''
  const code = oneLine(piece)
  let at = source.indexOf(code)
  while (at !== -1 && !(at <= start && end <= at + code.length)) at = source.indexOf(code, at + 1)
  return at !== -1
}

/** Returns the survivors without an entry, and each piece and replacement of an entry without a survivor. */
export function compareSurvivors(
  entries: readonly SurvivorEntry[],
  survivors: readonly Mutant[],
  sources: Sources,
): { unlisted: Mutant[]; unused: string[] } {
  const listed = new Set<Mutant>()
  const unused = entries.flatMap(({ file, code, replacement }) => {
    const ofFile = survivors.filter((mutant) => mutant.file === file)
    const replacements = replacement === undefined ? undefined : new Set([replacement].flat())
    const unmatched = new Set(replacements)
    const pieces = [code].flat().filter((piece) => {
      const matching = ofFile.filter(
        (mutant) =>
          (replacements?.has(mutant.replacement) ?? true) && encloses(piece, mutant, sources),
      )
      for (const mutant of matching) {
        listed.add(mutant)
        unmatched.delete(mutant.replacement)
      }
      return matching.length === 0
    })
    return [...pieces, ...[...unmatched].map((text) => `→ ${text}`)].map(
      (part) => `${file}: ${part}`,
    )
  })
  return { unlisted: survivors.filter((mutant) => !listed.has(mutant)), unused }
}
