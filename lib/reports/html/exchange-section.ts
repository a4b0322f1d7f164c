import { printableLine } from '../printable.ts'
import { anchor } from './anchors.ts'
import { exchangeTitle, listedExchange } from './exchange-view.ts'
import { html } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import type { PageContext } from './page-context.ts'

/** Every exchange in the order of sending; one that is shown further up is linked there. */
export function exchangeSection({ report, shownBy }: PageContext): PageSection {
  const items = report.exchanges.map((exchange) =>
    shownBy.has(exchange.id)
      ? html`<li class="shown-above"><a href="#${anchor(exchange.id)}">${printableLine(exchange.id)}</a> ${exchangeTitle(exchange)}, shown further up</li>\n`
      : html`<li>${listedExchange(exchange)}</li>\n`,
  )
  return {
    id: 'exchanges',
    title: 'Exchanges',
    count: items.length,
    requirements: false,
    content: html`<p class="note">Every request in the order of sending, with what came back. Secrets are written as the names of their variables.</p>
<details class="all-exchanges"><summary>Show them</summary>
<ul class="exchanges">
${items}</ul></details>`,
  }
}
