/** Digits alone occur everywhere, so a numeric secret counts only where no other digit touches it. */
const NUMERIC = /^\d+$/

// The digits that end an escape sequence belong to the character that it stands for.
const NO_DIGIT_BEFORE = '(?:(?<!\\d)|(?<=%[\\dA-Fa-f]{2})|(?<=\\\\u[\\dA-Fa-f]{4}))'

const htmlNames = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
])

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function hexadecimal(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

function htmlReferences(character: string): string[] {
  const code = character.codePointAt(0) ?? 0
  const name = htmlNames.get(character)
  return [
    `&#0*${code};`,
    `&#[xX]0*${hexadecimal(code, 1)};`,
    ...(name === undefined ? [] : [`&${name};`]),
  ]
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Every way in which URLs, forms, JSON and HTML write a character; encoders differ in their choice. */
function characterPattern(character: string, further: readonly string[] = []): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character
  const bytes = Buffer.from(character)
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  const patterns = new Set([
    ...htmlReferences(character),
    units.map((unit) => `\\\\{1,2}u${hexadecimal(unit, 4)}`).join(''),
    [...bytes].map((byte) => `%${hexadecimal(byte, 2)}`).join(''),
    // Twice where an answer quotes the body of the request.
    literal(jsonEscaped(jsonEscaped(character))),
    literal(jsonEscaped(character)),
    ...(character === '/' ? ['\\\\{1,2}\\/'] : []),
    ...(character === ' ' ? ['\\+'] : []),
    ...further,
    // Header fields are decoded byte by byte.
    literal(bytes.toString('latin1')),
    literal(character),
  ])
  return `(?:${[...patterns].join('|')})`
}

/** Matches a text wherever it stands as it is or in an encoding that keeps its characters apart. */
export function textPattern(text: string): string {
  // Looked back from the end: a pattern that begins with a look behind is slow to search for.
  if (NUMERIC.test(text)) return `${text}(?!\\d)(?<=${NO_DIGIT_BEFORE}${text})`
  return [...text].map((character) => characterPattern(character)).join('')
}

/** Matches the base64 of a text in both alphabets (RFC 4648, 4 and 5), with padding and without. */
export function base64Pattern(text: string): string {
  const base64 = Buffer.from(text).toString('base64').replace(/=+$/, '')
  const characters = [...base64].map((character) => {
    if (character === '+') return characterPattern('+', ['-'])
    if (character === '/') return characterPattern('/', ['_'])
    return character
  })
  return `${characters.join('')}${characterPattern('=')}{0,2}`
}
