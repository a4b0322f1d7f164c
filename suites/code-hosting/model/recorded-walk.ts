import type { RecordedExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'

/** Maximum time between pages that are compared, since other clients may change the list. */
const MAX_GAP_MS = 10_000

interface RecordedPage {
  exchange: RecordedExchange
  number: number
  names: readonly string[]
}

/** Returns an item that another page of the same list had shortly before, by the exchange of the later page. */
export function repeatedItems(
  all: readonly RecordedPage[],
  exchanges: readonly RecordedExchange[],
) {
  const repeated = new Map<Exchange, string | undefined>()
  const changes = exchanges.filter(({ request }) => !/^(?:GET|HEAD|OPTIONS)$/.test(request.method))
  const lists = new Map<
    string,
    { items: Map<string, number>; since: RecordedExchange; total: unknown }
  >()
  for (const { exchange, number, names } of all) {
    const { credentials, url, headers } = exchange.request
    if (credentials === undefined) continue
    const rest = [...url.searchParams].filter(([name]) => name !== 'page')
    const key = JSON.stringify([credentials, rest, headers?.Sudo])
    const total = exchange.headers.get('x-total-count')
    const list = lists.get(key)
    const isSame =
      list !== undefined &&
      list.total === total &&
      exchange.startedAt - list.since.startedAt <= MAX_GAP_MS &&
      !changes.some(
        (one) => one.endedAt >= list.since.startedAt && one.startedAt <= exchange.endedAt,
      )
    const current = isSame ? list : { items: new Map(), since: exchange, total }
    lists.set(key, current)
    if (isSame) {
      repeated.set(
        exchange,
        names.find((name) => (current.items.get(name) ?? number) !== number),
      )
    }
    for (const name of names) current.items.set(name, number)
  }
  return repeated
}
