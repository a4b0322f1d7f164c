import type { Secret } from '../environment/environment.ts'
import type { ExchangeRecord, HeaderField } from './exchange-record.ts'
import { FormSearch, type Found, type Searched, SHORTEST_SEARCHED } from './form-search.ts'
import { placeholdersIn } from './placeholders.ts'
import { commonLength, SHORT_SECRET, secretForms } from './secret-forms.ts'

const LONGEST_REMEMBERED = 512
const MOST_REMEMBERED = 10_000
/** Units of a text that stand for one unit of a secret, escaped twice. */
const WIDEST_ESCAPE = 12

/** A shorter secret may well come about by chance where one field ends and the next begins. */
const SHORTEST_OVER_LINES = 12
const SHORTEST_PIECE = 6

const SHORT_WORD = /^\p{L}{4,7}$/u
/** Words of every report that an operator may take for a password, or begin one with. */
const REPORT_WORDS = (
  'administrator authorization documentation expected inconclusive password passwords plumbline ' +
  'repository requirement response settings statement'
).split(' ')

/** Limits to the half of a secret that is replaced also without the rest of it, in characters. */
const SHORTEST_BEGINNING = 8
const LONGEST_BEGINNING = 2048

/** The end of a text that was cut within an escape. Of backslashes only the first in a row begins one. */
const CUT_ESCAPE = /(?:%(?:25)*[\da-f]?|(?<!\\)\\+[ux]?[\da-f]{0,3}|&#?\w{0,6})$/i

const BASIC_CREDENTIALS = /\b(?<scheme>basic +)(?<token>[\w+/-]+={0,2})/gi

/** `name=value` of a cookie that a server sets (RFC 6265, 4.1.1). */
const COOKIE_VALUE = /^(?<name>[^=;]*=)(?<value>[^;]{8,})/

/** A secret as it was added to a redactor. */
export interface KnownSecret extends Secret {
  /** Number of characters, from the first one, that are a secret too. */
  enough: number
}

interface RedactorOptions {
  onSecret?: (secret: KnownSecret) => void
  /** Words of reports, in lower case, which may be a secret too. */
  words?: ReadonlySet<string>
}

type RecordedRequest = ExchangeRecord['request']

const textsOf = ({ url, headers, body, user = '' }: RecordedRequest): string[] => [
  url,
  user,
  ...headers.flatMap(({ name, value }) => [name, value]),
  body ?? '',
]

/** A place in a text, and what is to stand there; for a placeholder there is no name. */
type Place = Partial<Found & Searched> & { start: number; end: number; shown: string }

/** Replaces every secret by `$NAME`, the name that it was added with, in all forms of `secretForms`. */
export class Redactor {
  readonly #search = new FormSearch()
  readonly #registered = new Set<string>()
  readonly #placeholders = new Set<string>()
  /** Most texts come again and again: header values, paths, messages. */
  readonly #redacted = new Map<string, string>()
  readonly #onSecret: RedactorOptions['onSecret']
  readonly #words: ReadonlySet<string>
  /** Texts in lower case: what a secret has in common with the beginning of one is shown. */
  readonly #names = new Set<string>()

  constructor({ onSecret, words = new Set() }: RedactorOptions = {}) {
    this.#onSecret = onSecret
    this.#words = new Set([...REPORT_WORDS, ...words])
    this.addNames([...this.#words])
  }

  /** Keeps texts shown although secrets that are added later begin with them, such as account names. */
  addNames(texts: readonly string[]): void {
    for (const text of texts) {
      const parts = [text, ...text.split(/[^\p{L}\p{N}._-]+/u)]
      for (const part of parts) this.#names.add(part.toLowerCase())
    }
  }

  /**
   * Ignores one of fewer than four characters, which is in every text. A value keeps its first name.
   *
   * @param enough number of characters, from the first one, that are a secret too
   */
  add(name: string, value: string, enough = this.#enoughOf(value)): void {
    if (value.length < SHORTEST_SEARCHED || this.#isRegistered(value)) return
    this.#onSecret?.({ name, value, enough })
    this.#placeholders.add(name)
    const { length } = value
    const word = SHORT_WORD.test(value) || this.#words.has(value.toLowerCase())
    for (const form of secretForms(value, enough)) {
      // What is short once its escapes are undone may well be something else.
      const alone = word || Math.min(length, form.text.length) < SHORT_SECRET
      this.#search.add({ ...form, name, length, alone, word })
    }
  }

  /** Of basic authentication (RFC 7617), whose base64 joins name and password. */
  addBasic(username: string, name: string, password: string): void {
    if (password.length < SHORTEST_SEARCHED) return
    this.add(name, password)
    const credentials = Buffer.from(`${username}:${password}`).toString('base64')
    // They begin as those with any other password.
    this.add(name, credentials.replace(/=+$/, ''), credentials.length)
  }

  /** Returns how many characters of a secret, from its first one, are a secret too. */
  #enoughOf(value: string): number {
    const half = Math.max(SHORTEST_BEGINNING, Math.ceil(value.length / 2))
    const secret = value.toLowerCase()
    const shown = [...this.#names].filter((text) => text !== secret)
    const shared = shown.map((text) => commonLength(text, secret))
    // In base64 one character more may look the same.
    return Math.max(Math.min(half, LONGEST_BEGINNING), 2 + Math.max(...shared))
  }

  /** Whether a secret was registered before; from now on it is. */
  #isRegistered(value: string): boolean {
    if (this.#registered.has(value)) return true
    this.#registered.add(value)
    this.#redacted.clear()
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

  /** Returns true if a text holds a whole secret, and not only the beginning of one. */
  holdsSecret(text: string): boolean {
    return this.#search.find(text).some(({ isBeginning }) => !isBeginning)
  }

  /** A URL: where it leads is no secret. */
  redactUrl(url: string): string {
    const origin = URL.canParse(url) ? new URL(url).origin : ''
    const shown = url.startsWith(origin) ? origin : ''
    return shown + this.redact(url.slice(shown.length))
  }

  /**
   * Redacts a request, and adds the names of the secrets that were sent. A name that the texts hold as a
   * literal `$NAME` is left out: nobody could tell the two apart.
   */
  redactRequest(request: RecordedRequest): RecordedRequest {
    const { secrets: known = [], ...sent } = request
    const redacted = {
      ...sent,
      url: this.redactUrl(sent.url),
      headers: sent.headers.map(({ name, value }) => {
        return { name: this.redact(name), value: this.redact(value) }
      }),
      body: sent.body === null ? null : this.redact(sent.body),
      ...(sent.user !== undefined && { user: this.redact(sent.user) }),
    }
    const before = textsOf(request)
    const secrets = placeholdersIn(textsOf(redacted), [...this.#placeholders]).filter(
      (name) => known.includes(name) || before.every((text) => !text.includes(`$${name}`)),
    )
    return { ...redacted, ...(secrets.length > 0 && { secrets }) }
  }

  /** A text in our own words: a secret that is a word of such texts is left alone there. */
  redactOwnWords(text: string): string {
    const found = this.#find(text).filter(({ word }) => !word)
    return replaced(text, found)
  }

  /** The first `length` characters of a text, redacted; a secret that goes on behind them counts too. */
  redactBeginning(text: string, length: number): string {
    if (text.length <= length) return this.redact(text)
    // What is cut out here may end within a secret, but only behind what is kept.
    const read = text.slice(0, length + WIDEST_ESCAPE * this.#search.longest)
    const found = this.#find(read).filter(({ start }) => start < length)
    const end = found.reduce((last, place) => Math.max(last, place.end), length)
    return replaced(read.slice(0, end), found)
  }

  /** What was kept of a longer text. Where it ends, the beginning of a secret is one. */
  redactCut(text: string): string {
    const whole = text.replace(CUT_ESCAPE, '')
    return replaced(whole, this.#find(whole, true))
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

  // The values of cookies are hidden whatever they are: who has them is signed in.
  redactFields(fields: readonly (readonly [name: string, value: string])[]): HeaderField[] {
    this.addPieces(fields.map(([, value]) => value))
    return fields.map(([name, value]) => {
      const isCookie = name.toLowerCase() === 'set-cookie'
      const shown = isCookie ? value.replace(COOKIE_VALUE, '$<name>$$COOKIE_VALUE') : value
      return { name: this.redact(name), value: this.redact(shown) }
    })
  }

  /** Of a secret that one value begins and the next goes on with: its pieces are secrets from then on. */
  addPieces(values: readonly string[]): void {
    let read = 0
    const boundaries = values.map((value) => (read += value.length))
    const text = values.join('')
    for (const { start, end, name, length = 0, isBeginning } of this.#find(text)) {
      const ends = [...boundaries.filter((boundary) => boundary > start && boundary < end), end]
      if (name === undefined || isBeginning || ends.length === 1 || length < SHORTEST_OVER_LINES)
        continue
      for (const [index, pieceEnd] of ends.entries()) {
        const piece = text.slice(ends[index - 1] ?? start, pieceEnd)
        if (piece.length < SHORTEST_PIECE || this.#isRegistered(piece)) continue
        // What has been seen to be a part of a secret is one wherever it stands.
        this.#search.add({ text: piece, among: 'characters', name, length: piece.length })
      }
    }
  }

  /** @param cut whether the text may end within a secret */
  #find(text: string, cut = false): Place[] {
    const secrets = this.#search.find(text, cut).map(({ searched, ...place }) => {
      return { ...searched, ...place, shown: `$${searched.name}` }
    })
    const basic = cut ? [] : this.#findBasic(text, secrets)
    return [...secrets, ...this.#findPlaceholders(text), ...basic]
  }

  /** A placeholder is never searched for secrets again. */
  #findPlaceholders(text: string): Place[] {
    if (!text.includes('$')) return []
    return [...text.matchAll(/\$(\w+)/g)].flatMap(({ 0: shown, 1: name = '', index }) =>
      this.#placeholders.has(name) ? [{ start: index, end: index + shown.length, shown }] : [],
    )
  }

  // Credentials are looked into, so that the name of an account is shown.
  #findBasic(text: string, found: readonly Place[]): Place[] {
    if (text.search(BASIC_CREDENTIALS) < 0) return []
    const secrets = [...found].sort((a, b) => a.start - b.start)
    let [next, reach] = [0, 0]
    return [...text.matchAll(BASIC_CREDENTIALS)].flatMap(({ 0: match, index, groups }) => {
      const decoded = Buffer.from(groups?.token ?? '', 'base64').toString('utf8')
      // Shown as it is, a literal `$NAME` would be taken for a placeholder.
      const isLiteral = this.#findPlaceholders(decoded).length > 0
      const credentials = isLiteral ? decoded.replaceAll('$', '%24') : decoded
      const redacted = this.redact(credentials)
      if (redacted === credentials) return []
      // An escape may end what looks like it: to decode the beginning of a secret would show that.
      const end = index + match.length
      for (; (secrets[next]?.start ?? end) < end; next += 1) {
        reach = Math.max(reach, secrets[next]?.end ?? 0)
      }
      if (reach > end) return []
      const shown = `${groups?.scheme}base64(${redacted})`
      return [{ start: index, end, shown, name: 'Basic' }]
    })
  }
}

/**
 * Where two overlap, the first goes first, and what the second has beyond it is taken out too. Of two that
 * begin at the same place, a whole secret goes before the beginning of another one, and of two that differ
 * in letter case alone, the one that is there as it was added.
 */
function replaced(text: string, found: Place[]): string {
  if (found.length === 0) return text
  const order = ({ isBeginning }: Place) => (isBeginning ? 1 : 0)
  const isAsAdded = (place: Place) => Number(text.slice(place.start, place.end) === place.text)
  found.sort(
    (a, b) =>
      a.start - b.start || order(a) - order(b) || b.end - a.end || isAsAdded(b) - isAsAdded(a),
  )
  let result = ''
  let end = 0
  let last: Place | undefined
  for (const place of found) {
    if (place.start < end) {
      // What looks like a secret within a placeholder, or reaches into one, is none.
      if (place.end <= end || last?.name === undefined || place.name === undefined) continue
      if (place.name !== last.name) result += place.shown
    } else {
      result += text.slice(end, place.start) + place.shown
    }
    end = place.end
    last = place
  }
  return result + text.slice(end)
}
