import { expect, it } from 'vitest'
import { textsOf } from './formats.fixture.ts'
import { exchangeFixture, reportFixture } from './report.fixture.ts'
import { shellVariablesIn } from './rerun-commands.ts'

const exchangeWith = (secrets: string[], url = 'http://example.com') =>
  exchangeFixture({ request: { method: 'GET', url, headers: [], body: null, secrets } })

it('shellVariablesIn groups variables by origin: invented, created, or configured', () => {
  const report = reportFixture({ settings: { CODE_HOSTING_TOKEN: '$CODE_HOSTING_TOKEN' } })
  const secrets = ['UNKNOWN_TOKEN', 'ALL_TOKEN', 'CODE_HOSTING_TOKEN', 'WRONG_KEY']
  const { requiredVariables } = shellVariablesIn([exchangeWith(secrets)], report)
  const names = requiredVariables.map((source) => source.names)
  expect(names).toEqual([['UNKNOWN_TOKEN', 'WRONG_KEY'], ['ALL_TOKEN'], ['CODE_HOSTING_TOKEN']])
  expect(requiredVariables[0]?.text).toContain('not issued')
})

it.each([
  ['http://example.com', ['HEADER_X_KEY']],
  ['https://example.com', ['HEADER_X_KEY', 'PROBE_TLS_KEY_PASSPHRASE']],
])('shellVariablesIn for %s has as configured: %j', (url, names) => {
  const settings = {
    PROBE_HEADERS: '{"X-Key":"$HEADER_X_KEY"}',
    PROBE_TLS_KEY_PASSPHRASE: '$PROBE_TLS_KEY_PASSPHRASE',
  }
  const exchange = exchangeWith(['HEADER_X_KEY'], url)
  expect(shellVariablesIn([exchange], reportFixture({ settings })).requiredVariables).toEqual([
    { text: 'with the value of the run', names },
  ])
})

it('a run against the reference server has no curl commands and no leaked resources', () => {
  const target = { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true } }
  const report = reportFixture({ target })
  report.run.options = ['--fault', 'a-fault', '--reports', "reports/it's"]
  const { terminal, junit, page, summary } = textsOf(report)
  for (const text of [terminal, junit, page, summary]) {
    expect(text).not.toMatch(/curl --|leaked|sweep/i)
  }
  for (const text of [terminal, junit, page]) {
    expect(text).toMatch(/limit-lowered (\S+ )?--fault a-fault --reports/)
  }
  expect(terminal).toContain("--reports 'reports/it'\\''s'")
})
