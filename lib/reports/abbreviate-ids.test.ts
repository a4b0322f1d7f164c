import { expect, it } from 'vitest'
import { abbreviatedIds } from './abbreviate-ids.ts'

it('abbreviatedIds returns a few ids in full and counts many by section', () => {
  expect(abbreviatedIds(['a/b/one', 'a/b/two', 'a/c/three'])).toBe('a/b/one, a/b/two, a/c/three')
  expect(abbreviatedIds(['a/b/one', 'a/c/two', 'a/b/three', 'a/b/four'])).toBe('a/b (3), a/c/two')
})
