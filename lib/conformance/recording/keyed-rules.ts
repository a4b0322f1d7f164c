/** Rules about recorded requests that require a key. */
import type { Target } from '../../environment/target.ts'
import type { Exchange } from '../../probe/exchange.ts'
import { isSuccess } from '../contrast.ts'
import type { KeyedTable } from '../keyed-table.ts'
import { expect } from '../matchers.ts'
import type { ExchangeRule, RecordedTraffic } from './judge-recording.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

/** Content of the place of the key, or another place with the right key. */
type Level = 'a key' | 'another value' | 'no key' | 'the key at another place'

const decodedBasic = (value: string) =>
  Buffer.from(value.replace(/^basic\s+/i, ''), 'base64').toString()

interface KeyedExchanges {
  /** Undefined if the recording may lack the key. */
  levels: ReadonlyMap<Exchange, Level | undefined>
  /** Endpoints with a request that was accepted with the right key. */
  accepting: ReadonlySet<string | undefined>
}

/** Names the cases of exchanges. @param known right keys; by default, each that a request was accepted with */
function keyedExchanges(
  { place: [field, prefix] }: KeyedTable,
  exchanges: readonly RecordedExchange[],
  known: readonly string[] | undefined,
): KeyedExchanges {
  const contentOf = ({ request }: Exchange) => request.headers?.[field]
  const keyOf = (exchange: Exchange): string | undefined => {
    const content = contentOf(exchange) ?? ''
    const isPlaced = content.toLowerCase().startsWith(prefix.toLowerCase())
    return (isPlaced && content.slice(prefix.length).trim()) || undefined
  }
  const accepted = exchanges.filter((one) => {
    const key = keyOf(one)
    return one.request.endpoint && isSuccess(one) && key && (known?.includes(key) ?? true)
  })
  const keys = [...new Set(known ?? accepted.flatMap((one) => keyOf(one) ?? []))]
  const levelOf = (exchange: RecordedExchange): Level | undefined => {
    const { url, body, headers } = exchange.record.request
    if (keys.includes(keyOf(exchange) ?? '')) return 'a key'
    // In its place, but not as the document states.
    if (keys.some((key) => contentOf(exchange)?.includes(key))) return 'another value'
    const sent = headers.flatMap(({ value }) => [value, decodedBasic(value)])
    const places = [url, body ?? '', ...sent]
    if (places.some((text) => keys.some((key) => text.includes(key)))) {
      return 'the key at another place'
    }
    if (contentOf(exchange) !== undefined) return 'another value'
    return exchange.showsCredentials && accepted.length > 0 ? 'no key' : undefined
  }
  const levels = new Map<Exchange, Level | undefined>()
  for (const exchange of exchanges) {
    const { endpoint } = exchange.request
    const level = levelOf(exchange)
    if (endpoint && level) exchange.request.cases = new Set([`${endpoint} with ${level}`])
    levels.set(exchange, level)
  }
  return { levels, accepting: new Set(accepted.map(({ request }) => request.endpoint)) }
}

/** Returns true if an endpoint accepted another key, which another requirement judges. */
const acceptsOthers = (levels: KeyedExchanges['levels'], endpoint: string | undefined) =>
  [...levels].some(
    ([one, level]) =>
      level === 'another value' && one.request.endpoint === endpoint && isSuccess(one),
  )

/**
 * Returns what judges recorded requests of a service with a key.
 *
 * @param configuredKey returns the operator's key; without it, each key that a request was accepted with counts as right
 */
export function recordedByKey(
  table: KeyedTable,
  configuredKey: (target: Target) => string | undefined,
): RecordedTraffic {
  const ruleOf = (
    { levels, accepting }: KeyedExchanges,
    [at, kinds, expected]: KeyedTable['rules'][string],
  ): ExchangeRule[] => {
    const endpoint = table.endpoints[at]
    const create = (level: Level, assert: ExchangeRule['assert'], isPart = false) => [
      {
        isPart,
        appliesTo: (exchange: Exchange) =>
          exchange.request.endpoint === endpoint &&
          exchange.origin.by === 'service' &&
          levels.get(exchange) === level &&
          !(level === 'the key at another place' && acceptsOthers(levels, endpoint)) &&
          (isSuccess(exchange) || (level !== 'a key' && accepting.has(endpoint))),
        assert,
      },
    ]
    if (kinds.includes('none')) return create('no key', (one) => expect(one).toBeRejected())
    if (kinds.includes('elsewhere')) {
      return create('the key at another place', (one) => expect(one).toBeRejected())
    }
    if (expected === 'no body') return create('a key', (one) => expect(one).toHaveNoBody())
    return expected === 'a success with a body'
      ? create('a key', (one) => expect(one).toHaveBody(), true)
      : []
  }
  return {
    endpoints: Object.values(table.endpoints),
    rules(exchanges, target) {
      const key = configuredKey(target)
      const keyed = keyedExchanges(table, exchanges, key === undefined ? undefined : [key])
      const rules = Object.entries(table.rules)
      return Object.fromEntries(rules.map(([id, rule]) => [id, ruleOf(keyed, rule)]))
    },
  }
}
