import { type ExcerptLimits, excerpt, printableText } from '../printable.ts'
import { anchor } from './anchors.ts'
import { html, type Markup } from './markup.ts'
import type { PageContext } from './page-context.ts'

const limits: ExcerptLimits = { characters: 4000, lines: 60 }

const requirementOrVariable =
  /\b(?:[a-z0-9-]+(?:\/[a-z0-9-]+){2,}|(?:CODE_HOSTING|EVENT_PUBLISHING|INCIDENT_STATUS|PROBE)(?:_[A-Z0-9]+)+(?:=(?:true|false))?)\b/g

/** Text of a report: requirements that it names are linked, variables are set as code. */
export function linkedText(text: string, { requirements }: PageContext): Markup {
  const shown = printableText(excerpt(text, limits))
  const pieces: (string | Markup)[] = []
  let end = 0
  for (const match of shown.matchAll(requirementOrVariable)) {
    const [name] = match
    const isRequirement = name.includes('/')
    if (isRequirement && !requirements.has(name)) continue
    pieces.push(
      shown.slice(end, match.index),
      isRequirement ? html`<a href="#${anchor(name)}">${name}</a>` : html`<code>${name}</code>`,
    )
    end = match.index + name.length
  }
  return html`${pieces}${shown.slice(end)}`
}
