import { describe, expect, it } from 'vitest'
import { hostileText } from '../report.fixture.ts'
import { anchor, observationAnchor, sectionAnchor } from './markup.ts'

describe('anchor', () => {
  it('is the same in an address and in the page, whatever the id is', () => {
    for (const id of [hostileText, 'a b', '"<>#?%', 'ä', '\u{1f600}', '\ud800']) {
      const url = new URL(`https://ci.example.com/report.html#${anchor(id)}`)
      expect(url.hash.slice(1)).toBe(anchor(id))
      expect(anchor(id)).toMatch(/^[\w/-]+$/)
    }
  })

  it('differs where ids differ', () => {
    const ids = ['a b', 'a_20_b', 'a/b', 'a-b', 'A b', 'a_b', 'a', 'a\u0020\u0020b']
    expect(new Set(ids.map(anchor)).size).toBe(ids.length)
  })

  it('keeps observations and sections apart from requirements', () => {
    const id = 'code-hosting/tokens/created'
    expect(observationAnchor(id)).not.toBe(anchor(id))
    expect(sectionAnchor('code-hosting', 'tokens')).toBe('section/code-hosting/tokens')
  })
})
