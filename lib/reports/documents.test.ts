import { expect, it } from 'vitest'
import { placeInDocument } from './format.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import { elements, readXml } from './junit-readers.fixture.ts'
import { type ReportModel, reportModel } from './model.ts'
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

const reports: [string, (model: ReportModel) => string][] = [
  [
    'the terminal',
    (model) => terminalSummary(model, { width: 200, color: false, reportFiles: [] }),
  ],
  ['the page', reportHtml],
  ['junit.xml', junitXml],
  ['summary.md', summaryMarkdown],
]

it.each(reports)(
  '%s names the document of a failure, and says what a wording is',
  (name, render) => {
    const text = render(reportModel(runJudgedBy()))
    expect(text).toContain(title)
    if (name !== 'junit.xml') expect(text).toContain('PROBE_WORDING=advisory')
  },
)

it.each(reports)('%s links to the section of the document', (_name, render) => {
  const text = render(reportModel(runJudgedBy('https://wiki.example.com/api.md')))
  expect(text.replace(/\s+/g, ' ')).toContain('https://wiki.example.com/api.md#error-body')
})

it('junit.xml has both as properties', () => {
  const node = readXml(junitXml(reportModel(runJudgedBy('https://wiki.example.com/api.md'))))
  const properties = elements(node, 'property').map(({ attributes }) => attributes)
  expect(properties).toContainEqual({ name: 'document', value: title })
  expect(properties).toContainEqual({
    name: 'document-url',
    value: 'https://wiki.example.com/api.md#error-body',
  })
})

it('summaryMarkdown escapes URLs that could end a link or a cell', () => {
  const text = summaryMarkdown(reportModel(runJudgedBy('https://wiki.example.com/a(1)|b?<x>')))
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
