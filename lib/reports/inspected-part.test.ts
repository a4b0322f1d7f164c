import { describe, expect, it } from 'vitest'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { annotations } from './annotations.ts'
import { pageText } from './html/page-tags.fixture.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import { type ReportModel, reportModel } from './model.ts'
import { exchangeFixture, reportFixture, resultFixture } from './report.fixture.ts'
import { terminalSummary } from './terminal.ts'

const nameOf = (index: number) => `maria/repository-${index}`

const body = JSON.stringify(
  Array.from({ length: 400 }, (_, index) => ({
    id: index,
    full_name: nameOf(index),
    description: 'x'.repeat(90),
    permissions: { admin: true, push: true, pull: true },
  })),
)

/** Failure with an exchange whose list has more than 60 kB. */
function report(reads: RequirementResult['reads'], status = 200): RunReport {
  const headers = [{ name: 'X-PerPage', value: '50' }]
  const response = { status, headers, body, bodyBytes: body.length }
  const parts = { expected: 'no private one', actual: 'a private one', ...(reads && { reads }) }
  const result = resultFixture({ verdict: 'fail', exchanges: ['e1'], ...parts })
  return reportFixture({ results: [result], exchanges: [exchangeFixture({ response })] })
}

const located = report({ pointer: '/317/full_name' })
const wrong = nameOf(317)

const texts: Record<string, (model: ReportModel) => string> = {
  terminal: (model) => terminalSummary(model, { color: false, width: 100, reportFiles: [] }),
  page: (model) => reportHtml(model).split('id="history"')[0] ?? '',
  'junit.xml': junitXml,
  annotations,
}

describe.each(Object.entries(texts))(
  'the %s of a failure in one record of a long list',
  (_name, textOf) => {
    it('shows the record and its place, not the ends of the list', () => {
      expect(body.length).toBeGreaterThan(60_000)
      const text = textOf(reportModel(located))
      expect(text).toContain(wrong)
      expect(text).toContain('/317/full_name')
      expect(text).not.toContain(`${nameOf(1)}"`)
      expect(text.length).toBeLessThan(textOf(reportModel(report(undefined))).length + 3000)
    })
  },
)

describe('marks', () => {
  it('are in the margin of a terminal', () => {
    const rows = texts.terminal?.(reportModel(located)).split('\n') ?? []
    expect(rows.filter((row) => row.startsWith('   ! '))).toEqual([
      `   ! <     "full_name": "${wrong}",`,
    ])
  })

  it('start the line in junit.xml', () => {
    const lines = texts['junit.xml']?.(reportModel(located)).split('\n') ?? []
    expect(lines.filter((line) => line.startsWith('! '))).toEqual([
      `! <     "full_name": "${wrong}",`,
    ])
  })

  it('are elements of the page, visible without unfolding', () => {
    const page = reportHtml(reportModel(located))
    expect(
      [...page.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, text = '']) => pageText(text)),
    ).toEqual([`    "full_name": "${wrong}",`])
    const [before = ''] = page.split('<mark>')
    // The open exchange is its only enclosing fold.
    const around = before.split('<details').length - before.split('</details>').length
    expect(around).toBe(1)
  })
})

it.each<[string, RequirementResult['reads'], boolean]>([
  ['a header field', { header: 'X-PerPage' }, true],
  ['the status', { status: true }, true],
  ['a part of the body', { pointer: '/0/id' }, false],
  ['the whole body', undefined, false],
])('reportHtml folds the body if only %s is wrong: %j, %s', (_name, reads, isFolded) => {
  const [, response = ''] = reportHtml(reportModel(report(reads))).split('<b>Response</b>')
  const [before = ''] = response.split('<pre class="body"')
  expect(/<details[^>]*>(?!.*<\/details>)/s.test(before)).toBe(isFolded)
})
