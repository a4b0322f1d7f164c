import type { RunReport } from '../../conformance/result.ts'
import { excerpt, printableLine } from '../printable.ts'
import { html, type Markup } from './markup.ts'
import type { PageSection } from './page-contents.ts'

const valueLimits = { characters: 600, lines: 8 }

function setting([name, value]: [string, string | number | boolean]): Markup {
  const text = excerpt(String(value), valueLimits)
  return html`<div><dt><code>${printableLine(name)}</code></dt><dd>${text === `$${name}` ? 'set' : html`<code>${printableLine(text)}</code>`}</dd></div>
`
}

/** What the run went by. */
export function settingsSection({ settings = {} }: RunReport): PageSection {
  const entries = Object.entries(settings)
  return {
    id: 'settings',
    title: 'Settings',
    count: entries.length,
    requirements: false,
    content: html`<details><summary>What the run went by, its defaults too; secrets are not shown</summary>
<dl class="values">
${entries.map(setting)}</dl></details>`,
  }
}
