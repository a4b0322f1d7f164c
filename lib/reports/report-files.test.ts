import { expect, it } from 'vitest'
import { evidenceHar } from './har.ts'
import { junitXml } from './junit.ts'
import { reportFixture } from './report.fixture.ts'
import { reportFileNames } from './report-file-names.ts'
import { reportFiles } from './report-files.ts'
import { reportJson } from './report-json.ts'
import { summaryMarkdown } from './summary-markdown.ts'

it('begins with what a CI server goes by', () => {
  const report = reportFixture()
  const previous = reportFixture({ results: [] })
  const contents = Object.fromEntries(
    reportFiles(report, { previous }).map(({ name, content }) => [name, content]),
  )
  expect(Object.keys(contents).slice(0, 2)).toEqual(['junit.xml', 'report.json'])
  expect(Object.keys(contents)).toEqual(reportFileNames)
  expect(contents).toMatchObject({
    'junit.xml': junitXml(report),
    'report.json': reportJson(report),
    'evidence.har': evidenceHar(report),
    'summary.md': summaryMarkdown(report, previous),
  })
})
