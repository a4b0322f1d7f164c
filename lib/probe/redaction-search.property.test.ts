import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Form, FormSearch } from './redaction-search.ts'

const texts = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '%', 'İ', 'é'), maxLength: 4 })
const some = texts.filter((text) => text !== '')

const forms: fc.Arbitrary<Form> = fc.record(
  {
    parts: fc
      .array(fc.oneof(some, fc.array(texts, { minLength: 1, maxLength: 3 })), {
        minLength: 1,
        maxLength: 3,
      })
      .filter((parts) => parts.some((part) => ![part].flat().includes(''))),
    anyCase: fc.boolean(),
    before: fc.array(some, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['parts'] },
)

const inAnyCase = (text: string) => text.replaceAll('İ', 'i').toLowerCase()

/** Every text that the parts can be. */
function spelledOut({ parts }: Form): string[] {
  let all = ['']
  for (const part of parts) {
    all = all.flatMap((text) => [part].flat().map((way) => text + way))
  }
  return all
}

/** Where the form is that begins there and reaches furthest, found by trying all that it can be. */
function longestAt(form: Form, text: string, begins: number): { start: number; end: number }[] {
  const folded = (it: string) => (form.anyCase ? inAnyCase(it) : it)
  const ends = spelledOut(form)
    .filter((way) => way !== '' && folded(text).startsWith(folded(way), begins))
    .map((way) => begins + way.length)
  if (ends.length === 0) return []
  const end = Math.max(...ends)
  if (form.before === undefined) return [{ start: begins, end }]
  const starts = form.before
    .filter((way) => text.slice(0, begins).endsWith(way))
    .map((way) => begins - way.length)
  return starts.length === 0 ? [] : [{ start: Math.min(...starts), end }]
}

describe('a search for forms', () => {
  it('finds what trying every text at every place finds', () => {
    const searched = fc.string({ unit: fc.constantFrom(...'aAbB%İé'), maxLength: 20 })
    fc.assert(
      fc.property(forms, searched, (form, text) => {
        const search = new FormSearch<number>()
        search.add(form, 7)
        const expected = Array.from(text, (_, begins) => longestAt(form, text, begins)).flat()
        expected.sort((a, b) => a.start - b.start || a.end - b.end)
        const found = search.find(text)
        found.sort((a, b) => a.start - b.start || a.end - b.end)
        expect(found).toEqual(expected.map((place) => ({ ...place, meaning: 7 })))
        for (const { start, end } of found) expect(end - start).toBeLessThanOrEqual(search.longest)
      }),
      { numRuns: 800 },
    )
  })

  it('of many forms finds each where it finds it alone', () => {
    const searched = fc.string({ unit: fc.constantFrom(...'aAbB%İé'), maxLength: 20 })
    fc.assert(
      fc.property(fc.array(forms, { maxLength: 5 }), searched, (all, text) => {
        const search = new FormSearch<number>()
        for (const [index, form] of all.entries()) search.add(form, index)
        const alone = all.flatMap((form, index) => {
          const one = new FormSearch<number>()
          one.add(form, index)
          return one.find(text)
        })
        for (const place of search.find(text)) expect(alone).toContainEqual(place)
        const reached = (places: typeof alone, start: number) =>
          Math.max(-1, ...places.filter((place) => place.start === start).map(({ end }) => end))
        const without = all.every(({ before }) => before === undefined)
        for (const { start } of without ? alone : []) {
          expect(reached(search.find(text), start)).toBe(reached(alone, start))
        }
      }),
      { numRuns: 150 },
    )
  })
})
