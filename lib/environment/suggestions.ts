import leven from 'leven'
import { joinNames } from './errors.ts'

/** Of the longer of two names: beyond it, nobody would take one for the other. */
const farthest = 1 / 3

/** Whether it begins with the name, or has it as a whole word, as `link-missing` has `missing`. */
function contains(candidate: string, name: string): boolean {
  const words = (text: string) => `-${text.replaceAll(/[-/_.]/g, '-')}-`
  if (name.length > 2 && candidate.startsWith(name)) return true
  return name.length > 1 && words(candidate).includes(words(name))
}

/** From 0, the same, to 1, nothing in common: that of the parts of a path which differ most. */
function distanceOf(name: string, candidate: string): number {
  const given = name.split('/')
  const known = candidate.split('/').slice(-given.length)
  const distances = given.map((part, index) => {
    const other = known[index] ?? ''
    return leven(part, other) / Math.max(part.length, other.length, 1)
  })
  return Math.min(Math.max(...distances), contains(candidate, name) ? 0.25 : 1)
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
  const least = Math.min(...near.map(({ distance }) => distance))
  const nearest = near.filter(({ distance }) => distance === least)
  return nearest.slice(0, 3).map(({ candidate }) => candidate)
}

/** ` Did you mean A or B?`, with a space in front; empty where no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearestNames(name, candidates)
  return near.length === 0 ? '' : ` Did you mean ${joinNames(near, 'or')}?`
}
