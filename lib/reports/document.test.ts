import { describe, expect, it } from 'vitest'
import { joinedTexts, type Section, type Text } from './document.ts'
import { markdownDocument } from './markdown.ts'
import { lineRows, sectionLines, terminalStyle } from './terminal-document.ts'

const style = terminalStyle({ color: false, width: 40 })
const sectionOf = (text: Text, parts: Partial<Section> = {}): Section => {
  const details = [{ label: 'l', text }, { text }]
  return { title: 'T', entries: [{ title: 's', name: text, details }], ...parts }
}
const rowsOf = (...parameters: Parameters<typeof sectionLines>) =>
  lineRows(sectionLines(...parameters), style)
const markdownOf = (...sections: Section[]) => markdownDocument([], sections, 'there')

describe('sections', () => {
  const many = {
    title: 'T',
    entries: Array.from({ length: 9 }, (_, name) => ({ name: `${name}` })),
  }

  it('without entries are omitted', () => {
    expect(rowsOf({ title: 'T', entries: [] })).toEqual([])
    expect(markdownOf({ title: 'T', entries: [] })).toBe('\n')
  })

  it('name the number of the entries that are omitted', () => {
    const rows = rowsOf(many, 4)
    expect(rows.slice(1, 6)).toEqual(['T (9)', '  0', '  1', '  2', '  3'])
    expect(rows.slice(6)).toEqual([expect.stringMatching(/^ {2}.*\b5\b/)])
  })

  it('are folded in Markdown after the others', () => {
    const text = markdownOf({ ...many, folded: true }, { ...many, title: 'U' })
    const titles = text.match(/^(?:<summary>|### )\w/gm)
    expect(titles).toEqual(['### U', '<summary>T'])
  })

  it('are items of a list in Markdown', () => {
    const lines = markdownOf(sectionOf('x')).trimEnd().split('\n').slice(1)
    expect(lines).toEqual(['', '- x: s', '  - l: x', '  - x'])
  })
})

it('joinedTexts separates texts, not their spans', () => {
  const code = { code: 'b' }
  expect(joinedTexts(['a', [code, 'c'], 'd'], '; ')).toEqual(['a', '; ', code, 'c', '; ', 'd'])
})
