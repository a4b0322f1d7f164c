import type { Secret } from '../environment/environment.ts'
import type { HeaderField } from './exchange-record.ts'
import { FormSearch, type Found, type Replacement, SHORTEST_SEARCHED } from './form-search.ts'
import { asItIs, base64FormOf, cautionFor, SHORT_SECRET, secretForms } from './secret-forms.ts'

const LONGEST_REMEMBERED = 512
const MOST_REMEMBERED = 10_000
/** Units of a text that stand for one unit of a secret, escaped twice. */
const WIDEST_ESCAPE = 12

/** A shorter secret may well come about by chance where one field ends and the next begins. */
const SHORTEST_OVER_LINES = 12
const SHORTEST_PIECE = 6

/** The end of a text that was cut within an escape. */
const CUT_ESCAPE = /(?:%(?:25)*[\da-f]?|\\+[ux]?[\da-f]{0,3}|&#?\w{0,6})$/i

const BASIC_CREDENTIALS = /\b(?<scheme>basic +)(?<token>[\w+/-]+={0,2})/gi

/** `name=value` of a cookie that a server sets (RFC 6265, 4.1.1). */
const COOKIE_VALUE = /^(?<name>[^=;]*=)(?<value>[^;]{8,})/

interface RedactorOptions {
  onSecret?: (secret: Secret) => void
  /** Words of reports, in lower case, which may be a secret too. */
  words?: ReadonlySet<string>
}

/**
 * The one place where secrets are taken out of text. Every secret is registered with the name that
 * stands for it; `redact` then replaces it by `$NAME` wherever it occurs, in every form that
 * `secretForms` lists.
 */
export class Redactor {
  readonly #search = new FormSearch()
  readonly #registered = new Set<string>()
  readonly #names = new Set<string>()
  /** Makes the forms of secrets that came since the last search. */
  #waiting: (() => void)[] = []
  /** Most texts come again and again: header values, paths, messages. */
  readonly #redacted = new Map<string, string>()
  /** Header sections in which no secret goes on from one field to the next. */
  readonly #whole = new Set<string>()

  readonly #onSecret: (secret: Secret) => void
  readonly #words: ReadonlySet<string>

  constructor({ onSecret = () => {}, words = new Set() }: RedactorOptions = {}) {
    this.#onSecret = onSecret
    this.#words = words
  }

  /**
   * Registers a secret. One of fewer than four characters is ignored, since it is in every text; the
   * first name of a value wins.
   */
  add(name: string, value: string): void {
    if (value.length < SHORTEST_SEARCHED || this.#isRegistered(value)) return
    this.#onSecret({ name, value })
    const text = () => `$${name}`
    this.#waiting.push(() => {
      // A placeholder is never searched for secrets again.
      if (!this.#names.has(name)) {
        this.#search.add(asItIs(`$${name}`), { text, length: 0, asWritten: true })
      }
      this.#names.add(name)
      const caution = cautionFor(value, this.#words)
      for (const form of secretForms(value)) {
        // What is short once its escapes are undone may well be something else.
        const alone = caution.alone || form.text.length < SHORT_SECRET
        const replacement = { text, name, length: value.length, caution: { ...caution, alone } }
        this.#search.add(form, replacement)
      }
    })
  }

  /** Registers the credentials of basic authentication (RFC 7617), whose base64 joins name and password. */
  addBasic(username: string, name: string, password: string): void {
    if (password.length < SHORTEST_SEARCHED) return
    this.add(name, password)
    const credentials = `${username}:${password}`
    if (this.#isRegistered(`Basic ${credentials}`)) return
    this.#waiting.push(() =>
      this.#search.add(base64FormOf(credentials), {
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
    if (this.#redacted.size === MOST_REMEMBERED) this.#redacted.clear()
    if (text.length <= LONGEST_REMEMBERED) this.#redacted.set(text, redacted)
    return redacted
  }

  /** A URL: where it leads is no secret. */
  redactUrl(url: string): string {
    const origin = URL.canParse(url) ? new URL(url).origin : ''
    return url.startsWith(origin)
      ? origin + this.redact(url.slice(origin.length))
      : this.redact(url)
  }

  /** A text in our own words: a secret that is a word of such texts is left alone there. */
  redactOwnWords(text: string): string {
    const found = this.#find(text).filter(({ replacement }) => !replacement.caution?.word)
    return replaced(text, found)
  }

  /** The first `length` characters of a text, redacted; a secret that goes on behind them counts too. */
  redactBeginning(text: string, length: number): string {
    if (text.length <= length) return this.redact(text)
    this.#addWaiting()
    // What is cut out here may end within a secret, but only behind what is kept.
    const read = text.slice(0, length + WIDEST_ESCAPE * this.#search.longest)
    const found = this.#find(read).filter(({ start }) => start < length)
    const end = found.reduce((last, place) => Math.max(last, place.end), length)
    return replaced(read.slice(0, end), found)
  }

  /** What was kept of a longer text. Where it ends, the beginning of a secret is one. */
  redactCut(text: string): string {
    const whole = text.replace(CUT_ESCAPE, '')
    this.#addWaiting()
    return replaced(whole, this.#search.find(whole, true))
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
    let length = 0
    const boundaries = values.map((value) => (length += value.length))
    this.#addWaiting()
    for (const { start, end, replacement } of this.#search.find(text)) {
      const within = boundaries.filter((boundary) => boundary > start && boundary < end)
      const { name } = replacement
      if (name === undefined || within.length === 0) continue
      if (replacement.length < SHORTEST_OVER_LINES) continue
      for (const [index, boundary] of [...within, end].entries()) {
        const piece = text.slice(within[index - 1] ?? start, boundary)
        if (piece.length < SHORTEST_PIECE || this.#isRegistered(piece)) continue
        // What has been seen to be a part of a secret is one wherever it stands.
        this.#search.add(asItIs(piece), { text: () => `$${name}`, name, length: piece.length })
      }
    }
  }

  #addWaiting(): void {
    for (const add of this.#waiting.splice(0)) add()
  }

  #find(text: string): Found[] {
    this.#addWaiting()
    const secrets = this.#search.find(text)
    return [...withoutCut(this.#findBasic(text), secrets), ...secrets]
  }

  // Credentials are looked into, since not every pair of a name and a password is registered.
  #findBasic(text: string): Found[] {
    return [...text.matchAll(BASIC_CREDENTIALS)].flatMap(({ 0: match, index, groups }) => {
      const credentials = Buffer.from(groups?.token ?? '', 'base64').toString('utf8')
      const redacted = this.redact(credentials)
      if (redacted === credentials) return []
      const shown = `${groups?.scheme}base64(${redacted})`
      const replacement = { text: () => shown, length: 0 }
      return [{ start: index, end: index + match.length, replacement }]
    })
  }
}

function withoutCookieValue(field: string): string {
  return field.replace(COOKIE_VALUE, '$<name>$$COOKIE_VALUE')
}

/**
 * Those of the places that end within no secret. An escape within base64 ends what looks like it, and
 * to decode the beginning of a secret would show that beginning. Both are in order.
 */
function withoutCut(places: readonly Found[], secrets: readonly Found[]): Found[] {
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
function replaced(text: string, found: Found[]): string {
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  let result = ''
  let end = 0
  let last: Replacement | undefined
  for (const { start, end: foundEnd, replacement } of found) {
    if (start < end) {
      // What looks like a secret within a placeholder, or reaches into one, is none.
      if (foundEnd <= end || last?.name === undefined || replacement.name === undefined) continue
      if (replacement.name !== last.name) result += replacement.text()
    } else {
      result += text.slice(end, start) + replacement.text()
    }
    end = foundEnd
    last = replacement
  }
  return result + text.slice(end)
}
