import { describe, expect, it, vi } from 'vitest'
import { isTooLong, mintedValues, valueIn } from './token-creation.ts'

const VALUE = 'a0b1c2d3e4f5a6b7c8d9e0f1'
const runId = 'run7'

function mintedBy(answer: unknown, redact = (text: string) => text): string[] {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const json = typeof answer === 'string' ? undefined : answer
  return mintedValues(json, text, { runId, redactor: { redact } })
}

/** Texts that look like tokens, each another one. */
const tokens = (count: number) =>
  Array.from({ length: count }, (_, index) => `token-like-text-of-number-${index}`)

describe('the token value', () => {
  it.each([
    [{ sha1: VALUE }, VALUE],
    [{ sha1: '' }, undefined],
    [{ sha1: 7 }, undefined],
    [null, undefined],
    [undefined, undefined],
  ])('in %j is %j', (json, value) => {
    expect(valueIn(json)).toBe(value)
  })

  it('is too long beyond 4 kB', () => {
    expect(isTooLong('f'.repeat(4096))).toBe(false)
    expect(isTooLong('f'.repeat(4097))).toBe(true)
  })
})

describe('what an answer hands out', () => {
  it('is the documented value first, whatever it looks like, and other likely texts', () => {
    expect(mintedBy({ list: [{ deep: VALUE }], sha1: 'short' })).toEqual(['short', VALUE])
    expect(mintedBy(`Your token is ${VALUE}.`)).toEqual([`${VALUE}.`])
  })

  it('is no text that holds another secret, nor a name of the run', () => {
    const redact = (text: string) => text.replace('secret', '$SECRET')
    expect(mintedBy([`${VALUE}-secret`, `plumbline-${runId}-a-name-of-4-words`], redact)).toEqual(
      [],
    )
  })

  it('is kept up to 4 kB', () => {
    const long = `1${'f'.repeat(5_000_000)}`
    for (const answer of [{ sha1: long }, { other: long }, `see ${long}`]) {
      expect(mintedBy(answer)).toEqual([long.slice(0, 4096)])
    }
  })

  it('is at most 16 texts beside the documented value, each once, and no other is looked into', () => {
    const redact = vi.fn((text: string) => text)
    const many = tokens(50_000)
    expect(mintedBy({ many: [...many, ...many], sha1: many[0] }, redact)).toEqual(tokens(17))
    expect(mintedBy([...many.slice(0, 3), ...many.slice(0, 3)], redact)).toEqual(tokens(3))
    expect(mintedBy(many.join('\n'), redact)).toEqual(tokens(16))
    expect(redact).toHaveBeenCalledTimes(16 + 3 + 16)
  })
})
