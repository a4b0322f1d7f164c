import { expect, it } from 'vitest'
import { durationText } from '../text/quantities.ts'
import { abbreviatedIds, placeInDocument } from './report-text.ts'

it.each([
  [839.6, '840 ms'],
  [12_340, '12.3 s'],
  [59_960, '1 min 00 s'],
  [185_000, '3 min 05 s'],
])('durationText of %d is %s', (milliseconds, expected) => {
  expect(durationText(milliseconds)).toBe(expected)
})

it.each([
  ['Event (publish request)', 'event-publish-request'],
  ['API settings record', 'api-settings-record'],
])('the fragment of %s is %s', (section, anchor) => {
  const documents = { a: { title: 'A', url: 'https://x.example/d' } }
  const { url } = placeInDocument({ requirement: 'a/b/c', section }, { documents })
  expect(url).toBe(`https://x.example/d#${anchor}`)
})

it('abbreviatedIds returns a few ids in full and counts many by section', () => {
  expect(abbreviatedIds(['a/b/one', 'a/b/two', 'a/c/three'])).toBe('a/b/one, a/b/two, a/c/three')
  expect(abbreviatedIds(['a/b/one', 'a/c/two', 'a/b/three', 'a/b/four'])).toBe('a/b (3), a/c/two')
})
