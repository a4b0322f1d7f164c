import { describe, expect, it } from 'vitest'
import { exchangeWith } from '../lib/conformance/exchange.fixture.ts'
import type { Run } from '../lib/conformance/probe-run.ts'
import { Redactor } from '../lib/probe/redaction/redaction.ts'
import { type KeyedCase, type KeyedOptions, KeyedRequests, withWrongKey } from './keyed.ts'

/** Returns the requests of a service that accepts the key only. */
function requests(key: string) {
  const redactor = new Redactor()
  const sent: KeyedOptions[] = []
  const respond = (one: Pick<KeyedCase, 'key'>) =>
    exchangeWith({ status: one.key === 'right' ? 202 : 401, documentsStatuses: false })
  const publish = {
    right: async () => respond({ key: 'right' }),
    send: async (options: KeyedOptions, one: KeyedCase) => {
      sent.push(options)
      return respond(one)
    },
  }
  const run = { redactor, settings: { target: { probe: { retries: 0 } } }, wait: async () => {} }
  const sender = new KeyedRequests({
    ...{ run: run as unknown as Run, variable: 'API_KEY', place: ['X-Key', ''] as const },
    ...{ otherFields: ['X-Other'], getKey: () => key },
    endpoints: { publish },
  })
  return { sender, sent, redactor }
}

describe('KeyedRequests', () => {
  it('redacts near misses, and skips those that reveal or change nothing', async () => {
    const { cases } = withWrongKey('publish', 'longer')
    const skippedFor = async (key: string) => {
      const { sender, sent, redactor } = requests(key)
      const outcomes = await Promise.allSettled(cases.map(sender.send))
      const skipped = outcomes.filter(({ status }) => status === 'rejected').length
      return {
        skipped,
        redacted: sent.map(({ headers }) => redactor.redact(headers?.['X-Key'] ?? '')),
      }
    }
    const names = ['OTHER_START', 'OTHER_END', 'SHORTER', 'OTHER_CASE']
    const { skipped, redacted } = await skippedFor('a-key-of-a-service')
    expect(skipped).toBe(0)
    expect(redacted).toEqual(
      expect.arrayContaining(['$WRONG_KEY', ...names.map((name) => `$API_KEY_${name}`)]),
    )
    expect((await skippedFor('secret')).skipped).toBe(4)
    expect((await skippedFor('0123-4567-89')).skipped).toBe(1)
  })
})
