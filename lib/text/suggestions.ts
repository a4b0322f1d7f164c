import leven from 'leven'
import { joinNames } from './names.ts'

/** Maximum edit distance of a suggestion, as a fraction of the longer name. */
const MAX_RELATIVE_DISTANCE = 0.4

/** Returns true if a candidate starts with the name or contains it as a word (`link-missing`). */
function contains(candidate: string, name: string): boolean {
  const delimit = (text: string) => `-${text.replaceAll(/[-/_.]/g, '-')}-`
  if (name.length > 2 && candidate.startsWith(name)) return true
  return name.length > 1 && delimit(candidate).includes(delimit(name))
}

/** Returns the distance of the most different path segments, from 0 (equal) to 1. */
function relativeDistance(name: string, candidate: string): number {
  const segments = name.split('/')
  const candidateSegments = candidate.split('/').slice(-segments.length)
  const distances = segments.map((part, index) => {
    const other = candidateSegments[index] ?? ''
    return leven(part, other) / Math.max(part.length, other.length, 1)
  })
  return Math.min(Math.max(...distances), contains(candidate, name) ? 0.25 : 1)
}

/** Returns the nearest candidates to a name or glob, at most three. A name may be the end of a path. */
export function nearestNames(name: string, candidates: Iterable<string>): string[] {
  const text = name.toLowerCase().replace(/[*?!()[\]{}]/g, '')
  if (text === '') return []
  const near = [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: relativeDistance(text, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= MAX_RELATIVE_DISTANCE)
  const minDistance = Math.min(...near.map(({ distance }) => distance))
  const nearest = near.filter(({ distance }) => distance === minDistance)
  return nearest.slice(0, 3).map(({ candidate }) => candidate)
}

/** Returns ` Did you mean A or B?` with a leading space; empty if no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearestNames(name, candidates)
  return near.length === 0 ? '' : ` Did you mean ${joinNames(near, 'or')}?`
}
