import type { LeftBehind, RunReport } from '../../conformance/result.ts'
import { mayExistNotes, stateText } from '../left-behind-words.ts'
import { printableSentence } from '../printable.ts'
import { html, type Markup } from './markup.ts'
import type { PageSection } from './page-contents.ts'

function thing(left: LeftBehind): Markup {
  const { kind, name, account } = left
  return html`<li>${printableSentence(kind)} <code>${printableSentence(name)}</code>, account ${printableSentence(account)}${stateText(left)}</li>
`
}

function tokensNote(leftBehind: readonly LeftBehind[]): Markup {
  return leftBehind.some(({ kind }) => kind === 'access token')
    ? html`<p class="hint">Both a run and a sweep take access tokens away where <code>CODE_HOSTING_TOKEN_DELETE_PATH</code> says how.</p>`
    : html``
}

/** What somebody has to delete on the target. */
export function leftBehindSection({ leftBehind }: RunReport): PageSection {
  return {
    id: 'left-behind',
    title: 'Left on the target',
    count: leftBehind.length,
    requirements: false,
    content: html`<p>The run asked for these and did not take them away. ${mayExistNotes(leftBehind).map((note) => `${note} `)}<code>plumbline sweep</code> does, by the ledger in the reports directory; otherwise delete them by hand.</p>
${tokensNote(leftBehind)}
<ul class="left-behind">
${leftBehind.map(thing)}</ul>`,
  }
}
