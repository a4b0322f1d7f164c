import { type Form, levelsOf } from './secret-forms.ts'

export interface Searched extends Form {
  name: string
  /** Of the secret itself, in UTF-16 code units. */
  length: number
  /** It counts only where no letter, digit, or part of a name or path stands next to it. */
  alone?: boolean
  /** It may be a word of our own sentences. */
  word?: boolean
}

/** A place in a text where a form stands. They may overlap. */
export type Found = {
  start: number
  end: number
  searched: Searched
  /** True if only the beginning of the form stands there. */
  isBeginning: boolean
}

/** A shorter text is in every other one, and never looked for. */
export const SHORTEST_SEARCHED = 4

const GOES_ON_BEFORE = /[\p{L}\p{N}_/-]$|[\p{L}\p{N}]\.$/u
const GOES_ON_BEHIND = /^[\p{L}\p{N}_/-]|^\.[\p{L}\p{N}]/u

/** The beginning of a pass phrase, which ordinary text may begin with too. */
const WORDS = /^[\p{L}\p{M}\s._/-]+$/u

/** Whether what stands at a place is the secret, and not a part of something else. */
function counts({ searched, start, end, isBeginning }: Found, text: string) {
  const { among, base64, alone } = searched
  const [before, behind] = [text.slice(Math.max(0, start - 3), start), text.slice(end, end + 3)]
  const shown = isBeginning ? text.slice(start, end) : searched.text
  const isOrdinary = isBeginning && !base64 && WORDS.test(shown)
  if (isOrdinary || (alone && among === 'characters')) {
    return !GOES_ON_BEFORE.test(before) && !GOES_ON_BEHIND.test(behind)
  }
  // Digits alone occur everywhere, so a numeric secret counts only where no other digit touches it.
  const isNumber = among === 'characters' && /^\d+$/.test(shown)
  return !isNumber || (!/\d$/.test(before) && !/^\d/.test(behind))
}

/** Letters in lower case and `+`, which stands for a space in forms, as one. */
function comparable(text: string): string {
  // The one letter that becomes two in lower case.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('+', ' ')
}

const isLetterOrDigit = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)

/** What base64 in either alphabet has in common, and bytes in digits. Every text goes through it. */
function lettersAndDigitsOf(text: string): string {
  const units = Buffer.allocUnsafe(text.length)
  let size = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (isLetterOrDigit(unit)) units[size++] = unit
  }
  return units.toString('latin1', 0, size).toLowerCase()
}

/** Where the letters and digits of a text stand in it: asked only where something is found. */
function placesIn(text: string): Uint32Array {
  const places = new Uint32Array(text.length)
  let size = 0
  for (let at = 0; at < text.length; at += 1) {
    if (isLetterOrDigit(text.charCodeAt(at))) places[size++] = at
  }
  return places
}

const BEGINNINGS = 1 << 16

/** Of the last four units, and of no others: each shift moves an older one out. */
function nextBeginning(beginning: number, unit: number): number {
  return ((beginning << 4) ^ (unit & 0xff)) & (BEGINNINGS - 1)
}

/** A form as it is compared, and the part of it that shows enough of the secret. */
interface Entry {
  searched: Searched
  compared: string
  beginning: string
}

/**
 * Returns where the longest beginning of a form ends that stands at a place, or is cut off by the end of
 * the text; -1 if it does not show enough of the secret.
 */
function endOf({ compared, beginning }: Entry, text: string, start: number, cut: boolean): number {
  if (text.length - start < beginning.length) {
    return cut && beginning.startsWith(text.slice(start)) ? text.length : -1
  }
  if (!text.startsWith(beginning, start)) return -1
  if (text.startsWith(compared, start)) return start + compared.length
  const most = Math.min(start + compared.length, text.length)
  let end = start + beginning.length
  while (end < most && text.charCodeAt(end) === compared.charCodeAt(end - start)) end += 1
  return end
}

/** Characters of base64 that are no letters or digits, one that is partly of other bytes, padding. */
const BASE64_BEFORE = /[\w+/-]?[+/_-]*$/
const BASE64_BEHIND = /^[+/_-]*[\w+/-]?={0,2}/
const MOST_AROUND = 8

/** Whether base64 has the signs of a form too, in either alphabet, whatever separates its lines. */
function holdsBase64(found: string, form: string): boolean {
  const plain = found.replaceAll('-', '+').replaceAll('_', '/')
  return plain.replace(/[^A-Za-z0-9+/]+/g, '').includes(form)
}

/** Returns where letters and digits end that have between them what is between those before `enough`. */
function endOfKnown(text: string, start: number, enough: number, end: number): number {
  const known = new Set(`${text.slice(start, enough)}+/-_\r\n`)
  let last = enough
  for (let at = enough; at < end; at += 1) {
    if (isLetterOrDigit(text.charCodeAt(at))) last = at + 1
    else if (!known.has(text.charAt(at))) break
  }
  return last
}

/** Units of a text that takes its time to be compared. */
const LONG = 256
/** Units that a long form may share with another one that begins within it. */
const OVERLAP = 64

/** What is looked for, by the first units of what is compared. */
class Index extends Map<number, Entry[]> {
  /** Whether there is anything: asked at every unit of a text, it has to be small. */
  readonly known = new Uint8Array(BEGINNINGS)
}

/** Looks for many forms at once, level by level: the time grows with the length of the text alone. */
export class FormSearch {
  readonly #indexes = { characters: new Index(), lettersAndDigits: new Index() }
  /** Units of the longest text that has to be seen to be found. */
  longest = 0

  add(searched: Searched): void {
    const { text, among, enough = text.length } = searched
    const shape = among === 'characters' ? comparable : lettersAndDigitsOf
    const [compared, beginning] = [shape(text), shape(text.slice(0, enough))]
    if (beginning.length < SHORTEST_SEARCHED) return
    let first = 0
    for (let at = 0; at < SHORTEST_SEARCHED; at += 1) {
      first = nextBeginning(first, compared.charCodeAt(at))
    }
    const index = this.#indexes[among]
    index.known[first] = 1
    index.set(first, [...(index.get(first) ?? []), { searched, compared, beginning }])
    this.longest = Math.max(this.longest, enough)
  }

  /** @param cut whether the text is the beginning of another: then it may end within a form */
  find(text: string, cut = false): Found[] {
    return levelsOf(text).flatMap(({ text: level, starts }) => {
      const found = [
        ...this.#findAmong('characters', comparable(level), level, cut),
        ...this.#findAmong('lettersAndDigits', lettersAndDigitsOf(level), level, cut),
      ]
      const placeOf = (at: number) => starts?.[at] ?? at
      return found.map(({ searched, start, end, isBeginning }) => {
        return { searched, start: placeOf(start), end: placeOf(end), isBeginning }
      })
    })
  }

  /** @param whole what of the text is compared */
  #findAmong(among: Form['among'], whole: string, text: string, cut: boolean) {
    const found: Found[] = []
    const index = this.#indexes[among]
    let places: Uint32Array | undefined
    const reached = new Map<Searched, number>()
    let first = 0
    for (let at = 0; at < whole.length; at += 1) {
      first = nextBeginning(first, whole.charCodeAt(at))
      if (index.known[first] === 0) continue
      const from = at - SHORTEST_SEARCHED + 1
      for (const entry of index.get(first) ?? []) {
        const { searched, compared, beginning } = entry
        // One that repeats itself would be found, and compared, again at each of its periods.
        if (from < (reached.get(searched) ?? 0)) continue
        const to = endOf(entry, whole, from, cut)
        if (to < 0) continue
        if (compared.length > LONG) reached.set(searched, to - OVERLAP)
        if (among === 'lettersAndDigits') places ??= placesIn(text)
        let start = places?.[from] ?? from
        let end = (places?.[to - 1] ?? to - 1) + 1
        const isCut = cut && end === text.length
        let isBeginning = to - from < compared.length && !isCut
        if (searched.base64 && !isCut) {
          const around = text.slice(Math.max(0, start - MOST_AROUND), end + MOST_AROUND)
          if (!holdsBase64(around, searched.text.slice(0, searched.enough))) continue
          isBeginning ||= !holdsBase64(around, searched.text)
        }
        if (isBeginning && places !== undefined) {
          const enough = (places[from + beginning.length - 1] ?? 0) + 1
          end = endOfKnown(text, start, enough, end)
        }
        if (searched.base64) {
          const before = text.slice(Math.max(0, start - MOST_AROUND), start)
          const behind = text.slice(end, end + MOST_AROUND)
          start -= BASE64_BEFORE.exec(before)?.[0].length ?? 0
          end += BASE64_BEHIND.exec(behind)?.[0].length ?? 0
        }
        const place = { start, end, searched, isBeginning }
        if (counts(place, text)) found.push(place)
      }
    }
    return found
  }
}
