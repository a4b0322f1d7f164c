import { expect, it } from 'vitest'
import { Inconclusive } from '../conformance/check-errors.ts'
import { exchangeWith } from '../conformance/exchange.fixture.ts'
import type { FindingKind } from './doctor-report.ts'
import { examineKey } from './reachability.ts'

const key = { variable: 'SOME_API_KEY', ifRejected: 'target' } as const

/** Returns a request whose response has this status. */
const responding = (status: number, documentsStatuses: boolean) => async () => {
  const exchange = exchangeWith({ status, documentsStatuses })
  if (exchange.origin.by !== 'service') {
    throw new Inconclusive({ kind: 'gateway', exchange: exchange.id, status }, { exchange })
  }
  return exchange
}

it.each<[string, number, number, boolean, FindingKind]>([
  ['is accepted', 404, 401, true, 'ok'],
  ['looks refused', 401, 401, true, 'target'],
  ['is accepted if a rejection may have any status', 404, 503, false, 'ok'],
  ['is unknown after a response of a gateway', 404, 503, true, 'unknown'],
  ['is unknown after a rate limit', 429, 404, false, 'unknown'],
  ['is unknown if both statuses are equal', 404, 404, true, 'unknown'],
])(
  'examineKey reports that a key %s',
  async (_, withKey, withoutKey, documentsStatuses, expected) => {
    const kinds: FindingKind[] = []
    const requests = {
      withKey: responding(withKey, documentsStatuses),
      withoutKey: responding(withoutKey, documentsStatuses),
    }
    const recorder = {
      findings: [],
      add: (kind: FindingKind) => void kinds.push(kind),
      attempt: async () => undefined,
    }
    await examineKey(requests, key, recorder)
    expect(kinds).toEqual([expected])
  },
)
