import type { Form } from './secret-forms.ts'
import { levelsOf } from './unescape.ts'

export interface Searched extends Form {
  name: string
  /** True if it counts only as a whole word, not within a name or path. */
  alone: boolean
  /** True if it may be a word of Plumbline's messages. */
  word: boolean
}

/** An occurrence of an encoded secret in a text. Matches may overlap. */
export interface Found {
  start: number
  end: number
  searched: Searched
  /** True if the text contains only a prefix of the secret. */
  isBeginning: boolean
}

/** Minimum length of a secret: shorter ones occur in every text. */
export const MIN_SEARCHED_CHARS = 4

const GOES_ON_BEFORE = /[\p{L}\p{N}_/-]$|[\p{L}\p{N}]\.$/u
const GOES_ON_BEHIND = /^[\p{L}\p{N}_/-]|^\.[\p{L}\p{N}]/u

const BASE64_BEHIND = /^[\w+/-]?={0,2}/

/** A prefix of a pass phrase, which may also be ordinary text. */
const WORDS = /^[\p{L}\p{M}\s._/-]+$/u

/** Returns true if a match is the secret, not a part of a longer word or number. */
function isSecret({ searched, start, end, isBeginning }: Found, text: string): boolean {
  if (searched.isBase64) {
    // Base64 is case-sensitive.
    return text.startsWith(searched.text.slice(0, Math.min(searched.enough, end - start)), start)
  }
  if (searched.isEncoded) return true
  const [before, behind] = [text.slice(Math.max(0, start - 3), start), text.slice(end, end + 3)]
  const shown = isBeginning ? text.slice(start, end) : searched.text
  if ((isBeginning && WORDS.test(shown)) || searched.alone) {
    return !GOES_ON_BEFORE.test(before) && !GOES_ON_BEHIND.test(behind)
  }
  // A numeric secret counts only if no other digit is next to it.
  return !/^\d+$/.test(shown) || (!/\d$/.test(before) && !/^\d/.test(behind))
}

/** Returns a text in lower case, with a space for each `+`, as in URL-encoded forms. */
function comparable(text: string): string {
  // The only letter that becomes two in lower case.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('+', ' ')
}

const HASHES = 1 << 16

/** Updates the rolling hash of the last four UTF-16 code units. */
function nextHash(hash: number, unit: number): number {
  return ((hash << 4) ^ (unit & 0xff)) & (HASHES - 1)
}

/** A secret in comparable form, and its shortest prefix that is a match. */
interface Entry {
  searched: Searched
  compared: string
  beginning: string
}

/**
 * Returns the end of the longest prefix of a secret at `start`, or the end of a truncated text within it;
 * -1 if the prefix is too short.
 */
function endOf({ compared, beginning }: Entry, text: string, start: number, cut: boolean): number {
  if (text.length - start < beginning.length) {
    return cut && beginning.startsWith(text.slice(start)) ? text.length : -1
  }
  if (!text.startsWith(beginning, start)) return -1
  const most = Math.min(start + compared.length, text.length)
  let end = start + beginning.length
  while (end < most && text.charCodeAt(end) === compared.charCodeAt(end - start)) end += 1
  return end
}

/** UTF-16 code units that two matches of the same secret may share. */
const OVERLAP = 64

/** Searches each decoded layer of a text for all secrets, in time linear in its length. */
export class SecretSearch {
  /** Entries by the hash of their first four units. */
  readonly #entries = new Map<number, Entry[]>()
  /** 1 for the hash of an entry. Small, because it is read for every unit of a text. */
  readonly #hashes = new Uint8Array(HASHES)
  /** Length of the longest prefix that a match requires, in UTF-16 code units. */
  longest = 0

  add(searched: Searched): void {
    const { text, enough } = searched
    const [compared, beginning] = [comparable(text), comparable(text.slice(0, enough))]
    if (beginning.length < MIN_SEARCHED_CHARS) return
    let hash = 0
    for (let at = 0; at < MIN_SEARCHED_CHARS; at += 1)
      hash = nextHash(hash, compared.charCodeAt(at))
    this.#hashes[hash] = 1
    const others = this.#entries.get(hash) ?? []
    this.#entries.set(hash, others)
    others.push({ searched, compared, beginning })
    this.longest = Math.max(this.longest, enough)
  }

  /** @param isTruncated true if the text may end within a secret */
  find(text: string, cut = false): Found[] {
    return levelsOf(text).flatMap(({ text: level, starts }) => {
      const found = this.#findIn(level, cut)
      if (starts === undefined) return found
      return found.map(({ start, end, ...rest }) => {
        return { ...rest, start: starts[start] ?? start, end: starts[end] ?? end }
      })
    })
  }

  #findIn(text: string, cut: boolean): Found[] {
    const all: Found[] = []
    const whole = comparable(text)
    // Skips matches within a match: a periodic secret would match at each period.
    const reached = new Map<Searched, number>()
    let hash = 0
    for (let at = 0; at < whole.length; at += 1) {
      hash = nextHash(hash, whole.charCodeAt(at))
      if (this.#hashes[hash] === 0) continue
      const start = at - MIN_SEARCHED_CHARS + 1
      for (const entry of this.#entries.get(hash) ?? []) {
        const { searched, compared } = entry
        if (start < (reached.get(searched) ?? 0)) continue
        const end = endOf(entry, whole, start, cut)
        if (end < 0) continue
        reached.set(searched, end - OVERLAP)
        const isCut = cut && end === text.length
        const found = { start, end, searched, isBeginning: end - start < compared.length && !isCut }
        if (!isSecret(found, text)) continue
        all.push(found)
        if (!searched.isBase64) continue
        if (/[\w+/-]/.test(text.charAt(start - 1))) found.start -= 1
        found.end += BASE64_BEHIND.exec(text.slice(end, end + 3))?.[0].length ?? 0
      }
    }
    return all
  }
}
