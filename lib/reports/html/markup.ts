import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html as htmlTemplate, raw } from 'hono/html'
import { toServiceName } from '../../results/ids.ts'
import type { Verdict } from '../../results/run-report.ts'
import type { DisplayVerdict } from '../../results/verdict.ts'
import { capitalized, printableText } from '../../text/printable.ts'
import { verdictLabels } from '../verdict-labels.ts'

/** HTML with escaped values; `false` and `undefined` are omitted. */
export type Markup = ReturnType<typeof htmlTemplate>

function printable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(printable)
  return typeof value === 'string' ? printableText(value) : value
}

/** Template of HTML. Escapes its values, for HTML and as printable text. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): Markup {
  return htmlTemplate(strings, ...values.map(printable))
}

/** Joins HTML with a separator, which is escaped. */
export function joined(pieces: readonly Markup[], separator: string): Markup {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : [separator, piece]))}`
}

export function codeList(texts: readonly string[]): Markup {
  return joined(
    texts.map((text) => html`<code>${text}</code>`),
    ', ',
  )
}

/** Returns an element id that is also a fragment; other characters than letters, digits, `-` and `/` become `_hexadecimal_`. */
export function anchor(id: string): string {
  return id.replace(/[^a-z0-9/-]/giu, (character) => {
    return `_${(character.codePointAt(0) ?? 0).toString(16)}_`
  })
}

export function linkTo(id: string, text = id): Markup {
  return html`<a href="#${anchor(id)}">${text}</a>`
}

export function sectionAnchor(service: string, section: string): string {
  return anchor(`section/${service}/${section}`)
}

/** Returns `Two words` for `twoWords` and for `two-words`. */
export function displayName(name: string): string {
  return capitalized(toServiceName(name).replaceAll('-', ' ').trim())
}

const symbols: Record<Verdict | DisplayVerdict, string> = {
  pass: '✓',
  fail: '✕',
  inconclusive: '?',
  skipped: '–',
  waived: '≈',
  advisory: '!',
  conformant: '✓',
  nonconformant: '✕',
  belowThreshold: '◐',
  deviating: '≈',
}

export function verdictSymbol(verdict: keyof typeof symbols): Markup {
  return html`<span class="symbol ${verdict}" aria-hidden="true">${symbols[verdict]}</span>`
}

export function verdictMark(verdict: Verdict): Markup {
  return html`${verdictSymbol(verdict)}<span class="unseen"> ${verdictLabels[verdict]}: </span>`
}

const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

const style = asset('page.css')

const script = asset('page-script.js')

/**
 * Returns the head of a page. Its content security policy (CSP Level 3) allows only its own style and
 * script, so that no response body can load, send or run anything.
 */
export function pageHead(title: string): Markup {
  const source = (content: string) =>
    `'sha256-${createHash('sha256').update(content).digest('base64')}'`
  const policy = [
    "default-src 'none'",
    `style-src ${source(style)}`,
    `script-src ${source(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<style>${raw(style)}</style>
<script type="module">${raw(script)}</script>
</head>`
}

export interface PageSection {
  id: string
  title: string
  count: number
  content: Markup
}

export function pageContents(sections: readonly PageSection[]): Markup {
  return html`<nav class="contents" aria-label="Sections of this report"><details><summary>Sections</summary><ul>
${sections.map(({ id, title, count }) => html`<li><a href="#${id}">${title}</a> <span class="count">${count}</span></li>\n`)}</ul></details></nav>`
}

export function pageSection({ id, title, count, content }: PageSection): Markup {
  return html`<section class="part" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title} <span class="count">${count}</span></h2>
${content}
</section>
`
}
