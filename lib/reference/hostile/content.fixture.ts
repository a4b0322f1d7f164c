import { gzipSync } from 'node:zlib'
import { type Behaviour, changing, type HonestResponse } from './behaviour.fixture.ts'

const DEPTH = 100_000
const DIGITS = 1_000_000
const LAYERS = 1000

/** The body with one more member at the start of its object, or of the first in its list. */
export function withMember(honest: HonestResponse, member: string): HonestResponse {
  const text = honest.body.toString('latin1')
  const [start] = /^\s*\[?\s*\{/.exec(text) ?? ['']
  if (start === '') return honest
  const rest = text.slice(start.length)
  const separator = rest.trimStart().startsWith('}') ? '' : ','
  return { ...honest, body: Buffer.from(`${start}${member}${separator}${rest}`, 'latin1') }
}

function encoded(honest: HonestResponse, codings: string, body: Buffer): HonestResponse {
  if (honest.body.length === 0) return honest
  return { ...honest, fields: [...honest.fields, ['Content-Encoding', codings]], body }
}

let bomb: Buffer | undefined
/** 100 kB that are 100 MB without their coding. */
function gzipBomb(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(100 * 1024 * 1024))
  return bomb
}

/** Servers whose bodies are more, or something else, than they look like. */
export const content: readonly Behaviour[] = [
  changing('gzip-bomb', 'sends a small body that is 100 MB when decoded', (honest) =>
    encoded(honest, 'gzip', gzipBomb()),
  ),
  changing('thousand-codings', 'names the same content coding a thousand times', (honest) =>
    encoded(honest, Array.from({ length: LAYERS }, () => 'gzip').join(), gzipSync(honest.body)),
  ),
  changing('wrong-coding', 'calls a body gzip that is not', (honest) =>
    encoded(honest, 'gzip', honest.body),
  ),
  changing('unknown-coding', 'uses a content coding of its own', (honest) =>
    encoded(honest, 'x-riddle', Buffer.from(honest.body.map((byte) => byte ^ 0xff))),
  ),
  changing('invalid-utf-8', 'sends text that is not UTF-8', (honest) =>
    withMember(honest, '"description":"caf\xe9"'),
  ),
  changing('deep-json', 'nests its JSON 100,000 deep', (honest) =>
    withMember(honest, `"deep":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`),
  ),
  changing('long-number', 'sends a number of a million digits', (honest) =>
    withMember(honest, `"size":${'7'.repeat(DIGITS)}`),
  ),
  changing('prototype-keys', 'names members after parts of JavaScript objects', (honest) =>
    withMember(
      honest,
      '"__proto__":{"login":"nobody","message":"x","sha1":"y"},' +
        '"constructor":{"prototype":{"login":"nobody"}},"toString":1,"hasOwnProperty":null',
    ),
  ),
  changing('ten-megabytes', 'pads each body to just under the limit', (honest) =>
    withMember(honest, `"padding":"${'a'.repeat(10_000_000)}"`),
  ),
]
