import fc from 'fast-check'

/** What parsers, terminals, shells, Markdown, XML and HTML take for more than text. */
const signs = [
  ...'<>,;="\'\\/&$`|!?#%@~*_[](){}:.+- \t\n\r0aZ',
  '\u0000',
  '\u001b[31m',
  '\u009b',
  '\u202e',
  '\u200b',
  '\u2028',
  '\u00a0',
  '\ud800',
  '\udc00',
  '\u0130',
  '\ufffe',
  'é',
  '😀',
  ']]>',
  '<!--',
  '-->',
  '<script>',
  '</script>',
  '&lt;',
  '&#39;',
  '$CODE_HOSTING_PASSWORD',
  '%2e%2e',
  '\\u001b',
  '```',
  'https://x.test/',
  '__proto__',
  'constructor',
]

/** Text of signs with a meaning, and of any characters. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: fc.constantFrom(...signs), maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

/** Text of nothing but these pieces. */
export function textOf(...pieces: readonly string[]): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...pieces), maxLength: 40 })
}

/** JSON no deeper than what is read of a response. */
export const anyJson: fc.Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom(...signs) })
  // What a server sends has been text: `-0` is `0` then.
  .map((value) => JSON.parse(JSON.stringify(value)))

const LONG = 1_000_000

/**
 * Texts of a million characters: a piece again and again. What takes time that grows with the square
 * of the length would take hours for them.
 */
export function longTexts(...pieces: readonly string[]): string[] {
  return pieces.map((piece) => piece.repeat(Math.ceil(LONG / piece.length)).slice(0, LONG))
}
