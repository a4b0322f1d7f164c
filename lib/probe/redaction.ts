import type { Secret } from '../environment/environment.ts'
import type { ExchangeRecord, HeaderField, Placeholder } from './exchange-record.ts'
import { commonLength, SHORT_SECRET, secretForms } from './secret-forms.ts'
import { MIN_SEARCHED_CHARS, type Searched, SecretSearch } from './secret-search.ts'

const LONGEST_REMEMBERED = 512
const MOST_REMEMBERED = 10_000
/** Units of a text that stand for one unit of a secret, escaped twice. */
const WIDEST_ESCAPE = 12

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

/** A place in a text, and the text to stand there. */
interface Replacement {
  start: number
  end: number
  shown: string
  /** Name of the secret whose placeholder this is; undefined for a text that stays. */
  name?: string
  /** Undefined for a placeholder that was there before. */
  searched?: Searched
  isBeginning?: boolean
}

type RedactedText = { text: string; placeholders: Pick<Placeholder, 'at' | 'name'>[] }

/** Replaces every secret by `$NAME`, the name that it was added with, in all forms of `secretForms`. */
export class Redactor {
  readonly #search = new SecretSearch()
  readonly #registered = new Set<string>()
  readonly #names = new Set<string>()
  /** Most texts come again and again: header values, paths, messages. */
  readonly #redacted = new Map<string, string>()
  readonly #onSecret: RedactorOptions['onSecret']
  readonly #words: ReadonlySet<string>
  /** Texts in lower case: what a secret has in common with the beginning of one is shown. */
  readonly #shown = new Set<string>()

  constructor({ onSecret, words = new Set() }: RedactorOptions = {}) {
    this.#onSecret = onSecret
    this.#words = new Set([...REPORT_WORDS, ...words])
    this.addNames([...this.#words])
  }

  /** Keeps texts shown although secrets that are added later begin with them, such as account names. */
  addNames(texts: readonly string[]): void {
    for (const text of texts) {
      const parts = [text, ...text.split(/[^\p{L}\p{N}._-]+/u)]
      for (const part of parts) this.#shown.add(part.toLowerCase())
    }
  }

  /**
   * Ignores one of fewer than four characters, which is in every text. A value keeps its first name.
   *
   * @param enough number of characters, from the first one, that are a secret too
   */
  add(name: string, value: string, enough = this.#enoughOf(value)): void {
    if (value.length < MIN_SEARCHED_CHARS || this.#registered.has(value)) return
    this.#registered.add(value)
    this.#redacted.clear()
    this.#onSecret?.({ name, value, enough })
    this.#names.add(name)
    const word = SHORT_WORD.test(value) || this.#words.has(value.toLowerCase())
    for (const form of secretForms(value, enough)) {
      // What is short once its escapes are undone may well be something else.
      const alone = word || Math.min(value.length, form.text.length) < SHORT_SECRET
      this.#search.add({ ...form, name, alone, word })
    }
  }

  /** Of basic authentication (RFC 7617), whose base64 joins name and password. */
  addBasic(username: string, name: string, password: string): void {
    if (password.length < MIN_SEARCHED_CHARS) return
    this.add(name, password)
    const credentials = Buffer.from(`${username}:${password}`).toString('base64')
    // They begin as those with any other password.
    this.add(name, credentials.replace(/=+$/, ''), credentials.length)
  }

  /** Returns how many characters of a secret, from its first one, are a secret too. */
  #enoughOf(value: string): number {
    const half = Math.max(SHORTEST_BEGINNING, Math.ceil(value.length / 2))
    const secret = value.toLowerCase()
    const shown = [...this.#shown].filter((text) => text !== secret)
    const shared = shown.map((text) => commonLength(text, secret))
    // In base64 one character more may look the same.
    return Math.max(Math.min(half, LONGEST_BEGINNING), 2 + Math.max(...shared))
  }

  redact(text: string): string {
    if (this.#registered.size === 0) return text
    const known = this.#redacted.get(text)
    if (known !== undefined) return known
    const redacted = this.#replace(text).text
    if (this.#redacted.size === MOST_REMEMBERED) this.#redacted.clear()
    if (text.length <= LONGEST_REMEMBERED) this.#redacted.set(text, redacted)
    return redacted
  }

  /** Returns true if a text holds a whole secret, and not only the beginning of one. */
  holdsSecret(text: string): boolean {
    return this.#search.find(text).some(({ isBeginning }) => !isBeginning)
  }

  /**
   * Redacts a request but for its origin, and records where the placeholders of its secrets are: any other
   * `$NAME` in it is text. A request that was redacted before keeps its own.
   */
  redactRequest(request: RecordedRequest): RecordedRequest {
    const { placeholders: known = [], secrets: _, user: basic = '', ...sent } = request
    const placeholders: Placeholder[] = []
    const redact = (part: Placeholder['in'], text: string, kept: Replacement[] = []): string => {
      const earlier = known.filter((one) => one.in === part)
      const redacted = this.#replace(text, [...kept, ...earlier.map(placeholderAt)])
      placeholders.push(...redacted.placeholders.map((one) => ({ in: part, ...one })))
      return redacted.text
    }
    const decoded = redact('user', basic)
    // Credentials without a known secret stay as they are sent.
    const user = placeholders.length > 0 ? decoded : undefined
    const headers = sent.headers.map(({ name, value }, index) => {
      const isBasic = user !== undefined && name.toLowerCase() === 'authorization'
      return {
        name: this.redact(name),
        value: isBasic ? `Basic base64(${user})` : redact(index, value),
      }
    })
    const redacted = {
      ...sent,
      url: redact('url', sent.url, originIn(sent.url)),
      headers,
      ...(user !== undefined && { user }),
      body: sent.body === null ? null : redact('body', sent.body),
    }
    const secrets = [...new Set(placeholders.map(({ name }) => name))]
    return { ...redacted, ...(secrets.length > 0 && { secrets, placeholders }) }
  }

  /** A text in our own words: a secret that is a word of such texts is left alone there. */
  redactOwnWords(text: string): string {
    return replaced(
      text,
      this.#find(text).filter(({ searched }) => !searched?.word),
    ).text
  }

  /** The first `length` characters of a text, redacted; a secret that goes on behind them counts too. */
  redactBeginning(text: string, length: number): string {
    if (text.length <= length) return this.redact(text)
    // What is cut out here may end within a secret, but only behind what is kept.
    const read = text.slice(0, length + WIDEST_ESCAPE * this.#search.longest)
    const found = this.#find(read).filter(({ start }) => start < length)
    const end = found.reduce((last, place) => Math.max(last, place.end), length)
    return replaced(read.slice(0, end), found).text
  }

  /** What was kept of a longer text. Where it ends, the beginning of a secret is one. */
  redactCut(text: string): string {
    const whole = text.replace(CUT_ESCAPE, '')
    return replaced(whole, this.#find(whole, true)).text
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
    return fields.map(([name, value]) => {
      const isCookie = name.toLowerCase() === 'set-cookie'
      const shown = isCookie ? value.replace(COOKIE_VALUE, '$<name>$$COOKIE_VALUE') : value
      return { name: this.redact(name), value: this.redact(shown) }
    })
  }

  #replace(text: string, kept: Replacement[] = []): RedactedText {
    return replaced(text, [...kept, ...this.#find(text)])
  }

  /** @param cut true if the text may end within a secret */
  #find(text: string, cut = false): Replacement[] {
    const secrets = this.#search.find(text, cut).map((found): Replacement => {
      const { name } = found.searched
      return { ...found, name, shown: `$${name}` }
    })
    if (!text.includes('$')) return secrets
    // A placeholder is never searched for secrets again.
    const placeholders = [...text.matchAll(/\$(\w+)/g)].filter(([, name = '']) =>
      this.#names.has(name),
    )
    const kept = placeholders.map(({ 0: shown, index: start }): Replacement => {
      return { start, end: start + shown.length, shown }
    })
    return [...kept, ...secrets]
  }
}

function originIn(url: string): Replacement[] {
  const origin = URL.canParse(url) ? new URL(url).origin : ''
  return url.startsWith(origin) ? [{ start: 0, end: origin.length, shown: origin }] : []
}

function placeholderAt({ at, name }: Placeholder): Replacement {
  return { start: at, end: at + name.length + 1, shown: `$${name}`, name }
}

/**
 * Where two overlap, the first goes first, and what the second has beyond it is taken out too. Of two that
 * begin at the same place, a whole secret goes before the beginning of another one, and of two that differ
 * in letter case alone, the one that is there as it was added.
 */
function replaced(text: string, found: Replacement[]): RedactedText {
  if (found.length === 0) return { text, placeholders: [] }
  const order = ({ isBeginning }: Replacement) => Number(isBeginning ?? false)
  const isAsAdded = ({ start, end, searched }: Replacement) =>
    Number(text.slice(start, end) === searched?.text)
  found.sort(
    (a, b) =>
      a.start - b.start || order(a) - order(b) || b.end - a.end || isAsAdded(b) - isAsAdded(a),
  )
  const placeholders: RedactedText['placeholders'] = []
  let result = ''
  let end = 0
  let last: Replacement | undefined
  for (const place of found) {
    const { searched, name, shown } = place
    if (place.start < end) {
      // What looks like a secret within a text that stays, or reaches into one, is none.
      if (place.end <= end || last?.searched === undefined || searched === undefined) continue
    } else {
      result += text.slice(end, place.start)
      last = undefined
    }
    if (name === undefined || name !== last?.name) {
      if (name !== undefined) placeholders.push({ at: result.length, name })
      result += shown
    }
    end = place.end
    last = place
  }
  return { text: result + text.slice(end), placeholders }
}
