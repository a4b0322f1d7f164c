import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import {
  type Behaviour,
  changing,
  type HonestResponse,
  isList,
  withMember,
} from './behaviour.fixture.ts'

const cachedValues = new Map<string, unknown>()
function once<Value>(name: string, create: () => Value): Value {
  const value = cachedValues.get(name) ?? create()
  cachedValues.set(name, value)
  return value as Value
}

/** Adds one or more members to each object. */
function filled(name: string, make: () => string): Record<string, Behaviour> {
  return { [name]: changing((honest) => withMember(honest, once(name, make))) }
}

function encoded(codings: string, encode: (body: Buffer) => Buffer): Behaviour {
  return changing(({ fields, body }) =>
    body.length === 0
      ? {}
      : { fields: [...fields, ['Content-Encoding', codings]], body: encode(body) },
  )
}

/** Servers whose bodies differ from their appearance. */
const content: Record<string, Behaviour> = {
  // 100 kB, or 100 MB when decoded.
  'gzip-bomb': encoded('gzip', () => once('bomb', () => gzipSync(Buffer.alloc(100 * 1024 * 1024)))),
  'thousand-codings': encoded(Array(1000).fill('gzip').join(), gzipSync),
  'wrong-coding': encoded('gzip', (body) => body),
  'unknown-coding': encoded('x-riddle', (body) => Buffer.from(body.map((byte) => byte ^ 0xff))),
  ...filled('invalid-utf-8', () => '"description":"caf\xe9"'),
  ...filled('deep-json', () => `"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  ...filled(
    'prototype-keys',
    () =>
      '"__proto__":{"login":"nobody","message":"x","sha1":"y"},' +
      '"constructor":{"prototype":{"login":"nobody"}},"toString":1,"hasOwnProperty":null',
  ),
  // Plumbline truncates the body after the backslashes.
  ...filled('many-backslashes', () => `"text":"${'\\'.repeat(60_000)}${'z'.repeat(5000)}"`),
}

/** Just below the default limit of a body. */
const BODY_BYTES = 9_000_000

/** Maximum number of items that Plumbline reads, and the number of lists in a body. */
const MAX_READ_ITEMS = 19_900
const LISTS = 4

/** Returns distinct items of a total size; `one` receives a text that pads the item. */
function items(count: number, size: number, one: (text: string) => string): string {
  const length = Math.floor(size / count) - one('').length - 1
  return Array.from({ length: count }, (_, index) =>
    one(String(index).padStart(Math.max(6, length), 'a')),
  ).join()
}

/** Returns members with lists of the maximum length. */
function lists(one: (text: string) => string): string {
  const list = `[${items(MAX_READ_ITEMS, BODY_BYTES / LISTS, one)}]`
  return Array.from({ length: LISTS }, (_, index) => `"list-${index}":${list}`).join()
}

/** Sends lists of records that have only a name, for limits above the given one. */
function listing(count: number, size = BODY_BYTES, above = Number.NEGATIVE_INFINITY): Behaviour {
  const records = () => `[${items(count, size, (text) => `{"full_name":"maria/${text}"}`)}]`
  return changing((honest, encounter) => {
    const limit = Number(/[?&]limit=(\d+)/.exec(encounter.request.url ?? '')?.[1] ?? 0)
    if (!isList(encounter, honest) || !(limit > above)) return {}
    return { body: Buffer.from(once(`list of ${count} and ${size}`, records)) }
  })
}

const longText = (text: string) =>
  `"text-${text.slice(-1)}":"${text.replace(/a{39}/g, 'the quick brown fox jumps over the dog ')}"`

const large: Record<string, Behaviour> = {
  'many-records': listing(MAX_READ_ITEMS),
  'short-records': listing(240_000),
  'records-beyond-the-limit': listing(60_000, BODY_BYTES, 25),
  'megabytes-beyond-the-limit': listing(60_000, 2 * BODY_BYTES, 25),
  ...filled('short-members', () => items(200_000, BODY_BYTES, (text) => `"${text}":1`)),
  ...filled('many-objects', () => lists((text) => `{"a":"${text}"}`)),
  ...filled('empty-lists', () => lists(() => '[]')),
  ...filled('long-texts', () => items(9, BODY_BYTES, longText)),
}

const TOKEN_CHARS = 5_000_000
const letters = () => once('letters', () => 'a1'.repeat(TOKEN_CHARS / 2))
const randomText = (bytes: number) => randomBytes(bytes).toString('hex')

/** Changes the responses that create a token. */
function onTokenCreation(change: (honest: HonestResponse) => Partial<HonestResponse>): Behaviour {
  return changing((honest) => (honest.status === 201 ? change(honest) : {}))
}

function withValue(make: () => string): Behaviour {
  return onTokenCreation(({ body }) => ({
    body: Buffer.from(body.toString().replace(/("sha1":")[^"]*/, `$1${make()}`)),
  }))
}

/** Servers with many or unusual tokens, or with texts like tokens. */
const tokens: Record<string, Behaviour> = {
  'long-token': withValue(() => randomText(TOKEN_CHARS / 2)),
  'token-beyond-header-fields': withValue(() => 'жетон'.repeat(10) + randomText(20)),
  'token-of-one-letter': withValue(letters),
  'texts-like-tokens': onTokenCreation((honest) => {
    const texts = Array.from({ length: 1000 }, (_, at) => `"text-${at}":"${randomText(20)}"`)
    return withMember(honest, texts.join())
  }),
}

export const bodies = { ...content, ...large, ...tokens }
