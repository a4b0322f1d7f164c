import type { Secret } from '../environment/environment.ts'
import type { ExchangeRecord, HeaderField, Placeholder } from './exchange-record.ts'
import { commonLength, SHORT_SECRET, secretForms } from './secret-forms.ts'
import { MIN_SEARCHED_CHARS, type Searched, SecretSearch } from './secret-search.ts'

const LONGEST_REMEMBERED = 512
const MOST_REMEMBERED = 10_000
/** UTF-16 code units that one unit of a secret takes up when escaped twice. */
const WIDEST_ESCAPE = 12

const SHORT_WORD = /^\p{L}{4,7}$/u
/** Words of every report that may also be a password or its prefix. */
const REPORT_WORDS = (
  'administrator authorization documentation expected inconclusive password passwords plumbline ' +
  'repository requirement response settings statement'
).split(' ')

/** Limits of the prefix, half of a secret, that is replaced without the rest. */
const MIN_PREFIX_CHARS = 8
const MAX_PREFIX_CHARS = 2048

/** An incomplete escape at the end of a truncated text. Only the first of several backslashes starts one. */
const CUT_ESCAPE = /(?:%(?:25)*[\da-f]?|(?<!\\)\\+[ux]?[\da-f]{0,3}|&#?\w{0,6})$/i

/** `name=value` of a `Set-Cookie` field (RFC 6265, 4.1.1). */
const COOKIE_VALUE = /^(?<name>[^=;]*=)(?<value>[^;]{8,})/

export interface KnownSecret extends Secret {
  /** Length of the shortest prefix that is replaced too. */
  enough: number
}

interface RedactorOptions {
  onSecret?: (secret: KnownSecret) => void
  /** Further words of reports, in lower case, that may equal a secret. */
  words?: ReadonlySet<string>
}

type RecordedRequest = ExchangeRecord['request']

/** A range of a text, and the text that replaces it. */
interface Replacement {
  start: number
  end: number
  shown: string
  /** Name of the secret; undefined for a text that stays. */
  name?: string
  /** Undefined for an earlier placeholder. */
  searched?: Searched
  isBeginning?: boolean
}

type RedactedText = { text: string; placeholders: Pick<Placeholder, 'at' | 'name'>[] }

/** Replaces secrets with `$NAME`, in all encodings of `encodeSecret`. */
export class Redactor {
  readonly #search = new SecretSearch()
  readonly #registered = new Set<string>()
  readonly #names = new Set<string>()
  /** Results by text. Header values, paths and messages often recur. */
  readonly #redacted = new Map<string, string>()
  readonly #onSecret: RedactorOptions['onSecret']
  readonly #words: ReadonlySet<string>
  /** Public texts in lower case; a prefix that a secret shares with one is not replaced. */
  readonly #shown = new Set<string>()

  constructor({ onSecret, words = new Set() }: RedactorOptions = {}) {
    this.#onSecret = onSecret
    this.#words = new Set([...REPORT_WORDS, ...words])
    this.addNames([...this.#words])
  }

  /** Adds public texts, such as account names. They stay visible even if a later secret begins with one. */
  addNames(texts: readonly string[]): void {
    for (const text of texts) {
      const parts = [text, ...text.split(/[^\p{L}\p{N}._-]+/u)]
      for (const part of parts) this.#shown.add(part.toLowerCase())
    }
  }

  /**
   * Adds a secret. Ignores values of fewer than four characters; a value keeps its first name.
   *
   * @param enough length of the shortest prefix that is replaced too
   */
  add(name: string, value: string, enough = this.#enoughOf(value)): void {
    if (value.length < MIN_SEARCHED_CHARS || this.#registered.has(value)) return
    this.#registered.add(value)
    this.#redacted.clear()
    this.#onSecret?.({ name, value, enough })
    this.#names.add(name)
    const word = SHORT_WORD.test(value) || this.#words.has(value.toLowerCase())
    for (const form of secretForms(value, enough)) {
      // A text that is short after unescaping may occur by chance.
      const alone = word || Math.min(value.length, form.text.length) < SHORT_SECRET
      this.#search.add({ ...form, name, alone, word })
    }
  }

  /** Adds a password, and its base64 form of basic authentication (RFC 7617). */
  addBasic(username: string, name: string, password: string): void {
    if (password.length < MIN_SEARCHED_CHARS) return
    this.add(name, password)
    const credentials = Buffer.from(`${username}:${password}`).toString('base64')
    // Their prefix is public: it encodes the username.
    this.add(name, credentials.replace(/=+$/, ''), credentials.length)
  }

  /** Returns the length of the shortest prefix of a secret that is replaced too. */
  #enoughOf(value: string): number {
    const half = Math.max(SHORTEST_BEGINNING, Math.ceil(value.length / 2))
    const secret = value.toLowerCase()
    const shown = [...this.#shown].filter((text) => text !== secret)
    const shared = shown.map((text) => commonLength(text, secret))
    // In base64, one more character may look the same.
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

  /** Returns true if a text contains a whole secret, not only a prefix. */
  holdsSecret(text: string): boolean {
    return this.#search.find(text).some(({ isBeginning }) => !isBeginning)
  }

  /**
   * Redacts a request except its origin, and records the offsets of the placeholders: any other `$NAME` is
   * text. Placeholders of an earlier redaction are kept.
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
    // Credentials without a known secret are not decoded.
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

  /** Redacts a text that Plumbline wrote. Secrets that equal one of its words stay. */
  redactOwnWords(text: string): string {
    return replaced(
      text,
      this.#find(text).filter(({ searched }) => !searched?.word),
    ).text
  }

  /** Redacts the first `length` characters of a text, and a secret that extends beyond them. */
  redactBeginning(text: string, length: number): string {
    if (text.length <= length) return this.redact(text)
    // This slice may end within a secret, but only after the kept part.
    const read = text.slice(0, length + WIDEST_ESCAPE * this.#search.longest)
    const found = this.#find(read).filter(({ start }) => start < length)
    const end = found.reduce((last, place) => Math.max(last, place.end), length)
    return replaced(read.slice(0, end), found).text
  }

  /** Redacts the kept part of a truncated text. Any prefix of a secret at its end is replaced. */
  redactCut(text: string): string {
    const whole = text.replace(CUT_ESCAPE, '')
    return replaced(whole, this.#find(whole, true)).text
  }

  /** Redacts texts, numbers and property names of a JSON value. */
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

  /** Redacts header fields. Cookie values are always hidden: they may grant access to a session. */
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

  /** @param isTruncated true if the text may end within a secret */
  #find(text: string, cut = false): Replacement[] {
    const secrets = this.#search.find(text, cut).map((found): Replacement => {
      const { name } = found.searched
      return { ...found, name, shown: `$${name}` }
    })
    if (!text.includes('$')) return secrets
    // Secrets are not searched within placeholders.
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
 * Applies replacements. If two overlap, the first wins and the rest of the second is removed too. At the same
 * start, a whole secret precedes a prefix, and the exact letter case precedes another one.
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
      // A match that overlaps a text that stays is not a secret.
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
