import type { ExchangeRecord } from '../probe/exchange.ts'

function requestText({ request, attempt }: ExchangeRecord, normalize: (text: string) => string) {
  // These have the number of the exchange, which depends on time.
  const sent = request.headers.filter(({ name }) => !/^(?:User-Agent|traceparent)$/.test(name))
  const fields = sent.map(({ name, value }) => `${name}: ${value}`)
  const path = request.url.replace(/^[^/]*\/\/[^/]*/, '')
  const parts = [path, request.method, ...fields, request.body, attempt]
  const text = parts.join('\n')
  // Normalized texts are equal if only long numbers differ.
  return `${normalize(text)}\n${text}`
}

/** Sorts items by the requests of their exchanges. @param normalize removes values that differ between runs */
export function sortByRequest<T>(
  items: readonly T[],
  recordOf: (item: T) => ExchangeRecord,
  normalize: (text: string) => string,
): T[] {
  const rows = items.map((item) => ({ item, text: requestText(recordOf(item), normalize) }))
  // Compares by code units, independent of the locale of the machine.
  rows.sort((one, other) => (one.text < other.text ? -1 : Number(one.text > other.text)))
  return rows.map(({ item }) => item)
}
