/**
 * A text of which some parts can be written in several ways: each part is as it is, or one of a
 * list, where an empty text makes it optional.
 */
export interface Form {
  parts: readonly (string | readonly string[])[]
  /** Letters of ASCII count in either case. */
  anyCase?: boolean
  /** It counts only where neither end is within a number. */
  wholeNumber?: boolean
  /** Of which one stands before the parts, and belongs to what is found. */
  before?: readonly string[]
}

/** A place where a form was found. */
export interface Found<Meaning> {
  start: number
  end: number
  meaning: Meaning
}

/** The ways to write a part, by the unit with which they begin. */
interface Ways {
  byUnit: Map<number, string[]>
  optional: boolean
}

interface Searched<Meaning> {
  form: Form
  steps: readonly (string | Ways)[]
  meaning: Meaning
}

// The places of three units, five bits of each: letters of either case fall together.
const BEGINNING_UNITS = 3
const UNIT_BITS = 5
const UNIT_VALUES = 1 << UNIT_BITS
const PLACES = 1 << (UNIT_BITS * BEGINNING_UNITS)

function shifted(place: number, unit: number): number {
  return ((place << UNIT_BITS) | (unit & (UNIT_VALUES - 1))) & (PLACES - 1)
}

/** In lower case, each unit at its place: the one letter that would become two does not. */
function folded(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase()
}

function waysOf(part: readonly string[]): Ways {
  const byUnit = new Map<number, string[]>()
  for (const way of new Set(part)) {
    if (way === '') continue
    const unit = way.charCodeAt(0)
    const others = byUnit.get(unit)
    if (others === undefined) byUnit.set(unit, [way])
    else others.push(way)
  }
  return { byUnit, optional: part.includes('') }
}

/**
 * Where the steps end that begin at `start`, the last such place; -1 when they do not. All ways are
 * followed at once, place by place, so that no text takes longer than its length allows.
 */
function endOf(steps: readonly (string | Ways)[], text: string, start: number): number {
  let ends = [start]
  for (const step of steps) {
    const next: number[] = []
    for (const end of ends) {
      if (typeof step === 'string') {
        if (text.startsWith(step, end)) next.push(end + step.length)
        continue
      }
      if (step.optional && !next.includes(end)) next.push(end)
      for (const way of step.byUnit.get(text.charCodeAt(end)) ?? []) {
        const after = end + way.length
        if (text.startsWith(way, end) && !next.includes(after)) next.push(after)
      }
    }
    if (next.length === 0) return -1
    ends = next
  }
  return Math.max(...ends)
}

/** Where the longest of the texts begins that ends at a place; -1 when none does. */
function startBefore(texts: readonly string[], text: string, end: number): number {
  let start = -1
  for (const candidate of texts) {
    const begins = end - candidate.length
    if (begins >= 0 && (start < 0 || begins < start) && text.startsWith(candidate, begins)) {
      start = begins
    }
  }
  return start
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}

// The digits that end an escape sequence belong to the character that it stands for.
const ESCAPE_BEFORE = /(?:%|\\x)[\da-f]{2}$|\\u[\da-f]{4}$/i
const LONGEST_ESCAPE = '\\u0000'.length

function isWithinNumber(text: string, start: number, end: number): boolean {
  if (isDigit(text.charCodeAt(end))) return true
  if (!isDigit(text.charCodeAt(start - 1))) return false
  return !ESCAPE_BEFORE.test(text.slice(Math.max(0, start - LONGEST_ESCAPE), start))
}

/** The place of so many units from the beginning of a text. */
interface Beginning {
  place: number
  units: number
}

function extended({ place, units }: Beginning, way: string): Beginning {
  const missing = Math.min(BEGINNING_UNITS - units, way.length)
  let extendedPlace = place
  for (let index = 0; index < missing; index += 1) {
    extendedPlace = shifted(extendedPlace, way.charCodeAt(index))
  }
  return { place: extendedPlace, units: units + missing }
}

/** The beginnings of all texts that the form matches, each once; short where such a text is short. */
function beginningsOf({ parts }: Form): Beginning[] {
  let beginnings: Beginning[] = [{ place: 0, units: 0 }]
  for (const part of parts) {
    if (beginnings.every(({ units }) => units === BEGINNING_UNITS)) break
    const longer = new Map<number, Beginning>()
    for (const beginning of beginnings) {
      for (const way of typeof part === 'string' ? [part] : part) {
        const next = extended(beginning, way)
        longer.set(next.place * (BEGINNING_UNITS + 1) + next.units, next)
      }
    }
    beginnings = [...longer.values()]
  }
  return beginnings
}

function placesOf(form: Form): Set<number> {
  const places = new Set<number>()
  const add = (place: number, missing: number): void => {
    if (missing === 0) {
      places.add(place)
      return
    }
    for (let unit = 0; unit < UNIT_VALUES; unit += 1) add(shifted(place, unit), missing - 1)
  }
  for (const { place, units } of beginningsOf(form)) add(place, BEGINNING_UNITS - units)
  return places
}

/**
 * Looks for many forms in one pass over a text. Three units of the text tell which forms may begin
 * there, and only those are compared.
 */
export class FormSearch<Meaning> {
  readonly #byPlace: (Searched<Meaning>[] | undefined)[] = new Array(PLACES)
  readonly #isTaken = new Uint8Array(PLACES)
  /** Many forms share their lists. */
  readonly #ways = new Map<readonly string[], Ways>()
  readonly #foldedWays = new Map<readonly string[], Ways>()
  #longest = 0

  /** Length of the longest text that a form matches. */
  get longest(): number {
    return this.#longest
  }

  add(form: Form, meaning: Meaning): void {
    const searched = { form, steps: this.#stepsOf(form), meaning }
    for (const place of placesOf(form)) {
      const others = this.#byPlace[place]
      if (others === undefined) this.#byPlace[place] = [searched]
      else others.push(searched)
      this.#isTaken[place] = 1
    }
    const lengths = [form.before ?? '', ...form.parts].map((part) =>
      typeof part === 'string' ? part.length : Math.max(...part.map(({ length }) => length)),
    )
    this.#longest = Math.max(
      this.#longest,
      lengths.reduce((sum, length) => sum + length, 0),
    )
  }

  #stepsOf({ parts, anyCase }: Form): (string | Ways)[] {
    return parts.map((part) => {
      if (typeof part === 'string') return anyCase ? folded(part) : part
      const known = anyCase ? this.#foldedWays : this.#ways
      const ways = known.get(part) ?? waysOf(anyCase ? part.map(folded) : part)
      known.set(part, ways)
      return ways
    })
  }

  /**
   * Every place where a form is, each with the one that reaches furthest of those that begin alike;
   * of equal ones the first added. In order, and they may overlap.
   */
  find(text: string): Found<Meaning>[] {
    const all: Found<Meaning>[] = []
    let lowerCase: string | undefined
    // Two units more, since a short form may be the end of the text.
    const last = text.length + BEGINNING_UNITS - 1
    let place = 0
    for (let index = 0; index < last; index += 1) {
      place = shifted(place, text.charCodeAt(index))
      if (this.#isTaken[place] === 0 || index < BEGINNING_UNITS - 1) continue
      lowerCase ??= folded(text)
      const found = this.#longestAt(text, lowerCase, index - BEGINNING_UNITS + 1, place)
      if (found !== undefined) all.push(found)
    }
    return all.sort((a, b) => a.start - b.start)
  }

  #longestAt(
    text: string,
    lowerCase: string,
    begins: number,
    place: number,
  ): Found<Meaning> | undefined {
    let longest: Found<Meaning> | undefined
    for (const { form, steps, meaning } of this.#byPlace[place] ?? []) {
      const end = endOf(steps, form.anyCase ? lowerCase : text, begins)
      if (end <= (longest?.end ?? begins)) continue
      if (form.wholeNumber && isWithinNumber(text, begins, end)) continue
      const start = form.before === undefined ? begins : startBefore(form.before, text, begins)
      if (start >= 0) longest = { start, end, meaning }
    }
    return longest
  }
}
