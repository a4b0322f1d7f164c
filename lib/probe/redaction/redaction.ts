import { authorizationScheme } from '../../environment/extra-headers.ts'
import type { Target } from '../../environment/probe-variables.ts'
import type { Secret } from '../../environment/variable.ts'
import type { ExchangeRecord, HeaderField, Placeholder } from '../exchange.ts'
import { commonPrefixLength, encodeSecret, MIN_DISTINCT_CHARS } from './secret-encodings.ts'
import {
  applyReplacements,
  MIN_SEARCHED_CHARS,
  type RedactedText,
  type Replacement,
  SecretSearch,
} from './secret-search.ts'

const MAX_CACHED_CHARS = 512
const MAX_CACHED_TEXTS = 10_000
/** UTF-16 code units that one unit of a secret takes up when escaped twice. */
const MAX_ESCAPE_CHARS = 12

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
const INCOMPLETE_ESCAPE = /(?:%(?:25)*[\da-f]?|(?<!\\)\\+[ux]?[\da-f]{0,3}|&#?\w{0,6})$/i

/** `name=value` of a `Set-Cookie` field (RFC 6265, 4.1.1). */
const COOKIE_VALUE = /^(?<name>[^=;]*=)(?<value>[^;]{8,})/

export interface KnownSecret extends Secret {
  /** Length of the shortest prefix that is replaced too. */
  minMatchLength: number
}

interface RedactorOptions {
  /** Public texts, as for `addNames`. */
  names?: readonly string[]
  secrets?: readonly Secret[]
  /** Receives the secrets that are added later. */
  onSecret?: (secret: KnownSecret) => void
  /** Further words of reports, in lower case, that may equal a secret. */
  words?: ReadonlySet<string>
}

type RecordedRequest = ExchangeRecord['request']

export class Redactor {
  readonly #search = new SecretSearch()
  readonly #registered = new Set<string>()
  readonly #names = new Set<string>()
  /** Results by text. Header values, paths and messages often recur. */
  readonly #cache = new Map<string, RedactedText>()
  readonly #onSecret: RedactorOptions['onSecret']
  readonly #words: ReadonlySet<string>
  /** Public texts in lower case; a prefix that a secret shares with one is not replaced. */
  readonly #publicTexts = new Set<string>()

  constructor({ names = [], secrets = [], onSecret, words = new Set() }: RedactorOptions = {}) {
    this.#words = new Set([...REPORT_WORDS, ...words])
    this.addNames([...this.#words, ...names])
    for (const { name, value } of secrets) this.add(name, value)
    this.#onSecret = onSecret
  }

  /** Adds public texts, such as account names. They stay visible even if a later secret begins with one. */
  addNames(texts: readonly string[]): void {
    for (const text of texts) {
      const parts = [text, ...text.split(/[^\p{L}\p{N}._-]+/u)]
      for (const part of parts) this.#publicTexts.add(part.toLowerCase())
    }
  }

  /** Adds a secret. Ignores values of fewer than four characters; a value keeps its first name. */
  add(name: string, value: string, minMatchLength = this.#minPrefixLength(value)): void {
    if (value.length < MIN_SEARCHED_CHARS || this.#registered.has(value)) return
    this.#registered.add(value)
    this.#cache.clear()
    this.#onSecret?.({ name, value, minMatchLength })
    this.#names.add(name)
    const isWord = SHORT_WORD.test(value) || this.#words.has(value.toLowerCase())
    for (const encoding of encodeSecret(value, minMatchLength)) {
      // A text that is short after unescaping may occur by chance.
      const needsBoundary =
        isWord || Math.min(value.length, encoding.text.length) < MIN_DISTINCT_CHARS
      this.#search.add({ ...encoding, name, needsBoundary, isWord })
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

  #minPrefixLength(value: string): number {
    const half = Math.max(MIN_PREFIX_CHARS, Math.ceil(value.length / 2))
    const secret = value.toLowerCase()
    let shared = 0
    for (const text of this.#publicTexts) {
      if (text !== secret) shared = Math.max(shared, commonPrefixLength(text, secret))
    }
    // In base64, one more character may look the same.
    return Math.max(Math.min(half, MAX_PREFIX_CHARS), 2 + shared)
  }

  redact(text: string): string {
    return this.#registered.size === 0 ? text : this.#replace(text).text
  }

  holdsSecret(text: string): boolean {
    return this.#search.find(text).some(({ isPrefix }) => !isPrefix)
  }

  /**
   * Redacts a request except its origin, and records the offsets of the placeholders: any other `$NAME` is
   * text. Placeholders of an earlier redaction are kept.
   */
  redactRequest(request: RecordedRequest): RecordedRequest {
    const { placeholders: earlier = [], secrets: _, user: credentials = '', ...sent } = request
    const placeholders: Placeholder[] = []
    const redact = (part: Placeholder['in'], text: string, kept: Replacement[] = []): string => {
      const ownPlaceholders = earlier.filter((one) => one.in === part)
      const redacted = this.#replace(text, [...kept, ...ownPlaceholders.map(toReplacement)])
      placeholders.push(...redacted.placeholders.map((one) => ({ in: part, ...one })))
      return redacted.text
    }
    const decoded = redact('user', credentials)
    // Credentials without a known secret are not decoded.
    const user = placeholders.length > 0 ? decoded : undefined
    const headers = sent.headers.map(({ name, value }, index) => {
      const isBasic = user !== undefined && name.toLowerCase() === 'authorization'
      return {
        name: this.redact(name),
        value: isBasic ? `Basic base64(${user})` : redact(index, value),
      }
    })
    const url = redact('url', sent.url, findOrigin(sent.url))
    const body = sent.body === null ? null : redact('body', sent.body)
    const secrets = [...new Set(placeholders.map(({ name }) => name))]
    const found = secrets.length > 0 && { secrets, placeholders }
    return { ...sent, url, headers, ...(user !== undefined && { user }), body, ...found }
  }

  /** Redacts a text that Plumbline wrote. Secrets that equal a word of Plumbline stay. */
  redactMessage(text: string): string {
    return applyReplacements(
      text,
      this.#find(text).filter(({ secret }) => !secret?.isWord),
    ).text
  }

  /** Redacts the first `length` characters of a text, and a secret that extends beyond them. */
  redactPrefix(text: string, length: number): string {
    if (text.length <= length) return this.redact(text)
    // This slice may end within a secret, but only after the kept part.
    const read = text.slice(0, length + MAX_ESCAPE_CHARS * this.#search.maxPrefixChars)
    const found = this.#find(read).filter(({ start }) => start < length)
    const end = found.reduce((last, place) => Math.max(last, place.end), length)
    return applyReplacements(read.slice(0, end), found).text
  }

  /** Redacts the kept part of a truncated text. Any prefix of a secret at its end is replaced. */
  redactCut(text: string): string {
    const whole = text.replace(INCOMPLETE_ESCAPE, '')
    return applyReplacements(whole, this.#find(whole, true)).text
  }

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
  redactFields(fields: readonly HeaderField[]): HeaderField[] {
    return fields.map(({ name, value }) => {
      const isCookie = name.toLowerCase() === 'set-cookie'
      const visible = isCookie ? value.replace(COOKIE_VALUE, '$<name>$$COOKIE_VALUE') : value
      return { name: this.redact(name), value: this.redact(visible) }
    })
  }

  #replace(text: string, kept: Replacement[] = []): RedactedText {
    if (kept.length > 0) return applyReplacements(text, [...kept, ...this.#find(text)])
    const cached = this.#cache.get(text)
    if (cached !== undefined) return cached
    const redacted = applyReplacements(text, this.#find(text))
    if (this.#cache.size === MAX_CACHED_TEXTS) this.#cache.clear()
    if (text.length <= MAX_CACHED_CHARS) this.#cache.set(text, redacted)
    return redacted
  }

  #find(text: string, isCut = false): Replacement[] {
    const secrets = this.#search.find(text, isCut).map((found): Replacement => {
      const { name } = found.secret
      return { ...found, name, shown: `$${name}` }
    })
    if (!text.includes('$')) return secrets
    // Secrets are not searched within placeholders.
    const kept = [...text.matchAll(/\$(\w+)/g)]
      .filter(([, name = '']) => this.#names.has(name))
      .map(({ 0: shown, index: start }) => ({ start, end: start + shown.length, shown }))
    return [...kept, ...secrets]
  }
}

function findOrigin(url: string): Replacement[] {
  const origin = URL.canParse(url) ? new URL(url).origin : ''
  return url.startsWith(origin) ? [{ start: 0, end: origin.length, shown: origin }] : []
}

function toReplacement({ at, name }: Placeholder): Replacement {
  return { start: at, end: at + name.length + 1, shown: `$${name}`, name }
}

/** Returns the public texts of a target, such as its account names; no text that contains a secret. */
export function publicTexts(target: Target, secrets: readonly { value: string }[]): string[] {
  // A shorter secret occurs in any text.
  const hidden = secrets.map(({ value }) => value).filter(({ length }) => length >= 4)
  const textsIn = (value: unknown): string[] => {
    if (typeof value === 'string') {
      return hidden.some((secret) => value.includes(secret)) ? [] : [value]
    }
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
  }
  const { tls: _, headers = {}, ...probe } = target.probe
  const schemes = Object.values(headers).flatMap((value) => authorizationScheme(value) ?? [])
  return [...textsIn({ ...target, probe }), ...textsIn(headers), ...schemes]
}
