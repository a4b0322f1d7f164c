import fc from 'fast-check'

/** Texts with a special meaning for parsers, terminals, shells, Markdown, XML or HTML. */
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

/** Texts of special signs, and of any characters. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: fc.constantFrom(...signs), maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

/** Returns texts that consist of these pieces. */
export function textOf(...pieces: readonly string[]): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...pieces), maxLength: 40 })
}
