import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type {
  RequirementResult,
  ReviewedWaiver,
  RunReport,
  Waiver,
} from '../../results/run-report.ts'
import { toCaseGlobs } from './case-globs.ts'

/** Returns the entry for a failure, with globs of its cases if others conform. */
export function waiverFor(
  { requirement, cases }: RequirementResult,
  texts: Omit<Waiver, 'requirement' | 'cases'>,
  report: RunReport,
): Waiver {
  const ids = (numbers: readonly number[] = []) =>
    numbers.flatMap((number) => report.cases[number] ?? [])
  const others = ids(cases?.conforming)
  const globs = others.length === 0 ? [] : toCaseGlobs(ids(cases?.deviating), others)
  return { requirement, ...(globs.length > 0 && { cases: globs }), ...texts }
}

/** Reasons for the removal of an entry, by its state in the run. */
const removable: Partial<Record<ReviewedWaiver['state'], string>> = {
  unused: 'it is no longer needed',
  unknown: 'no requirement has this id',
}

/** Returns the entries that a run did not need, with the reason. A run says nothing about an entry that was changed after it. */
export function unneededWaivers(
  reviewed: readonly ReviewedWaiver[],
  entries: readonly Waiver[],
): { requirement: string; reason: string }[] {
  return reviewed.flatMap(({ state, requirement, cases }) => {
    const reason = removable[state]
    const isSame = (one: Waiver) =>
      isDeepStrictEqual([one.requirement, one.cases], [requirement, cases])
    return reason !== undefined && entries.some(isSame) ? [{ requirement, reason }] : []
  })
}

/** Returns the comment with which editors find the schema; empty if its path has spaces, as no editor reads it. */
export function schemaComment(file: string): string {
  // Compiled files are in a folder of the package.
  const module = import.meta.url.replace(/\.build\/(?=lib\/runs\/)/, '')
  const schema = fileURLToPath(new URL('../../../suites/waivers.schema.json', module))
  const path = relative(dirname(file), schema)
  return /\s/.test(path) ? '' : `# yaml-language-server: $schema=${path}\n`
}
