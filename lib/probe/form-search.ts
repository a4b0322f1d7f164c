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

/** Many texts, all looked for in one pass. */
class TextIndex<Meaning> {
  readonly #byBeginning: (Searched<Meaning>[] | undefined)[] = new Array(BEGINNINGS)
  readonly #taken = new Uint8Array(BEGINNINGS)

  add(searched: Searched<Meaning>): void {
    const beginning = beginningOf(searched.compared)
    this.#taken[beginning] = 1
    const others = this.#byBeginning[beginning]
    if (others === undefined) this.#byBeginning[beginning] = [searched]
    else others.push(searched)
  }

  find(text: string, found: (searched: Searched<Meaning>, start: number) => void): void {
    let beginning = 0
    for (let at = 0; at < text.length; at += 1) {
      beginning = nextBeginning(beginning, text.charCodeAt(at))
      if (this.#taken[beginning] === 0) continue
      const start = at - SHORTEST_SEARCHED + 1
      for (const searched of this.#byBeginning[beginning] ?? []) {
        if (start >= 0 && text.startsWith(searched.compared, start)) found(searched, start)
      }
    }
  }
}

/** The places of the letters and digits of a text. */
function placesOfLettersAndDigits(text: string): number[] {
  return Array.from(text.matchAll(/[A-Za-z0-9]/g), ({ index }) => index)
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

/** With the characters of base64 on either side that belong to it, and the padding. */
function withBase64Around({ base64 }: Form, place: Place): Place {
  if (base64 === undefined) return place
  const { text } = place
  const start = afterBase64(text, place.start, base64.before, -1)
  const end = afterBase64(text, place.end, base64.behind, 1)
  const padding = PADDING.exec(text.slice(end, end + 2))?.[0].length ?? 0
  return { ...place, start, end: end + padding }
}

/**
 * Looks for many forms at once: in a text as it is and with its escapes undone, level by level, so that
 * the time grows with the length of the text however its parts are escaped.
 */
export class FormSearch<Meaning> {
  readonly #characters = new TextIndex<Meaning>()
  readonly #lettersAndDigits = new TextIndex<Meaning>()
  readonly #counts: (meaning: Meaning, place: Place, form: Form) => boolean
  #longest = 0

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
    this.#longest = Math.max(this.#longest, form.text.length)
  }

  /** Every place where a form stands. They may overlap. */
  find(text: string): Found<Meaning>[] {
    return levelsOf(text).flatMap((level) => this.#findAt(level))
  }

  #findAt({ text, starts }: Unescaped): Found<Meaning>[] {
    const all: Found<Meaning>[] = []
    const placeOf = (at: number) => starts?.[at] ?? at
    const add = ({ form, meaning }: Searched<Meaning>, start: number, end: number) => {
      const place = withBase64Around(form, { text, start, end, asWritten: starts === undefined })
      if (!this.#counts(meaning, place, form)) return
      all.push({ start: placeOf(place.start), end: placeOf(place.end), meaning })
    }
    this.#characters.find(folded(text), (searched, start) =>
      add(searched, start, start + searched.compared.length),
    )
    let places: number[] | undefined
    this.#lettersAndDigits.find(lettersAndDigits(text), (searched, start) => {
      places ??= placesOfLettersAndDigits(text)
      const last = start + searched.compared.length - 1
      add(searched, places[start] ?? 0, (places[last] ?? 0) + 1)
    })
    return all
  }
}
