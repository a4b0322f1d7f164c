import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, type Markup, raw } from './markup.ts'

function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

// In the order of the cascade: a later one may overrule an earlier one.
const styles = ['base', 'parts', 'media']

/** The style of the page, as it stands between `<style>` and `</style>`. */
export const pageStyle = styles.map((name) => asset(`style/${name}.css`)).join('\n')

/** The script of the page, as it stands between `<script type="module">` and `</script>`. */
export const pageScript = asset('page-script.js')

function source(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}

/** The style of another page, which has further rules in `style/` under that name. */
export function extendedStyle(name: string): string {
  return `${pageStyle}\n${asset(`style/${name}.css`)}`
}

/**
 * The content security policy of a page (CSP Level 3): its own style and script and nothing else,
 * so that nothing can be loaded, sent or run, whatever a response body tries.
 */
export function contentSecurityPolicy(own: { style: string; script?: string }): string {
  return [
    "default-src 'none'",
    `style-src ${source(own.style)}`,
    ...(own.script === undefined ? [] : [`script-src ${source(own.script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** What the head of a page holds: its title, its style and, where it has one, its script. */
export interface PageHead {
  title: string
  style: string
  script?: string
}

/** The head of a page that loads nothing, sends nothing and is found by no search engine. */
export function pageHead({ title, style, script }: PageHead): Markup {
  const policy = contentSecurityPolicy({ style, ...(script === undefined ? {} : { script }) })
  return html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<style>${raw(style)}</style>${script === undefined ? '' : html`\n<script type="module">${raw(script)}</script>`}
</head>`
}

/** A section of the page. */
export interface PageSection {
  /** Of the element, and the fragment that leads to it. */
  id: string
  title: string
  /** How many things are in it. */
  count: number
  /** Whether its rows are requirements, which a search or a filter may hide. */
  requirements: boolean
  /** Everything below the heading. */
  content: Markup
}

/** Links to the sections of the page, with how much is in each. */
export function pageContents(sections: readonly PageSection[]): Markup {
  return html`<nav class="contents" aria-label="Sections of this report"><ul>
${sections.map(({ id, title, count }) => html`<li><a href="#${id}">${title}</a> <span class="count">${count}</span></li>\n`)}</ul></nav>`
}

/** A section with its heading. */
export function pageSection({ id, title, count, requirements, content }: PageSection): Markup {
  const kind = requirements ? 'requirements' : 'other'
  return html`<section class="part ${kind}" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title} <span class="count">${count}</span></h2>
${content}
</section>
`
}
