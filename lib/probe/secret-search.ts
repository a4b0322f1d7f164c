import type { Form } from './secret-forms.ts'
import { levelsOf } from './unescape.ts'

/** A form of a secret that is looked for. */
export interface Searched extends Form {
  name: string
  /** True if it counts only where no letter, digit, or part of a name or path stands next to it. */
  alone: boolean
  /** True if it may be a word of Plumbline's sentences. */
  word: boolean
}

/** A place in a text where a form stands. They may overlap. */
export interface Found {
  start: number
  end: number
  searched: Searched
  /** True if only the beginning of the form stands there. */
  isBeginning: boolean
}

/** A shorter text is in every other one, and never looked for. */
export const MIN_SEARCHED_CHARS = 4

const GOES_ON_BEFORE = /[\p{L}\p{N}_/-]$|[\p{L}\p{N}]\.$/u
const GOES_ON_BEHIND = /^[\p{L}\p{N}_/-]|^\.[\p{L}\p{N}]/u

/** A character of base64, and padding. */
const BASE64_BEHIND = /^[\w+/-]?={0,2}/

/** The beginning of a pass phrase, which ordinary text may begin with too. */
const WORDS = /^[\p{L}\p{M}\s._/-]+$/u

/** Returns true if what stands at a place is the secret, and not a part of something else. */
function isSecret({ searched, start, end, isBeginning }: Found, text: string): boolean {
  if (searched.isBase64) {
    // Base64 in another letter case shows other bytes.
    return text.startsWith(searched.text.slice(0, Math.min(searched.enough, end - start)), start)
  }
  if (searched.isEncoded) return true
  const [before, behind] = [text.slice(Math.max(0, start - 3), start), text.slice(end, end + 3)]
  const shown = isBeginning ? text.slice(start, end) : searched.text
  if ((isBeginning && WORDS.test(shown)) || searched.alone) {
    return !GOES_ON_BEFORE.test(before) && !GOES_ON_BEHIND.test(behind)
  }
  // Digits alone occur everywhere, so a numeric secret counts only where no other digit touches it.
  return !/^\d+$/.test(shown) || (!/\d$/.test(before) && !/^\d/.test(behind))
}

/** Returns a text with letters in lower case, and with `+`, which stands for a space in forms, as one. */
function comparable(text: string): string {
  // The one letter that becomes two in lower case.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('+', ' ')
}

const HASHES = 1 << 16

/** Returns the hash of the last four units: each shift moves an older one out. */
function nextHash(hash: number, unit: number): number {
  return ((hash << 4) ^ (unit & 0xff)) & (HASHES - 1)
}

/** A form as it is compared, and the part of it that shows enough of the secret. */
interface Entry {
  searched: Searched
  compared: string
  beginning: string
}

/**
 * Returns the end of the longest beginning of a form that stands at a place, or is cut off by the end of
 * the text; -1 if it does not show enough of the secret.
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

/** Units that a form may share with the same one that begins within it. */
const OVERLAP = 64

/** Looks for many forms at once, level by level: the time grows with the length of the text alone. */
export class SecretSearch {
  /** By the hash of their first units. */
  readonly #entries = new Map<number, Entry[]>()
  /** 1 for the hash of an entry: read at every unit of a text, it has to be small. */
  readonly #hashes = new Uint8Array(HASHES)
  /** Units of the longest text that has to be seen to be found. */
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

  /** @param cut true if the text is the beginning of another, and may end within a form */
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
    // One that repeats itself would be found, and compared, again at each of its periods.
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
