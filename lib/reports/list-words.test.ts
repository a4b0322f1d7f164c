import { describe, expect, it } from 'vitest'
import type { LeftBehind } from '../conformance/result.ts'
import { reportHtml } from './html/report-html.ts'
import { mayExistNote } from './list-words.ts'
import { reportFixture } from './report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { terminalSummary } from './terminal.ts'

const sure: LeftBehind = { kind: 'access token', name: 'plumbline-a-all', account: 'maria' }
const unsure: LeftBehind = { ...sure, name: 'plumbline-a-read-user', mayExist: true }

const texts: Record<string, (leftBehind: LeftBehind[]) => string> = {
  terminal: (leftBehind) =>
    terminalSummary(reportFixture({ leftBehind }), { color: false, width: 120, reportFiles: [] }),
  page: (leftBehind) => reportHtml(reportFixture({ leftBehind })).replace(/<[^>]*>/g, ''),
  Markdown: (leftBehind) => summaryMarkdown(reportFixture({ leftBehind })).replaceAll('`', ''),
}

describe.each(Object.entries(texts))('what was left behind, in the %s', (_, textOf) => {
  it('says of what nobody knows to have been made that it may exist, and what that means', () => {
    const text = textOf([sure, unsure])
    const rows = text.split('\n').filter((row) => row.includes('plumbline-a-'))
    expect(rows.map((row) => row.includes('(may exist)'))).toEqual([false, true])
    expect(text.replace(/\s+/g, ' ')).toContain(mayExistNote)
    expect(textOf([sure])).not.toMatch(/may (exist|be)/i)
  })
})
