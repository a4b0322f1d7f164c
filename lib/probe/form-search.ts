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
export type Found = { start: number; end: number; searched: Searched }

/** A shorter text is in every other one, and never looked for. */
export const SHORTEST_SEARCHED = 4

const GOES_ON_BEFORE = /[\p{L}\p{N}_/-]$|[\p{L}\p{N}]\.$/u
const GOES_ON_BEHIND = /^[\p{L}\p{N}_/-]|^\.[\p{L}\p{N}]/u

/** Whether what stands at a place is the secret, and not a part of something else. */
function counts({ text: form, alone }: Searched, text: string, start: number, end: number) {
  const [before, behind] = [text.slice(Math.max(0, start - 3), start), text.slice(end, end + 3)]
  if (alone) return !GOES_ON_BEFORE.test(before) && !GOES_ON_BEHIND.test(behind)
  // Digits alone occur everywhere, so a numeric secret counts only where no other digit touches it.
  return !/^\d+$/.test(form) || (!/\d$/.test(before) && !/^\d/.test(behind))
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

/** Where a text ends that begins at a place, or is cut off by the end; -1 when it is not there. */
function endOf(searched: string, text: string, start: number, cut: boolean): number {
  const end = start + searched.length
  if (text.startsWith(searched, start)) return end
  return cut && end > text.length && searched.startsWith(text.slice(start)) ? text.length : -1
}

/** Characters of base64 that are no letters or digits, one that is partly of other bytes, padding. */
const BASE64_BEFORE = /[\w+/-]?[+/_-]*$/
const BASE64_BEHIND = /^[+/_-]*[\w+/-]?={0,2}/
const MOST_AROUND = 8

/** Whether base64 has the signs of the form too, in either alphabet, whatever separates its lines. */
function isBase64({ text }: Searched, found: string): boolean {
  const plain = found.replaceAll('-', '+').replaceAll('_', '/')
  return plain.replace(/[^A-Za-z0-9+/]+/g, '').includes(text)
}

/** Units of a text that takes its time to be compared. */
const LONG = 256

/** What is looked for, by the first units of what is compared. */
class Index extends Map<number, { searched: Searched; compared: string }[]> {
  /** Whether there is anything: asked at every unit of a text, it has to be small. */
  readonly known = new Uint8Array(BEGINNINGS)
}

/** Looks for many forms at once, level by level: the time grows with the length of the text alone. */
export class FormSearch {
  readonly #indexes = { characters: new Index(), lettersAndDigits: new Index() }
  /** Units of the longest text that is looked for. */
  longest = 0

  add(searched: Searched): void {
    const { text, among } = searched
    const compared = among === 'characters' ? comparable(text) : lettersAndDigitsOf(text)
    if (compared.length < SHORTEST_SEARCHED) return
    let beginning = 0
    for (let at = 0; at < SHORTEST_SEARCHED; at += 1) {
      beginning = nextBeginning(beginning, compared.charCodeAt(at))
    }
    const index = this.#indexes[among]
    index.known[beginning] = 1
    index.set(beginning, [...(index.get(beginning) ?? []), { searched, compared }])
    this.longest = Math.max(this.longest, text.length)
  }

  /** @param cut whether the text is the beginning of another: then it may end within a form */
  find(text: string, cut = false): Found[] {
    return levelsOf(text).flatMap(({ text: level, starts }) => {
      const found = [
        ...this.#findAmong('characters', comparable(level), level, cut),
        ...this.#findAmong('lettersAndDigits', lettersAndDigitsOf(level), level, cut),
      ]
      const placeOf = (at: number) => starts?.[at] ?? at
      return found.map(({ searched, start, end }) => {
        return { searched, start: placeOf(start), end: placeOf(end) }
      })
    })
  }

  /** @param whole what of the text is compared */
  #findAmong(among: Form['among'], whole: string, text: string, cut: boolean) {
    // Of two that differ in letter case only, the one that stands there goes first.
    const exact: Found[] = []
    const found: Found[] = []
    const index = this.#indexes[among]
    let places: Uint32Array | undefined
    const reached = new Map<Searched, number>()
    let beginning = 0
    for (let at = 0; at < whole.length; at += 1) {
      beginning = nextBeginning(beginning, whole.charCodeAt(at))
      if (index.known[beginning] === 0) continue
      const from = at - SHORTEST_SEARCHED + 1
      for (const { searched, compared } of index.get(beginning) ?? []) {
        // One that repeats itself would be found, and compared, again at each of its periods.
        if (from < (reached.get(searched) ?? 0)) continue
        const to = endOf(compared, whole, from, cut)
        if (to < 0) continue
        if (compared.length > LONG) reached.set(searched, to)
        if (among === 'lettersAndDigits') places ??= placesIn(text)
        let start = places?.[from] ?? from
        let end = (places?.[to - 1] ?? to - 1) + 1
        if (searched.base64) {
          const before = text.slice(Math.max(0, start - MOST_AROUND), start)
          const behind = text.slice(end, end + MOST_AROUND)
          const isCut = cut && end === text.length
          if (!isCut && !isBase64(searched, before + text.slice(start, end) + behind)) continue
          start -= BASE64_BEFORE.exec(before)?.[0].length ?? 0
          end += BASE64_BEHIND.exec(behind)?.[0].length ?? 0
        }
        if (among === 'characters' && !counts(searched, text, start, end)) continue
        const list = text.startsWith(searched.text, start) ? exact : found
        list.push({ start, end, searched })
      }
    }
    return exact.concat(found)
  }
}
