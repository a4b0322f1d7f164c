import { printableJson } from '../reports/printable.ts'
import type { Comparison } from './compare.ts'

/**
 * The comparison as JSON, indented by two spaces, with a line break at its end; it fits
 * `compare.schema.json`. What a terminal would obey is written as escapes of JSON.
 */
export function comparisonJson(comparison: Comparison): string {
  return `${printableJson(comparison)}\n`
}
