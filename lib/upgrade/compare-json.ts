import type { Comparison } from './compare.ts'

// A terminal would obey or hide these, and in JSON they may be written as escapes.
const unprintable = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const code = character.charCodeAt(index).toString(16)
    return `\\u${code.padStart(4, '0')}`
  }).join('')
}

/**
 * The comparison as JSON, indented by two spaces, with a line break at its end; it fits
 * `compare.schema.json`. What a terminal would obey is written as escapes of JSON.
 */
export function comparisonJson(comparison: Comparison): string {
  return `${JSON.stringify(comparison, null, 2).replace(unprintable, escaped)}\n`
}
