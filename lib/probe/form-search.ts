import { type Caution, type Form, levelsOf, type Unescaped } from './secret-forms.ts'

export interface Replacement {
  text: () => string
  /** The secret's name; absent where nothing secret was found. */
  name?: string
  /** Of the secret itself, in UTF-16 code units; 0 where it is not looked for over several lines. */
  length: number
  caution?: Caution
  /** It counts only where it is no escape that makes it. */
  asWritten?: boolean
}

/** A place in a text where a form stands. */
export interface Found {
  start: number
  end: number
  replacement: Replacement
}

/** A place in a text whose escapes are undone. */
interface Place {
  text: string
  start: number
  end: number
  /** Whether the text is as it was before any escape was undone. */
  asWritten: boolean
  /** Whether the text ends within what stands there. */
  cut: boolean
}

/** A shorter text is in every other one, and never looked for. */
export const SHORTEST_SEARCHED = 4

/** Units of a text that takes its time to be compared. */
const LONG = 256

/** Digits alone occur everywhere, so a numeric secret counts only where no other digit touches it. */
const NUMERIC = /^\d+$/

const GOES_ON_BEFORE = /[\p{L}\p{N}_/-]$|[\p{L}\p{N}]\.$/u
const GOES_ON_BEHIND = /^[\p{L}\p{N}_/-]|^\.[\p{L}\p{N}]/u

/** Whether what stands at a place is the secret, and not something that looks like it. */
function counts(
  { text: form, among }: Form,
  { caution, asWritten }: Replacement,
  { text, start, end, ...place }: Place,
): boolean {
  if (among === 'lettersAndDigits') return true
  const found = text.slice(start, end)
  if (asWritten) return place.asWritten && found === form
  const [before, behind] = [text.slice(Math.max(0, start - 3), start), text.slice(end, end + 3)]
  const whole = form.slice(0, place.cut ? found.length : form.length)
  if (caution?.exactCase && found.replaceAll('+', ' ') !== whole.replaceAll('+', ' ')) return false
  if (NUMERIC.test(form) && (/\d$/.test(before) || /^\d/.test(behind))) return false
  return !caution?.alone || (!GOES_ON_BEFORE.test(before) && !GOES_ON_BEHIND.test(behind))
}

/** A text as it is compared, and the places of its units in the text that it was made of. */
interface View {
  compared: string
  /** Absent: the same places. */
  places?: Uint32Array
}

function isLetterOrDigit(unit: number): boolean {
  const letter = unit | 0x20
  return (unit >= 0x30 && unit <= 0x39) || (letter >= 0x61 && letter <= 0x7a && unit >= 0x41)
}

const views: Record<Form['among'], (text: string) => View> = {
  /** Letters in lower case and `+`, which stands for a space in forms, as one. */
  characters: (text) => ({
    // The one letter that becomes two in lower case.
    compared: text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('+', ' '),
  }),
  /** What is left of base64 in either alphabet, and of bytes in digits, without what separates them. */
  lettersAndDigits(text) {
    const places = new Uint32Array(text.length)
    let size = 0
    for (let at = 0; at < text.length; at += 1) {
      if (isLetterOrDigit(text.charCodeAt(at))) places[size++] = at
    }
    return { compared: text.replace(/[^A-Za-z0-9]+/g, '').toLowerCase(), places }
  },
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

const BASE64_CHARACTER = /[A-Za-z0-9+/_-]/

/** Where so many further characters of base64 end, line breaks among them; `step` is 1 or -1. */
function afterBase64(text: string, from: number, count: number, step: number): number {
  let end = from
  let left = count
  for (let at = step > 0 ? from : from - 1; left > 0; at += step) {
    const character = text.charAt(at)
    if (BASE64_CHARACTER.test(character)) {
      left -= 1
      end = step > 0 ? at + 1 : at
    } else if (character === '' || character.trim() !== '') break
  }
  return end
}

/**
 * With the characters on either side that are partly of other bytes, or no letters or digits, and the
 * padding; `undefined` where it is not the base64 of these bytes after all.
 */
function wholeBase64({ text: own, base64 }: Form, place: Place): Place | undefined {
  if (base64 === undefined) return place
  const { text } = place
  const { bytes, preceding } = base64
  const signsBefore = /^[+/]*/.exec(own)?.[0].length ?? 0
  const signsBehind = /[+/]*$/.exec(own)?.[0].length ?? 0
  const sharedBehind = ((preceding + bytes.length) * 8) % 6 > 0 ? 1 : 0
  const start = afterBase64(text, place.start, signsBefore + (preceding > 0 ? 1 : 0), -1)
  const end = afterBase64(text, place.end, signsBehind + sharedBehind, 1)
  if (place.cut) return { ...place, start }
  // Buffer.from reads both alphabets, and over line breaks.
  const decoded = Buffer.from('A'.repeat(preceding) + text.slice(start, end), 'base64')
  if (!decoded.subarray(preceding, preceding + bytes.length).equals(bytes)) return undefined
  const padding = /^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0
  return { ...place, start, end: end + padding }
}

interface Searched {
  form: Form
  compared: string
  replacement: Replacement
}

/** Forms by the first units of what is compared. */
type Index = (Searched[] | undefined)[]

/**
 * Looks for many forms at once: in a text as it is and with its escapes undone, level by level, so that
 * the time grows with the length of the text however its parts are escaped.
 */
export class FormSearch {
  readonly #indexes: Record<Form['among'], Index> = {
    characters: new Array(BEGINNINGS),
    lettersAndDigits: new Array(BEGINNINGS),
  }
  #longest = 0
  #hasBackslash = false

  /** Units of the longest text that is looked for. */
  get longest(): number {
    return this.#longest
  }

  add(form: Form, replacement: Replacement): void {
    const { compared } = views[form.among](form.text)
    if (compared.length < SHORTEST_SEARCHED) return
    let beginning = 0
    for (let at = 0; at < SHORTEST_SEARCHED; at += 1) {
      beginning = nextBeginning(beginning, compared.charCodeAt(at))
    }
    const index = this.#indexes[form.among]
    index[beginning] = [...(index[beginning] ?? []), { form, compared, replacement }]
    this.#hasBackslash ||= form.text.includes('\\')
    this.#longest = Math.max(this.#longest, form.text.length)
  }

  /**
   * Every place where a form stands, in order. They may overlap.
   *
   * @param cut whether the text is the beginning of another: then it may end within a form
   */
  find(text: string, cut = false): Found[] {
    return levelsOf(text, this.#hasBackslash)
      .flatMap((level) => [
        ...this.#findAmong('characters', level, cut),
        ...this.#findAmong('lettersAndDigits', level, cut),
      ])
      .sort((one, other) => one.start - other.start)
  }

  #findAmong(among: Form['among'], { text, starts }: Unescaped, cut: boolean): Found[] {
    const found: Found[] = []
    const index = this.#indexes[among]
    const { compared: whole, places } = views[among](text)
    const reached = new Map<Searched, number>()
    let beginning = 0
    for (let at = 0; at < whole.length; at += 1) {
      beginning = nextBeginning(beginning, whole.charCodeAt(at))
      const candidates = index[beginning]
      if (candidates === undefined) continue
      const from = at - SHORTEST_SEARCHED + 1
      for (const searched of candidates) {
        const { form, compared, replacement } = searched
        // One that repeats itself would be found, and compared, again at each of its periods.
        if (from < (reached.get(searched) ?? 0)) continue
        const to = endOf(compared, whole, from, cut)
        if (to < 0) continue
        if (compared.length > LONG) reached.set(searched, to)
        const start = places?.[from] ?? from
        const end = places === undefined ? to : (places[to - 1] ?? 0) + 1
        const asWritten = starts === undefined
        const place = wholeBase64(form, {
          text,
          start,
          end,
          asWritten,
          cut: cut && end === text.length,
        })
        if (place === undefined || !counts(form, replacement, place)) continue
        const sourceOf = (unit: number) => starts?.[unit] ?? unit
        found.push({ start: sourceOf(place.start), end: sourceOf(place.end), replacement })
      }
    }
    return found
  }
}
