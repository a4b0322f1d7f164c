import { expect, it } from 'vitest'
import { Inconclusive } from '../conformance/check-errors.ts'
import { exchangeWith } from '../conformance/exchange.fixture.ts'
import type { FindingKind } from './doctor-report.ts'
import { examineKey } from './reachability.ts'

const key = { variable: 'SOME_API_KEY', refused: 'target' } as const

/** A request that is answered with a status, as a run sends it. */
const asked = (status: number, documentsStatuses: boolean) => async () => {
  const exchange = exchangeWith({ status, documentsStatuses })
  if (exchange.origin.by !== 'service') {
    throw new Inconclusive({ kind: 'gateway', exchange: exchange.id, status }, { exchange })
  }
  return exchange
}

it.each<[string, number, number, boolean, FindingKind]>([
  ['is accepted', 404, 401, true, 'good'],
  ['looks refused', 401, 401, true, 'target'],
  ['is accepted, where a rejection may have any status', 404, 503, false, 'good'],
  ['is not known, where a gateway was in the way', 404, 503, true, 'untold'],
  ['is not known, where a gateway asks to wait', 429, 404, false, 'untold'],
  ['is not known, where it changes nothing', 404, 404, true, 'untold'],
])('a key %s', async (_, withKey, withoutKey, documentsStatuses, expected) => {
  const kinds: FindingKind[] = []
  const requests = {
    withKey: asked(withKey, documentsStatuses),
    withoutKey: asked(withoutKey, documentsStatuses),
  }
  const notes = {
    findings: [],
    add: (kind: FindingKind) => void kinds.push(kind),
    attempt: async () => undefined,
  }
  await examineKey(requests, key, notes)
  expect(kinds).toEqual([expected])
})
