import { commonPrefixLength, type EncodedSecret } from './secret-encodings.ts'
import { decodeLayers } from './unescape.ts'

export interface SearchedSecret extends EncodedSecret {
  name: string
  /** True if it counts only as a whole word, not within a name or path. */
  needsBoundary: boolean
  /** True if it may be a word of Plumbline's messages. */
  isWord: boolean
}

/** An occurrence of an encoded secret in a text. Matches may overlap. */
interface SecretMatch {
  start: number
  end: number
  secret: SearchedSecret
  /** True if the text contains only a prefix of the secret. */
  isPrefix: boolean
}

/** Minimum length of a secret: shorter ones occur in every text. */
export const MIN_SEARCHED_CHARS = 4

const CONTINUES_BEFORE = /[\p{L}\p{N}_/-]$|[\p{L}\p{N}]\.$/u
const CONTINUES_AFTER = /^[\p{L}\p{N}_/-]|^\.[\p{L}\p{N}]/u

const BASE64_AFTER = /^[\w+/-]?={0,2}/

/** A prefix of a pass phrase, which may also be ordinary text. */
const WORDS_ONLY = /^[\p{L}\p{M}\s._/-]+$/u

/** Returns true if a match is the secret, not a part of a longer word or number. */
function isSecret({ secret, start, end, isPrefix }: SecretMatch, text: string): boolean {
  if (secret.isBase64) {
    // Base64 is case-sensitive.
    return text.startsWith(
      secret.text.slice(0, Math.min(secret.minMatchLength, end - start)),
      start,
    )
  }
  if (secret.isEncoded) return true
  const [before, after] = [text.slice(Math.max(0, start - 3), start), text.slice(end, end + 3)]
  const matched = isPrefix ? text.slice(start, end) : secret.text
  if ((isPrefix && WORDS_ONLY.test(matched)) || secret.needsBoundary) {
    return !CONTINUES_BEFORE.test(before) && !CONTINUES_AFTER.test(after)
  }
  // A numeric secret counts only if no other digit is next to it.
  return !/^\d+$/.test(matched) || (!/\d$/.test(before) && !/^\d/.test(after))
}

/** Returns a text in lower case, with a space for each `+`, as in URL-encoded forms. */
function toComparable(text: string): string {
  // The only letter that becomes two in lower case.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('+', ' ')
}

const HASH_COUNT = 1 << 16

function nextHash(hash: number, unit: number): number {
  return ((hash << 4) ^ (unit & 0xff)) & (HASH_COUNT - 1)
}

/** Secrets whose comparable forms have the same beginning, as a node of a radix tree. */
interface Branch {
  /** Comparable text after the parent's, of at least one unit. */
  label: string
  /** Part of the label that a match needs. */
  needed: string
  /** Branches by the first unit of their label. */
  branches: Map<number, Branch>
  /** Secrets that end with the label. */
  ends: SearchedSecret[]
  /** Secrets at or below the branch whose shortest matching prefix is the shortest, one of each kind. */
  shortest: SearchedSecret[]
}

const createBranch = (label: string, depth: number, shortest: SearchedSecret[]): Branch =>
  withNeeded({ label, needed: '', branches: new Map(), ends: [], shortest }, depth)

/** Updates the needed part of a label. @param depth length of the text before the label */
function withNeeded(branch: Branch, depth: number): Branch {
  const { label, shortest } = branch
  const length = Math.min(...shortest.map(({ minMatchLength }) => minMatchLength))
  branch.needed = label.slice(0, Math.max(0, length - depth))
  return branch
}

const isSameKind = (one: SearchedSecret, other: SearchedSecret) =>
  one.isBase64 === other.isBase64 &&
  one.isEncoded === other.isEncoded &&
  one.needsBoundary === other.needsBoundary

function noteShortest(all: SearchedSecret[], secret: SearchedSecret): void {
  const index = all.findIndex((one) => isSameKind(one, secret))
  const { minMatchLength: length = Number.POSITIVE_INFINITY } = all[index] ?? {}
  if (secret.minMatchLength >= length) return
  all.splice(index < 0 ? all.length : index, 1, secret)
}

/** Adds a secret to a tree. @param compared its comparable form */
function addTo(root: Branch, secret: SearchedSecret, compared: string): void {
  let parent = root
  let depth = 0
  while (depth < compared.length) {
    const rest = compared.slice(depth)
    const unit = rest.charCodeAt(0)
    let branch = parent.branches.get(unit) ?? createBranch(rest, depth, [secret])
    const shared = commonPrefixLength(branch.label, rest)
    if (shared < branch.label.length) {
      const lower = branch
      branch = createBranch(lower.label.slice(0, shared), depth, [...lower.shortest])
      lower.label = lower.label.slice(shared)
      branch.branches.set(lower.label.charCodeAt(0), withNeeded(lower, depth + shared))
    }
    noteShortest(branch.shortest, secret)
    parent.branches.set(unit, withNeeded(branch, depth))
    parent = branch
    depth += shared
  }
  parent.ends.push(secret)
}

/** Returns how many units of a label are at a position; 0 for fewer than a match needs, unless a truncated text ends. */
function matchedLength({ label, needed }: Branch, text: string, at: number, isCut: boolean) {
  if (text.startsWith(label, at)) return label.length
  if (!text.startsWith(needed, at)) {
    const rest = text.length - at
    return isCut && rest < needed.length && needed.startsWith(text.slice(at)) ? rest : 0
  }
  let length = needed.length
  while (text.charCodeAt(at + length) === label.charCodeAt(length)) length += 1
  return length
}

/** UTF-16 code units that two matches of the same secret may share. */
const OVERLAP = 64

/** Returns the secret with exactly this text; if there is none, all of them, the first one last. */
function exactOf(secrets: readonly SearchedSecret[], text: string): readonly SearchedSecret[] {
  const exact = secrets.find((secret) => secret.text === text)
  return exact ? [exact] : secrets.toReversed()
}

/**
 * Searches each decoded layer of a text for all secrets. The time is linear in its length, also if many secrets begin
 * alike: at each position, only the longest match of a kind counts.
 */
export class SecretSearch {
  /** Trees by the hash of the first four units of their secrets. */
  readonly #trees = new Map<number, Branch>()
  /** 1 for the hash of a tree. Small, because it is read for every unit of a text. */
  readonly #hashes = new Uint8Array(HASH_COUNT)
  /** Length of the longest prefix that a match requires, in UTF-16 code units. */
  maxPrefixChars = 0

  add(secret: SearchedSecret): void {
    const { text, minMatchLength } = secret
    if (minMatchLength < MIN_SEARCHED_CHARS) return
    const compared = toComparable(text)
    let hash = 0
    for (let at = 0; at < MIN_SEARCHED_CHARS; at += 1)
      hash = nextHash(hash, compared.charCodeAt(at))
    this.#hashes[hash] = 1
    const tree = this.#trees.get(hash) ?? createBranch('', 0, [])
    this.#trees.set(hash, tree)
    addTo(tree, secret, compared)
    this.maxPrefixChars = Math.max(this.maxPrefixChars, minMatchLength)
  }

  find(text: string, isCut = false): SecretMatch[] {
    return decodeLayers(text).flatMap(({ text: level, starts }) => {
      const found = this.#findIn(level, isCut)
      for (const match of starts === undefined ? [] : found) {
        match.start = starts?.[match.start] ?? match.start
        match.end = starts?.[match.end] ?? match.end
      }
      return found
    })
  }

  #findIn(text: string, isCut: boolean): SecretMatch[] {
    const all: SecretMatch[] = []
    const whole = toComparable(text)
    // Skips matches within a match: a periodic secret would match at each period.
    const reached = new Map<Branch, number>()
    let hash = 0
    for (let at = 0; at < whole.length; at += 1) {
      hash = nextHash(hash, whole.charCodeAt(at))
      if (this.#hashes[hash] === 0) continue
      const start = at - MIN_SEARCHED_CHARS + 1
      const tree = this.#trees.get(hash)
      if (tree === undefined || start < 0) continue
      for (const found of longestMatches(tree, text, whole, start, isCut, reached)) {
        all.push(found)
        if (!found.secret.isBase64) continue
        const { end } = found
        if (/[\w+/-]/.test(text.charAt(start - 1))) found.start -= 1
        found.end += BASE64_AFTER.exec(text.slice(end, end + 3))?.[0].length ?? 0
      }
    }
    return all
  }
}

/** Returns the longest match of each kind at a position: a word or not, and whole or a prefix. */
function longestMatches(
  tree: Branch,
  text: string,
  whole: string,
  start: number,
  isCut: boolean,
  reached: Map<Branch, number>,
): Iterable<SecretMatch> {
  const longest = new Map<string, SecretMatch>()
  const note = (secret: SearchedSecret, end: number, isPrefix: boolean) => {
    const found = { start, end, secret, isPrefix }
    const { isWord, isBase64 } = secret
    if (isSecret(found, text)) longest.set(`${isPrefix} ${isWord} ${isBase64}`, found)
  }
  let end = start
  for (let parent = tree; ; ) {
    const branch = parent.branches.get(whole.charCodeAt(end))
    if (branch === undefined || start < (reached.get(branch) ?? 0)) break
    const length = matchedLength(branch, whole, end, isCut)
    end += length
    const isAtEnd = isCut && end === whole.length
    const matching = branch.shortest.filter(
      (one) => one.minMatchLength <= end - start || (isAtEnd && length > 0),
    )
    if (matching.length > 0) reached.set(branch, end - OVERLAP)
    for (const secret of matching) note(secret, end, !isAtEnd)
    if (length < branch.label.length) break
    for (const secret of exactOf(branch.ends, text.slice(start, end))) note(secret, end, false)
    parent = branch
  }
  return longest.values()
}
