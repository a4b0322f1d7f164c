import { expect, it } from 'vitest'
import { abbreviatedIds, placeInDocument } from './report-text.ts'

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
