import type { RunReport } from '../../conformance/result.ts'
import { verdicts } from '../../conformance/result.ts'
import { counted } from '../run-words.ts'
import { countVerdicts, verdictWords } from '../verdict-counts.ts'
import { html, type Markup } from './markup.ts'
import { verdictSymbol } from './verdict-mark.ts'

/** What the keys `n` and `p` go through: failures, or what got no verdict where nothing failed. */
function jumpTarget({ results }: RunReport): { verdict: string; name: string } | undefined {
  const has = (wanted: string) => results.some(({ verdict }) => verdict === wanted)
  if (has('fail')) return { verdict: 'fail', name: 'failure' }
  if (has('inconclusive')) return { verdict: 'inconclusive', name: 'row without a verdict' }
  return undefined
}

function keys(report: RunReport): Markup {
  const jump = jumpTarget(report)
  const jumps =
    jump === undefined ? '' : html`, <kbd>n</kbd> next and <kbd>p</kbd> previous ${jump.name}`
  return html`<label class="keys"><input type="checkbox" id="keys" checked data-jump="${jump?.verdict ?? ''}"> Keys: <kbd>/</kbd> search, <kbd>Esc</kbd> show everything${jumps}</label>`
}

/**
 * Search and filters for the rows of the page. They need the script: until it runs, they are hidden.
 */
export function requirementControls(report: RunReport): Markup {
  const counts = countVerdicts(report.results)
  const buttons = verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map(
      (verdict) =>
        html`<button type="button" class="filter" aria-pressed="false" data-verdict="${verdict}">${verdictSymbol(verdict)} ${counts[verdict]} ${verdictWords[verdict]}</button>\n`,
    )
  return html`<div class="controls" role="search" aria-label="Requirements" hidden>
<label class="search"><span>Search</span> <input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="id, statement or reason"></label>
<div class="filters" role="group" aria-label="Show only requirements that are">
${buttons}</div>
<p id="shown" role="status">${counted(report.results.length, 'requirement', 'requirements')}</p>
${keys(report)}
</div>`
}
