import { describe, expect, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import {
  displayBody,
  displayMessage,
  displayNames,
  displayQuotedMessage,
  displayStatus,
  displayValue,
} from './deviations.ts'
import { exchangeWith } from './exchange.fixture.ts'

const json = { message: 'maria is away', login: 'maria' }
const kept = exchangeWith({ status: 401, json })
const leftOut = exchangeWith({ status: 401, json, leftOut: true })

describe('descriptions of a body', () => {
  it('have the texts of the snapshot, without values if reports keep no bodies', async () => {
    const long = 'é'.repeat(20_000)
    const values = [undefined, null, 12, 'maria', ['maria'], json, long, Array(20_000).fill(1)]
    const names = [[], ['a', 'b'], ['a', 'b', 'c', 'd'], [long, 'b']]
    const withCode = exchangeWith({ status: 401, json: { code: 'away', ...json } })
    const textsOf = (exchange: Exchange) => [
      ...[displayBody(exchange), displayQuotedMessage(exchange), displayStatus(exchange)],
      ...values.map((value) => displayValue(exchange, value)),
      ...names.map((some) => displayNames(exchange, some)),
    ]
    expect(textsOf(leftOut).join()).not.toMatch(/maria|é/)
    const texts = [...textsOf(kept), displayStatus(withCode), '', ...textsOf(leftOut), '']
    await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/descriptions.txt')
  })

  it('are one line of limited length for any body', () => {
    for (const piece of ['"\n\t\u001b[31m', '<p>é😀</p>\n', '[{"a":1}, ', '\ud800\u2028']) {
      const text = piece.repeat(10_000)
      for (const exchange of [exchangeWith({ text }), exchangeWith({ json: { message: text } })]) {
        const shown = `${displayBody(exchange)} ${displayMessage(exchange)}`
        expect(shown.length).toBeLessThan(480)
        expect(shown).not.toMatch(/[\n\t]/)
      }
    }
  })
})
