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
/** Made once: a run gets each of these many times. */
function once<Value>(name: string, make: () => Value): Value {
  const value = cachedValues.get(name) ?? make()
  cachedValues.set(name, value)
  return value as Value
}

/** A member, or several, that each object has beside its own. */
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

/** Servers whose bodies are more, or something else, than they look like. */
const content: Record<string, Behaviour> = {
  // 100 kB that are 100 MB without their coding.
  'gzip-bomb': encoded('gzip', () => once('bomb', () => gzipSync(Buffer.alloc(100 * 1024 * 1024)))),
  'thousand-codings': encoded(Array(1000).fill('gzip').join(), gzipSync),
  'wrong-coding': encoded('gzip', (body) => body),
  'unknown-coding': encoded('x-riddle', (body) => Buffer.from(body.map((byte) => byte ^ 0xff))),
  ...filled('invalid-utf-8', () => '"description":"caf\xe9"'),
  ...filled('deep-json', () => `"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  ...filled('long-number', () => `"size":${'7'.repeat(1_000_000)}`),
  ...filled(
    'prototype-keys',
    () =>
      '"__proto__":{"login":"nobody","message":"x","sha1":"y"},' +
      '"constructor":{"prototype":{"login":"nobody"}},"toString":1,"hasOwnProperty":null',
  ),
  // Of a body that is cut after them.
  ...filled('many-backslashes', () => `"text":"${'\\'.repeat(60_000)}${'z'.repeat(5000)}"`),
  ...filled('ten-megabytes', () => `"padding":"${'a'.repeat(10_000_000)}"`),
}

/** Of a body; just under the usual limit. */
const SIZE = 9_000_000

/** As many of these are read as there are. */
const LONG_MESSAGE_CHARS = 450_000

/** As many as a list or object may have to be read at all, and in how many of these a body has them. */
const MAX_READ_ITEMS = 19_900
const LISTS = 4

/** So many, no two alike, and together of a size: each is handed a text that makes it so. */
function items(count: number, size: number, one: (text: string) => string): string {
  const length = Math.floor(size / count) - one('').length - 1
  return Array.from({ length: count }, (_, index) =>
    one(String(index).padStart(Math.max(6, length), 'a')),
  ).join()
}

/** Members with lists, in which there are as many as are read. */
function lists(one: (text: string) => string): string {
  const list = `[${items(MAX_READ_ITEMS, SIZE / LISTS, one)}]`
  return Array.from({ length: LISTS }, (_, index) => `"list-${index}":${list}`).join()
}

/** Lists of records that have nothing but a name. */
function listing(count: number): Behaviour {
  const records = () => `[${items(count, SIZE, (text) => `{"full_name":"maria/${text}"}`)}]`
  return changing((honest, encounter) =>
    isList(encounter, honest) ? { body: Buffer.from(once(`list of ${count}`, records)) } : {},
  )
}

/** The same, of a size, where the limit is above the largest. */
function listingBeyond(count: number, size: number): Behaviour {
  const records = () => `[${items(count, size, (text) => `{"full_name":"maria/${text}"}`)}]`
  return changing((honest, encounter) => {
    const limit = Number(/[?&]limit=(\d+)/.exec(encounter.request.url ?? '')?.[1])
    if (!isList(encounter, honest) || !(limit > 25)) return {}
    return { body: Buffer.from(once(`list of ${count} and ${size}`, records)) }
  })
}

function withLongMessage({ body }: HonestResponse): Partial<HonestResponse> {
  const scope = ',read:user'
  const longer = body
    .toString('latin1')
    .replace(
      /"message":"(?:[^"\\]|\\.)+/,
      (message) => message + scope.repeat(LONG_MESSAGE_CHARS / scope.length),
    )
  return { body: Buffer.from(longer, 'latin1') }
}

const longText = (text: string) =>
  `"text-${text.slice(-1)}":"${text.replace(/a{39}/g, 'the quick brown fox jumps over the dog ')}"`

/** Servers whose bodies are as large as is read, in the shapes that cost more than their bytes. */
const large: Record<string, Behaviour> = {
  'many-records': listing(MAX_READ_ITEMS),
  'short-records': listing(240_000),
  'records-beyond-the-limit': listingBeyond(60_000, SIZE),
  'megabytes-beyond-the-limit': listingBeyond(60_000, 2 * SIZE),
  ...filled('many-members', () => items(MAX_READ_ITEMS, SIZE, (text) => `"${text}":1`)),
  ...filled('short-members', () => items(200_000, SIZE, (text) => `"${text}":1`)),
  ...filled('many-objects', () => lists((text) => `{"a":"${text}"}`)),
  ...filled('many-lists', () => lists((text) => `["${text}"]`)),
  ...filled('empty-lists', () => lists(() => '[]')),
  ...filled('long-texts', () => items(9, SIZE, longText)),
  'long-messages': changing(withLongMessage),
}

const TOKEN_SIZE = 5_000_000
const letters = () => once('letters', () => 'a1'.repeat(TOKEN_SIZE / 2))
const randomText = (bytes: number) => randomBytes(bytes).toString('hex')

/** Changes the answers that hand out a token. */
function changeTokenResponses(
  change: (honest: HonestResponse) => Partial<HonestResponse>,
): Behaviour {
  return changing((honest) => (honest.status === 201 ? change(honest) : {}))
}

function withValue(make: () => string): Behaviour {
  return changeTokenResponses(({ body }) => ({
    body: Buffer.from(body.toString().replace(/("sha1":")[^"]*/, `$1${make()}`)),
  }))
}

/** Servers that hand out tokens, or what looks like tokens, in quantities. */
const tokens: Record<string, Behaviour> = {
  'long-token': withValue(() => randomText(TOKEN_SIZE / 2)),
  // As long as some JSON Web Tokens.
  'token-of-six-kilobytes': withValue(() => randomText(3000)),
  'token-beyond-header-fields': withValue(() => 'жетон'.repeat(10) + randomText(20)),
  'token-of-one-letter': withValue(letters),
  'texts-like-tokens': changeTokenResponses((honest) => {
    const texts = Array.from({ length: 5000 }, (_, at) => `"text-${at}":"${randomText(20)}"`)
    return withMember(honest, texts.join())
  }),
  'long-text-beside-a-token': changeTokenResponses((honest) =>
    withMember(honest, `"text":"${letters()}"`),
  ),
}

/** Servers whose bodies are hostile. */
export const bodies = { ...content, ...large, ...tokens }
