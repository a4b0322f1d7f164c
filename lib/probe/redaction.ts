import type { HeaderField } from './exchange-record.ts'
import { FormSearch, type Found } from './redaction-search.ts'
import { literalForm, secretForms, wholeBase64Form } from './secret-forms.ts'

const LONGEST_REMEMBERED = 512

/** A shorter secret may well come about by chance where one field ends and the next begins. */
const SHORTEST_OVER_LINES = 12
const SHORTEST_PIECE = 6

const BASIC_CREDENTIALS = /\b(?<scheme>basic +)(?<token>[\w+/-]+={0,2})/gi

/** `name=value` of a cookie that a server sets (RFC 6265, 4.1.1). */
const COOKIE_VALUE = /^(?<name>[^=;]*=)(?<value>[^;]{8,})/

/** A shorter secret may well be a part of a word that has nothing to do with it. */
const SHORTEST_IN_WORDS = 4
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u
const BEGINS_IN_WORD = /^[\p{L}\p{N}]/u

/** What takes the place of what was found. */
interface Replacement {
  text: () => string
  /** The secret's name; absent where nothing secret was found. */
  name?: string
  /** Of the secret itself, in UTF-16 code units; 0 where it is not looked for over several lines. */
  length: number
}

/**
 * The one place where secrets are taken out of text. Every secret is registered with the name that
 * stands for it; `redact` then replaces it by `$NAME` wherever it occurs, in every form that
 * `secretForms` lists.
 */
export class Redactor {
  readonly #search = new FormSearch<Replacement>()
  readonly #registered = new Set<string>()
  readonly #names = new Set<string>()
  /** Forms that no text has been searched for yet: who only might tell a secret never makes them. */
  #waiting: (() => void)[] = []
  /** Most texts come again and again: header values, paths, messages. */
  readonly #redacted = new Map<string, string>()
  /** Header sections in which no secret goes on from one field to the next. */
  readonly #whole = new Set<string>()

  /** Registers a secret. An empty value is ignored; the first name of a value wins. */
  add(name: string, value: string): void {
    if (value === '' || this.#isRegistered(value)) return
    this.#waiting.push(() => {
      if (!this.#names.has(name)) {
        this.#names.add(name)
        // A placeholder is never searched for secrets again.
        this.#search.add(literalForm(`$${name}`), { text: () => `$${name}`, length: 0 })
      }
      for (const form of secretForms(value)) {
        this.#search.add(form, { text: () => `$${name}`, name, length: value.length })
      }
    })
  }

  /** Registers the credentials of basic authentication (RFC 7617), whose base64 joins name and password. */
  addBasic(username: string, name: string, password: string): void {
    if (password === '') return
    this.add(name, password)
    const credentials = `${username}:${password}`
    if (this.#isRegistered(`Basic ${credentials}`)) return
    this.#waiting.push(() =>
      this.#search.add(wholeBase64Form(credentials), {
        text: () => `base64(${this.redact(credentials)})`,
        name,
        length: 0,
      }),
    )
  }

  /** Whether a secret was registered before; from now on it is. */
  #isRegistered(value: string): boolean {
    if (this.#registered.has(value)) return true
    this.#registered.add(value)
    this.#redacted.clear()
    this.#whole.clear()
    return false
  }

  redact(text: string): string {
    if (this.#registered.size === 0) return text
    const known = this.#redacted.get(text)
    if (known !== undefined) return known
    const redacted = replaced(text, this.#find(text))
    if (text.length <= LONGEST_REMEMBERED) this.#redacted.set(text, redacted)
    return redacted
  }

  /**
   * A text in our own words, which quotes nothing but what an operator has written: there, letters
   * within a word are no secret of one to three characters.
   */
  redactOwnWords(text: string): string {
    const found = this.#find(text).filter(({ start, end, meaning: { length } }) => {
      const isShort = length > 0 && length < SHORTEST_IN_WORDS
      return !isShort || !isWithinWord(text, start, end)
    })
    return replaced(text, found)
  }

  /** The first `length` characters of a text, redacted; a secret that goes on behind them counts too. */
  redactBeginning(text: string, length: number): string {
    if (text.length <= length) return this.redact(text)
    this.#addWaiting()
    // What is cut out here may end within a secret, but only behind what is kept.
    const read = text.slice(0, length + this.#search.longest)
    const found = this.#find(read).filter(({ start }) => start < length)
    const end = found.reduce((last, place) => Math.max(last, place.end), length)
    return replaced(read.slice(0, end), found)
  }

  /** Any JSON value with its texts redacted, names of properties too. */
  redactJson(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value)
    if (typeof value === 'number') {
      const text = String(value)
      const redacted = this.redact(text)
      return redacted === text ? value : redacted
    }
    if (Array.isArray(value)) return value.map((item) => this.redactJson(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.redact(name), this.redactJson(item)]),
    )
  }

  /**
   * Received header fields in the order in which they came. A secret that one field begins and the next one
   * goes on with is found too: its pieces are secrets from then on. The values of cookies are hidden
   * whatever they are: who has them is signed in.
   */
  redactFields(fields: readonly (readonly [name: string, value: string])[]): HeaderField[] {
    this.#addPieces(fields.map(([, value]) => value))
    return fields.map(([name, value]) => {
      const shown = name.toLowerCase() === 'set-cookie' ? withoutCookieValue(value) : value
      return { name: this.redact(name), value: this.redact(shown) }
    })
  }

  #addPieces(values: readonly string[]): void {
    const text = values.join('')
    if (this.#registered.size === 0 || this.#whole.has(text)) return
    this.#whole.add(text)
    let end = 0
    const boundaries = values.map((value) => {
      end += value.length
      return end
    })
    for (const { start, end, meaning } of this.#searched(text)) {
      const within = boundaries.filter((boundary) => boundary > start && boundary < end)
      if (meaning.name === undefined || within.length === 0) continue
      if (meaning.length < SHORTEST_OVER_LINES) continue
      for (const [index, boundary] of [...within, end].entries()) {
        const piece = text.slice(within[index - 1] ?? start, boundary)
        if (piece.length >= SHORTEST_PIECE) this.add(meaning.name, piece)
      }
    }
  }

  #searched(text: string): Found<Replacement>[] {
    this.#addWaiting()
    return this.#search.find(text)
  }

  #addWaiting(): void {
    for (const add of this.#waiting.splice(0)) add()
  }

  #find(text: string): Found<Replacement>[] {
    const secrets = this.#searched(text)
    const basic = this.#findBasic(text)
    return basic.length === 0 ? secrets : [...withoutCut(basic, secrets), ...secrets]
  }

  // Credentials are looked into, since not every pair of a name and a password is registered.
  #findBasic(text: string): Found<Replacement>[] {
    const all: Found<Replacement>[] = []
    for (const { 0: match, index, groups } of text.matchAll(BASIC_CREDENTIALS)) {
      const credentials = Buffer.from(groups?.token ?? '', 'base64').toString('utf8')
      const redacted = this.redact(credentials)
      if (redacted === credentials) continue
      const replacement = `${groups?.scheme}base64(${redacted})`
      all.push({
        start: index,
        end: index + match.length,
        meaning: { text: () => replacement, length: 0 },
      })
    }
    return all
  }
}

function isWithinWord(text: string, start: number, end: number): boolean {
  // A character may be two UTF-16 code units.
  const before = text.slice(Math.max(0, start - 2), start)
  return ENDS_IN_WORD.test(before) || BEGINS_IN_WORD.test(text.slice(end, end + 2))
}

function withoutCookieValue(field: string): string {
  return field.replace(COOKIE_VALUE, '$<name>$$COOKIE_VALUE')
}

/**
 * Those of the places that end within no secret. An escape within base64 ends what looks like it, and
 * to decode the beginning of a secret would show that beginning. Both are in order.
 */
function withoutCut(
  places: readonly Found<Replacement>[],
  secrets: readonly Found<Replacement>[],
): Found<Replacement>[] {
  let next = 0
  let reach = 0
  return places.filter(({ end }) => {
    for (; (secrets[next]?.start ?? end) < end; next += 1) {
      reach = Math.max(reach, secrets[next]?.end ?? 0)
    }
    return reach <= end
  })
}

/**
 * The text with everything that was found replaced. Where two overlap, the first goes before the
 * second, and what the second has beyond it is taken out with it.
 */
function replaced(text: string, found: Found<Replacement>[]): string {
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  let result = ''
  let end = 0
  let last: Replacement | undefined
  for (const { start, end: foundEnd, meaning } of found) {
    if (start < end) {
      // What looks like a secret within a placeholder, or reaches into one, is none.
      if (foundEnd <= end || last?.name === undefined || meaning.name === undefined) continue
      if (meaning.name !== last.name) result += meaning.text()
    } else {
      result += text.slice(end, start) + meaning.text()
    }
    end = foundEnd
    last = meaning
  }
  return result + text.slice(end)
}
