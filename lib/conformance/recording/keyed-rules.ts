/** Rules about recorded requests that require a key, whose accepted values the recording shows. */
import type { Exchange } from '../../probe/exchange.ts'
import { isSuccess } from '../contrast.ts'
import type { KeyedTable } from '../keyed-cases.ts'
import { expect } from '../matchers.ts'
import type { RecordedRule, RecordedRules, RecordedTraffic } from './judge-recording.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

/** Content of the place of the key, and whether an accepted key is at another place. */
type Level = 'a key' | 'another value' | 'no key' | 'the key at another place'

/** Returns what judges recorded requests of a service with a key. */
export function recordedByKey(table: KeyedTable): RecordedTraffic {
  const [field, prefix] = table.place
  const contentOf = ({ request }: Exchange) => request.headers?.[field]
  const keyOf = (exchange: Exchange): string | undefined => {
    const content = contentOf(exchange) ?? ''
    const isPlaced = content.toLowerCase().startsWith(prefix.toLowerCase())
    return isPlaced ? content.slice(prefix.length).trim() || undefined : undefined
  }

  function rules(exchanges: readonly RecordedExchange[]): RecordedRules {
    const accepted = exchanges.filter((one) => one.request.endpoint && isSuccess(one) && keyOf(one))
    const keys = new Set(accepted.map(keyOf))
    const controls = new Set(accepted.map(({ request }) => request.endpoint))
    const isElsewhere = ({ record: { request } }: Exchange) => {
      const places = [request.url, request.body ?? '', ...request.headers.map(({ value }) => value)]
      return places.some((text) => [...keys].some((key) => text.includes(String(key))))
    }
    /** Returns undefined if the recording may lack the key. */
    const levelOf = (exchange: RecordedExchange): Level | undefined => {
      if (keyOf(exchange) !== undefined) return 'a key'
      if (isElsewhere(exchange)) return 'the key at another place'
      if (contentOf(exchange) !== undefined) return 'another value'
      return exchange.showsCredentials && keys.size > 0 ? 'no key' : undefined
    }
    const levels = new Map<Exchange, Level | undefined>()
    for (const exchange of exchanges) {
      const { endpoint } = exchange.request
      const level = levelOf(exchange)
      if (endpoint && level) exchange.request.cases = new Set([`${endpoint} with ${level}`])
      levels.set(exchange, level)
    }
    const rejects = (endpoint: string, level: Level): RecordedRule => ({
      absenceReason: 'no such request beside one that was accepted',
      appliesTo: (exchange) =>
        exchange.request.endpoint === endpoint &&
        exchange.origin.by === 'service' &&
        levels.get(exchange) === level &&
        (isSuccess(exchange) || controls.has(endpoint)),
      assert: (exchange) => expect(exchange).toBeRejected(),
    })
    const succeeds = (
      endpoint: string,
      assert: RecordedRule['assert'],
      isPart: boolean,
    ): RecordedRule => ({
      absenceReason: 'no accepted request',
      isPart,
      appliesTo: (exchange) =>
        exchange.request.endpoint === endpoint &&
        levels.get(exchange) === 'a key' &&
        isSuccess(exchange),
      assert,
    })
    return Object.fromEntries(
      Object.entries(table.rules).map(([id, [at, kinds, expected]]): [string, RecordedRule[]] => {
        const endpoint = table.endpoints[at] as string
        const found: Partial<Record<string, RecordedRule>> = {
          ...(kinds.includes('none') && { rule: rejects(endpoint, 'no key') }),
          ...(kinds.includes('elsewhere') && {
            rule: rejects(endpoint, 'the key at another place'),
          }),
          ...(expected === 'no body' && {
            rule: succeeds(endpoint, (exchange) => expect(exchange).toHaveNoBody(), false),
          }),
          ...(expected === 'a success with a body' && {
            rule: succeeds(endpoint, (exchange) => expect(exchange).toHaveBody(), true),
          }),
        }
        return [id, [found.rule ?? []].flat()]
      }),
    )
  }

  return { endpoints: Object.values(table.endpoints), rules }
}
