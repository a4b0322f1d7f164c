import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html as htmlTemplate, raw } from 'hono/html'
import { toServiceName } from '../../results/ids.ts'
import type { Verdict } from '../../results/run-report.ts'
import { capitalized, printableText } from '../../text/printable.ts'
import { verdictStyles } from '../verdict-labels.ts'

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

/** Joins HTML and texts with a separator; texts and separator are escaped. */
export function joined(pieces: readonly (Markup | string)[], separator: string): Markup {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : [separator, piece]))}`
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

/** Returns a link to a web page; only its text for another address. */
export function linkView(text: Markup | string, url = ''): Markup {
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noreferrer">${text}</a>`
    : html`${text}`
}

/** Returns `Two words` for `twoWords` and for `two-words`. */
export function displayName(name: string): string {
  return capitalized(toServiceName(name).replaceAll('-', ' ').trim())
}

/** Returns a symbol that only the eye needs. @param name class for the color of a verdict */
export function symbolView(symbol: string, name: string): Markup {
  return html`<span class="symbol ${name}" aria-hidden="true">${symbol}</span>`
}

export function verdictMark(verdict: Verdict): Markup {
  const { symbol, label } = verdictStyles[verdict]
  return html`${symbolView(symbol, verdict)}<span class="unseen"> ${label}: </span>`
}

const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

const style = asset('page.css')

const script = asset('page-script.js')

/** Returns the head of a page. Its policy (CSP Level 3) allows only its own style and script: no response body can load or run anything. */
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
