import leven from 'leven'
import { joinNames } from './problems.ts'

const most = 3
/** Of the longer of two names: beyond it, nobody would take one for the other. */
const farthest = 1 / 3
/** How far a name is from one that begins with it, or has it as a whole word: `missing`, `link-missing`. */
const containing = 0.25

const separators = /[-/_.]/

function contains(candidate: string, name: string): boolean {
  const words = (text: string) => `-${text.split(separators).join('-')}-`
  if (name.length > 2 && candidate.startsWith(name)) return true
  return name.length > 1 && words(candidate).includes(words(name))
}

/** From 0, the same, to 1, nothing in common; what both begin with up to a `/` tells nothing. */
function distanceOf(name: string, candidate: string): number {
  const [given, known] = [name.split('/'), candidate.split('/').slice(-name.split('/').length)]
  const shared = given.findIndex((part, index) => part !== known[index])
  const [one, other] = [given, known].map((parts) => parts.slice(Math.max(shared, 0)).join('/'))
  const distance = leven(one ?? '', other ?? '') / Math.max(one?.length ?? 0, other?.length ?? 0)
  return contains(candidate, name) ? Math.min(distance, containing) : distance
}

/**
 * The candidates that a name, or a glob, most likely was to be, in any case: three at most, the
 * nearest first, and none where none is near. A name may be that of the last parts of a path alone.
 */
export function nearestNames(name: string, candidates: Iterable<string>): string[] {
  const given = name.toLowerCase().replace(/[*?!()[\]{}]/g, '')
  if (given === '') return []
  const near = [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: distanceOf(given, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= farthest)
    .toSorted((one, other) => one.distance - other.distance)
  return near
    .filter(({ distance }) => distance === near[0]?.distance)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/** The candidate that a name most likely was to be, when one is near enough; in any case. */
export function nearestOf(name: string, candidates: Iterable<string>): string | undefined {
  return nearestNames(name, candidates)[0]
}

/** ` Did you mean A or B?`, with a space in front; empty where no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearestNames(name, candidates)
  return near.length === 0 ? '' : ` Did you mean ${joinNames(near, 'or')}?`
}
