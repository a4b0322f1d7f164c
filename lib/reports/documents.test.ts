import { expect, it } from 'vitest'
import { placeInDocument } from './format.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import { elements, readXml } from './junit-readers.fixture.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { terminalSummary } from './terminal.ts'

const title = 'Code Hosting Service HTTP API'

function runJudgedBy(url?: string) {
  const parts = { section: 'Error body', verdict: 'fail', level: 'wording' } as const
  const result = resultFixture({ requirement: 'code-hosting/errors/body', ...parts })
  const documents = { 'code-hosting': { title, ...(url !== undefined && { url }) } }
  return reportFixture({ results: [result], documents })
}

const reports = [
  [
    'the terminal',
    (report: Parameters<typeof terminalSummary>[0]) =>
      terminalSummary(report, { width: 200, color: false, reportFiles: [] }),
  ],
  ['the page', (report: Parameters<typeof reportHtml>[0]) => reportHtml(report)],
  ['junit.xml', junitXml],
  ['summary.md', (report: Parameters<typeof summaryMarkdown>[0]) => summaryMarkdown(report)],
] as const

it.each(reports)(
  '%s names the document of a failure, and says what a wording is',
  (name, render) => {
    const text = render(runJudgedBy())
    expect(text).toContain(title)
    if (name !== 'junit.xml') expect(text).toContain('PROBE_WORDING=advisory')
  },
)

it.each(reports)('%s links to the section of the document', (_name, render) => {
  const text = render(runJudgedBy('https://wiki.example.com/api.md'))
  expect(text.replace(/\s+/g, ' ')).toContain('https://wiki.example.com/api.md#error-body')
})

it('junit.xml has both as properties', () => {
  const node = readXml(junitXml(runJudgedBy('https://wiki.example.com/api.md')))
  const properties = elements(node, 'property').map(({ attributes }) => attributes)
  expect(properties).toContainEqual({ name: 'document', value: title })
  expect(properties).toContainEqual({
    name: 'document-url',
    value: 'https://wiki.example.com/api.md#error-body',
  })
})

it('summaryMarkdown escapes URLs that could end a link or a cell', () => {
  const text = summaryMarkdown(runJudgedBy('https://wiki.example.com/a(1)|b?<x>'))
  expect(text).toContain('](https://wiki.example.com/a%281%29%7cb?%3cx%3e#error-body)')
})

it.each([
  ['Event (publish request)', 'event-publish-request'],
  ['API settings record', 'api-settings-record'],
])('the fragment of %s is %s', (section, anchor) => {
  const documents = { a: { title, url: 'https://x.example/d' } }
  const { url } = placeInDocument({ requirement: 'a/b/c', section }, { documents })
  expect(url).toBe(`https://x.example/d#${anchor}`)
})
