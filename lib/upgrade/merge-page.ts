import { html, type Markup, raw, runVerdictSymbol } from '../reports/html/markup.ts'
import {
  extendedStyle,
  type PageSection,
  pageContents,
  pageHead,
  pageSection,
} from '../reports/html/page.ts'
import { counted, utcTime } from '../reports/run-words.ts'
import type { Fleet } from './merge.ts'
import { deploymentTable } from './merge-deployments.ts'
import { failingTable } from './merge-failing.ts'
import { fleetText, statusWords } from './merge-words.ts'

const dayMs = 86_400_000

function runTimes({ deployments }: Fleet): string[] {
  return deployments
    .flatMap(({ run }) => (run === undefined ? [] : [run.startedAt]))
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))
}

/** Reports that are old beside the others may be left from a run that did not take place. */
function notices(fleet: Fleet): Markup {
  const times = runTimes(fleet)
  const [first = '', last = ''] = [times[0], times.at(-1)]
  const days = Math.floor((Date.parse(last) - Date.parse(first)) / dayMs)
  const versions = new Set(fleet.deployments.flatMap(({ run }) => run?.toolVersion ?? []))
  return html`${
    days >= 1
      ? html`<p class="notice"><strong>Not of the same day.</strong> The oldest of these runs began ${counted(days, 'day', 'days')} before the newest.</p>
`
      : ''
  }${
    versions.size > 1
      ? html`<p class="notice"><strong>Not of the same version of Plumbline.</strong> Versions may judge different requirements.</p>
`
      : ''
  }`
}

function header(fleet: Fleet): Markup {
  const times = runTimes(fleet)
  const [first, last] = [times[0], times.at(-1)]
  const verdict = statusWords[fleet.status]
  return html`<header class="run ${verdict}">
${raw(productLine)}
<h1>${runVerdictSymbol(verdict)} ${fleetText(fleet)}</h1>
${notices(fleet)}<dl class="facts">
${
  first === undefined || last === undefined
    ? ''
    : html`<div><dt>Runs began</dt><dd>${first === last ? utcTime(first) : html`${utcTime(first)} to ${utcTime(last)}`}</dd></div>
`
}<div><dt>Exit status</dt><dd>${String(fleet.status)}</dd></div>
</dl>
</header>`
}

function sections(fleet: Fleet): PageSection[] {
  return [
    {
      id: 'deployments',
      title: 'Deployments and sections',
      count: fleet.deployments.length,
      requirements: false,
      content: deploymentTable(fleet),
    },
    {
      id: 'failing',
      title: 'Failing requirements',
      count: fleet.failing.length,
      requirements: false,
      content: failingTable(fleet),
    },
  ].filter(({ count }) => count > 0)
}

const bodyTag = '<body class="fleet">'

const productLine = '<p class="product">Plumbline reports side by side</p>'

/** Whether a text, of which the beginning is enough, is a page of a fleet of any version. */
export function isFleetPage(text: string): boolean {
  const body = text.indexOf(bodyTag)
  return text.startsWith('<!doctype html>') && body >= 0 && text.includes(productLine, body)
}

/**
 * The fleet as one HTML page that needs nothing else and runs no script: a table of deployments and
 * sections, and one of what fails where. Text of the reports is escaped, and what would be obeyed or
 * could not be seen is written out.
 */
export function fleetPage(fleet: Fleet): string {
  const style = extendedStyle('fleet')
  const parts = sections(fleet)
  return `${html`<!doctype html>
<html lang="en">
${pageHead({ title: `${fleetText(fleet)} (Plumbline)`, style })}
${raw(bodyTag)}
<a class="skip-link" href="#results">Skip to the results</a>
${header(fleet)}
${pageContents(parts)}
<main id="results" tabindex="-1">
${parts.map(pageSection)}</main>
<footer><p>Made by Plumbline from the report.json of each deployment.</p></footer>
</body>
</html>`}
`
}
