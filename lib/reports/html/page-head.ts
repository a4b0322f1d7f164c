import { html, type Markup, raw } from './markup.ts'
import { contentSecurityPolicy } from './page-assets.ts'

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
