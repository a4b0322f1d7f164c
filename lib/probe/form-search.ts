import type { Form } from './secret-forms.ts'
import { levelsOf, type Unescaped } from './undo-escapes.ts'

/** A place in a text where a form stands. */
export interface Found<Meaning> {
  start: number
  end: number
  meaning: Meaning
}

/** A place in a text whose escapes are undone. */
export interface Place {
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

/** Letters in lower case and `+`, which stands for a space in forms, as one, each unit at its place. */
function folded(text: string): string {
  // The one letter that becomes two in lower case.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('+', ' ')
}

/** What is left of base64 in either alphabet, and of bytes in digits, without what separates them. */
function lettersAndDigits(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '').toLowerCase()
}

const BASE64_CHARACTER = /[A-Za-z0-9+/_-]/
const PADDING = /^={1,2}/

/** Units of a text that takes its time to be compared. */
const LONG = 256

const BEGINNINGS = 1 << 16

/** Of the last four units, and of no others: each shift moves an older one out. */
function nextBeginning(beginning: number, unit: number): number {
  return ((beginning << 4) ^ (unit & 0xff)) & (BEGINNINGS - 1)
}

function beginningOf(text: string): number {
  let beginning = 0
  for (let at = 0; at < SHORTEST_SEARCHED; at += 1) {
    beginning = nextBeginning(beginning, text.charCodeAt(at))
  }
  return beginning
}

interface Searched<Meaning> {
  form: Form
  /** The text of the form as it is compared. */
  compared: string
  meaning: Meaning
}

/** Texts by their first units. */
class Beginnings<Meaning> {
  /** Whether any text begins so: small enough to be at hand for each unit that is read. */
  readonly taken = new Uint8Array(BEGINNINGS)
  readonly #searched = new Map<number, Searched<Meaning>[]>()

  add(searched: Searched<Meaning>): void {
    const beginning = beginningOf(searched.compared)
    this.taken[beginning] = 1
    this.#searched.set(beginning, [...this.of(beginning), searched])
  }

  of(beginning: number): readonly Searched<Meaning>[] {
    return this.#searched.get(beginning) ?? []
  }
}

function isLetterOrDigit(unit: number): boolean {
  const letter = unit | 0x20
  return (unit >= 0x30 && unit <= 0x39) || (letter >= 0x61 && letter <= 0x7a && unit >= 0x41)
}

/** The letters and digits of a text alone, and their places. */
class LettersAndDigits {
  readonly text: string
  readonly #places: Uint32Array

  constructor(whole: string) {
    this.text = lettersAndDigits(whole)
    this.#places = new Uint32Array(this.text.length)
    let size = 0
    for (let at = 0; at < whole.length; at += 1) {
      if (isLetterOrDigit(whole.charCodeAt(at))) this.#places[size++] = at
    }
  }

  placeOf(at: number): number {
    return this.#places[at] ?? 0
  }
}

/** Where a text ends that begins at a place, or is cut off by the end; -1 when it is not there. */
function endOf(searched: string, text: string, start: number, cut: boolean): number {
  if (start < 0) return -1
  const end = start + searched.length
  if (text.startsWith(searched, start)) return end
  return cut && end > text.length && searched.startsWith(text.slice(start)) ? text.length : -1
}

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
  const padding = PADDING.exec(text.slice(end, end + 2))?.[0].length ?? 0
  return { ...place, start, end: end + padding }
}

/**
 * Looks for many forms at once: in a text as it is and with its escapes undone, level by level, so that
 * the time grows with the length of the text however its parts are escaped.
 */
export class FormSearch<Meaning> {
  readonly #characters = new Beginnings<Meaning>()
  readonly #lettersAndDigits = new Beginnings<Meaning>()
  readonly #counts: (meaning: Meaning, place: Place, form: Form) => boolean
  #longest = 0
  #hasBackslash = false

  /** @param counts whether what stands at a place is what the form stands for */
  constructor(counts: (meaning: Meaning, place: Place, form: Form) => boolean) {
    this.#counts = counts
  }

  /** Units of the longest text that is looked for. */
  get longest(): number {
    return this.#longest
  }

  add(form: Form, meaning: Meaning): void {
    const [index, compared] =
      form.among === 'characters'
        ? [this.#characters, folded(form.text)]
        : [this.#lettersAndDigits, lettersAndDigits(form.text)]
    if (compared.length < SHORTEST_SEARCHED) return
    index.add({ form, compared, meaning })
    this.#hasBackslash ||= form.text.includes('\\')
    this.#longest = Math.max(this.#longest, form.text.length)
  }

  /**
   * Every place where a form stands. They may overlap.
   *
   * @param cut whether the text is the beginning of another: then it may end within a form
   */
  find(text: string, cut = false): Found<Meaning>[] {
    return levelsOf(text, this.#hasBackslash).flatMap((level) => this.#findAt(level, cut))
  }

  #findAt({ text, starts }: Unescaped, cut: boolean): Found<Meaning>[] {
    const all: Found<Meaning>[] = []
    const placeOf = (at: number) => starts?.[at] ?? at
    const reached = new Map<Searched<Meaning>, number>()
    const endAt = (searched: Searched<Meaning>, whole: string, start: number): number => {
      // One that repeats itself would be found, and compared, again at each of its periods.
      if (start < (reached.get(searched) ?? 0)) return -1
      const end = endOf(searched.compared, whole, start, cut)
      if (end >= 0 && searched.compared.length > LONG) reached.set(searched, end)
      return end
    }
    const add = ({ form, meaning }: Searched<Meaning>, start: number, end: number) => {
      const here = {
        text,
        start,
        end,
        asWritten: starts === undefined,
        cut: cut && end === text.length,
      }
      const place = wholeBase64(form, here)
      if (place === undefined || !this.#counts(meaning, place, form)) return
      all.push({ start: placeOf(place.start), end: placeOf(place.end), meaning })
    }
    const characters = this.#characters
    const lettersAndDigits = this.#lettersAndDigits
    const compared = folded(text)
    let alone: LettersAndDigits | undefined
    let beginning = 0
    let beginningAlone = 0
    let seenAlone = 0
    for (let at = 0; at < compared.length; at += 1) {
      const unit = compared.charCodeAt(at)
      beginning = nextBeginning(beginning, unit)
      if (characters.taken[beginning] === 1) {
        for (const searched of characters.of(beginning)) {
          const start = at - SHORTEST_SEARCHED + 1
          const end = endAt(searched, compared, start)
          if (end >= 0) add(searched, start, end)
        }
      }
      if (!isLetterOrDigit(unit)) continue
      seenAlone += 1
      beginningAlone = nextBeginning(beginningAlone, unit)
      if (lettersAndDigits.taken[beginningAlone] === 0) continue
      for (const searched of lettersAndDigits.of(beginningAlone)) {
        alone ??= new LettersAndDigits(text)
        const start = seenAlone - SHORTEST_SEARCHED
        const end = endAt(searched, alone.text, start)
        if (end >= 0) add(searched, alone.placeOf(start), alone.placeOf(end - 1) + 1)
      }
    }
    return all
  }
}
