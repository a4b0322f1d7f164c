import { html } from 'hono/html'
import type { RunVerdict, Verdict } from '../../conformance/result.ts'
import { printableSentence } from '../printable.ts'
import { serviceName } from '../run-words.ts'
import { verdictWords } from '../verdict-counts.ts'

export { html, raw } from 'hono/html'

/** HTML in which every value has been escaped: what the `html` template gives. */
export type Markup = ReturnType<typeof html>

/** Pieces of HTML with a separator between each two, which is escaped like any text. */
export function joined(pieces: readonly Markup[], separator: string): Markup {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : [separator, piece]))}`
}

/**
 * An id as the `id` of an element and as the fragment of a URL, which need the same characters: all
 * but letters, digits, `-` and `/` are written as `_hexadecimal_`. Ids of requirements stay as they
 * are.
 */
export function anchor(id: string): string {
  return id.replace(/[^a-z0-9/-]/giu, (character) => {
    return `_${(character.codePointAt(0) ?? 0).toString(16)}_`
  })
}

/** The anchor of an observation, whose id may be that of a requirement too. */
export function observationAnchor(id: string): string {
  return anchor(`observation/${id}`)
}

/** The anchor of a section of the page's list of requirements. */
export function sectionAnchor(service: string, section: string): string {
  return anchor(`section/${service}/${section}`)
}

/** A name of several words for readers: `Code hosting` for `codeHosting` and for `code-hosting`. */
export function spokenName(name: string): string {
  const words = serviceName(name).replaceAll('-', ' ').trim()
  return printableSentence(words.charAt(0).toUpperCase() + words.slice(1))
}

const symbols: Record<Verdict, string> = {
  pass: '✓',
  fail: '✕',
  inconclusive: '?',
  skipped: '–',
  waived: '≈',
  advisory: '!',
}

const runSymbols: Record<RunVerdict, Verdict> = {
  conformant: 'pass',
  nonconformant: 'fail',
  inconclusive: 'inconclusive',
}

/** A sign for a verdict that stands beside its word: a shape and a colour. */
export function verdictSymbol(verdict: Verdict): Markup {
  return html`<span class="symbol ${verdict}" aria-hidden="true">${symbols[verdict]}</span>`
}

/** A sign for a verdict with its word for those who cannot see it. */
export function verdictMark(verdict: Verdict): Markup {
  return html`${verdictSymbol(verdict)}<span class="unseen"> ${verdictWords[verdict]}: </span>`
}

/** A large sign for the verdict on a run. */
export function runVerdictSymbol(verdict: RunVerdict): Markup {
  return verdictSymbol(runSymbols[verdict])
}
