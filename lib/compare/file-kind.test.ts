import { describe, expect, it } from 'vitest'
import { baselineText } from '../baseline/file.ts'
import { historyLine } from '../history/line.ts'
import { reviewHistory } from '../history/review.ts'
import { historyJson } from '../history/text.ts'
import { evidenceHar } from '../reports/har.ts'
import { reportHtml } from '../reports/html/report-html.ts'
import { junitXml } from '../reports/junit.ts'
import { reportFixture } from '../reports/report.fixture.ts'
import { reportJson } from '../reports/report-json.ts'
import { withAddedWaivers } from '../waivers/edit.ts'
import { compareReports } from './compare.ts'
import { kindOfText } from './file-kind.ts'
import { comparisonJson } from './json.ts'
import { storedReport } from './stored-report.fixture.ts'

const report = reportFixture()
const line = historyLine(report, 1)
const waiver = { requirement: 'a/b/c', reason: 'why', owner: 'Maria', expires: '2027-01-31' }
const baseline = baselineText({ schema: 1, target: {}, observations: { 'a/b/c': 1 } })

describe('kindOfText', () => {
  it.each([
    ['report', reportJson(report)],
    ['report', reportJson(report).slice(0, 300)],
    ['baseline', baseline],
    ['baseline', baseline.slice(0, 40)],
    ['waivers', withAddedWaivers('', [waiver])],
    ['waivers', withAddedWaivers('', [waiver], true)],
    ['waivers', '# Of staging\n\n# until spring\n---\nwaivers:\n\t- broken'],
    ['history', `${JSON.stringify(line)}\n`],
    ['history', `${JSON.stringify(line)}\n${JSON.stringify(line)}\n`],
    ['history review', historyJson(reviewHistory([line], 30), 30)],
    ['comparison', comparisonJson(compareReports(storedReport(), storedReport()))],
    ['doctor', '{"schema":1,"tool":{"name":"plumbline"},"findings":[],"nextSteps":[]}'],
    ['ledger', '{"run":"x","at":"2026-01-20T14:48:00Z","event":"begun"}\n{"ru'],
    ['HAR', evidenceHar(report)],
    ['JUnit', junitXml(report)],
    ['HTML', reportHtml(report)],
    ['environment', '# Staging\nCODE_HOSTING_BASE_URL=https://git.example.com\n'],
  ])('knows a %s', (kind, text) => {
    expect(kindOfText(text)).toBe(kind)
  })

  it.each([
    '',
    '{}',
    '[]',
    'null',
    '7',
    '{"schema":1,',
    'text',
    '"waivers"',
    '# Hello\n\n- waivers',
  ])('takes %j for none of them', (text) => {
    expect(kindOfText(text)).toBeUndefined()
  })

  it('is soon done with a text that begins with many comments', () => {
    expect(kindOfText(`${'# # '.repeat(50_000)}\n`.repeat(4))).toBeUndefined()
    expect(kindOfText('#\n'.repeat(50_000))).toBeUndefined()
  })
})
