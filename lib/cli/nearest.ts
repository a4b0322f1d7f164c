import leven from 'leven'
import { joinNames } from '../target/problems.ts'

const most = 3
/** Of the longer of two names: beyond it, nobody would take one for the other. */
const farthest = 1 / 3
/** How far a name is from one that has it as a whole word, such as `missing` and `link-missing`. */
const containing = 0.25
/** Names about as near as the nearest are worth telling of, too. */
const tie = 0.05

const separators = /[-/_.]/

/** What distinguishes two paths: what they begin with in common tells nothing. */
function remainders(one: string, other: string): [string, string] {
  const [first, second] = [one.split('/'), other.split('/')]
  const shared = first.findIndex((segment, index) => segment !== second[index])
  if (shared < 0) return [one, other]
  return [first.slice(shared).join('/'), second.slice(shared).join('/')]
}

function sorted(text: string): string {
  return [...text].sort().join('')
}

/** From 0, the same, to 1, nothing in common. */
function distanceBetween(one: string, other: string): number {
  const [first, second] = remainders(one, other)
  const longest = Math.max(first.length, second.length)
  if (longest === 0) return 0
  // Letters that changed places are one slip, and cost two edits.
  const edits = sorted(first) === sorted(second) ? 1 : leven(first, second)
  return edits === 1 ? 1 / (longest + 2) : edits / longest
}

/** A name may be that of the last parts alone: `walk` for `code-hosting/pagination/walk`. */
function tailOf(candidate: string, name: string): string {
  return candidate.split('/').slice(-name.split('/').length).join('/')
}

function hasAsWords(candidate: string, name: string): boolean {
  const words = (text: string) => `-${text.split(separators).join('-')}-`
  return name.length > 2 && words(candidate).includes(words(name))
}

function distanceOf(name: string, candidate: string): number {
  const distance = Math.min(
    distanceBetween(name, candidate),
    distanceBetween(name, tailOf(candidate, name)),
  )
  return hasAsWords(candidate, name) ? Math.min(distance, containing) : distance
}

/**
 * The candidates that a name, or a glob, most likely was to be, in any case: three at most, the
 * nearest first, and none where none is near.
 */
export function nearestNames(name: string, candidates: Iterable<string>): string[] {
  const given = name
    .toLowerCase()
    .replace(/[*?!()[\]{}]/g, '')
    .replace(/^[-/]+|[-/]+$/g, '')
  if (given === '') return []
  const near = [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: distanceOf(given, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= farthest)
    .toSorted((one, other) => one.distance - other.distance)
  const [first] = near
  return near
    .filter(({ distance }) => distance <= (first?.distance ?? 0) + tie)
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
