import { expect, it } from 'vitest'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import { reportModel } from './model.ts'
import { exchangeFixture, reportFixture } from './report.fixture.ts'
import { shellVariablesIn } from './rerun-commands.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { terminalSummary } from './terminal.ts'

it('shellVariablesIn groups variables by origin: invented, created, or configured', () => {
  const report = reportFixture({ settings: { CODE_HOSTING_TOKEN: '$CODE_HOSTING_TOKEN' } })
  const secrets = ['UNKNOWN_TOKEN', 'ALL_TOKEN', 'CODE_HOSTING_TOKEN', 'WRONG_KEY']
  const headers = secrets.map((name) => ({ name: 'X-Key', value: `$${name}` }))
  const exchange = exchangeFixture()
  const placeholders = secrets.map((name, index) => ({ in: index, at: 0, name }))
  Object.assign(exchange.request, { headers, secrets, placeholders })
  const { requiredVariables } = shellVariablesIn([exchange], report)
  const names = requiredVariables.map((source) => source.names)
  expect(names).toEqual([['UNKNOWN_TOKEN', 'WRONG_KEY'], ['ALL_TOKEN'], ['CODE_HOSTING_TOKEN']])
  expect(requiredVariables[0]?.text).toContain('not issued')
})

it('shellVariablesIn has header fields for a gateway, and with https the passphrase, as configured', () => {
  const settings = {
    PROBE_HEADERS: '{"X-Key":"$HEADER_X_KEY"}',
    PROBE_TLS_KEY_PASSPHRASE: '$PROBE_TLS_KEY_PASSPHRASE',
  }
  const variablesFor = (url: string) => {
    const request = { method: 'GET', url, headers: [], body: null, secrets: ['HEADER_X_KEY'] }
    return shellVariablesIn([exchangeFixture({ request })], reportFixture({ settings }))
      .requiredVariables
  }
  const text = 'with the value of the run'
  expect(variablesFor('http://example.com')).toEqual([{ text, names: ['HEADER_X_KEY'] }])
  expect(variablesFor('https://example.com')).toEqual([
    { text, names: ['HEADER_X_KEY', 'PROBE_TLS_KEY_PASSPHRASE'] },
  ])
})

it('a run against the reference server has no curl commands and no leaked resources', () => {
  const target = { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true } }
  const report = reportFixture({ target })
  report.run.options = ['--fault', 'a-fault', '--reports', "reports/it's"]
  const texts = [
    terminalSummary(reportModel(report), { color: false, width: 100, reportFiles: [] }),
    junitXml(reportModel(report)),
    reportHtml(reportModel(report)),
  ]
  for (const text of [...texts, summaryMarkdown(reportModel(report))]) {
    expect(text).not.toMatch(/curl --|leaked|sweep/i)
  }
  for (const text of texts) expect(text).toMatch(/limit-lowered (\S+ )?--fault a-fault --reports/)
  expect(texts[0]).toContain("--reports 'reports/it'\\''s'")
})
