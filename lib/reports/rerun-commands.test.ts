import { expect, it } from 'vitest'
import { textsOf } from './formats.fixture.ts'
import { exchangeFixture, reportFixture } from './report.fixture.ts'
import { creationsFor, variablesText } from './rerun-commands.ts'

const exchangeWith = (secrets: string[], url = 'http://example.com') =>
  exchangeFixture({ request: { method: 'GET', url, headers: [], body: null, secrets } })

it('variablesText groups variables by origin: invented, created, or configured', () => {
  const settings = {
    CODE_HOSTING_TOKEN: '$CODE_HOSTING_TOKEN',
    PROBE_HEADERS: '{"X-Key":"$HEADER_X_KEY"}',
    PROBE_TLS_KEY_PASSPHRASE: '$PROBE_TLS_KEY_PASSPHRASE',
  }
  const secrets = ['UNKNOWN_TOKEN', 'ALL_TOKEN', 'CODE_HOSTING_TOKEN', 'WRONG_KEY', 'HEADER_X_KEY']
  const textOf = (url: string) =>
    variablesText([exchangeWith(secrets, url)], reportFixture({ settings }))
  const groups = textOf('http://example.com')?.split('; ')
  expect(groups?.map((group) => group.match(/\$\w+/g))).toEqual([
    ['$UNKNOWN_TOKEN', '$WRONG_KEY'],
    ['$ALL_TOKEN'],
    ['$CODE_HOSTING_TOKEN', '$HEADER_X_KEY'],
  ])
  expect(textOf('https://example.com')).toContain('$HEADER_X_KEY, $PROBE_TLS_KEY_PASSPHRASE, ')
})

it('creationsFor returns what an exchange uses after what that uses, each request once', () => {
  const [used, first, second] = [['SECOND', 'OTHER', 'FIRST', 'INVENTED'], ['PASSWORD'], ['FIRST']]
  const exchanges = [
    { ...exchangeWith(first), id: 'e9', response: null, secrets: ['FIRST'] },
    { ...exchangeWith(first), id: 'e10', secrets: ['FIRST'] },
    { ...exchangeWith(second), id: 'e11', secrets: ['SECOND', 'OTHER'] },
  ]
  const report = reportFixture({ exchanges })
  const creations = creationsFor({ ...exchangeWith(used), id: 'e12' }, report)
  expect(creations.map(({ names, exchange }) => [exchange.id, names])).toEqual([
    ['e10', ['FIRST']],
    ['e11', ['SECOND', 'OTHER']],
  ])
  const required = variablesText([exchangeWith(used)], report)
  expect(required?.match(/\$\w+/g)).toEqual(['$INVENTED', '$PASSWORD'])
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
