import { describe, expect, it } from 'vitest'
import { plumbline, resultOf, withVerdict } from './command.fixture.ts'

describe.concurrent('a failure', () => {
  it('is told with statement, expected, actual and the exchange that shows it', async () => {
    const outcome = await plumbline(['run', '--fault', 'limit-not-lowered'])
    expect(outcome.status).toBe(1)
    const result = resultOf(outcome, 'code-hosting/pagination/limit-lowered')
    const shown = outcome.report.exchanges.find(({ id }) => id === result.exchanges[0])

    expect(result.expected).toBe('X-PerPage: 25')
    expect(result.actual).toBe('X-PerPage: 26')
    expect(shown?.request.url).toMatch(/\/api\/v1\/user\/repos\?limit=26$/)
    expect(outcome.output).toContain(result.statement)
    expect(outcome.output).toMatch(/ expected +X-PerPage: 25\n +actual +X-PerPage: 26\n/)
    expect(outcome.output).toContain('curl --include')
    expect(outcome.junit).toContain('<failure')
  })

  it('shows the exchange of the endpoint that differs, not of another', async () => {
    const outcome = await plumbline(['run', '--fault', 'scope-answered-with-401-on-repositories'])
    const [id] = withVerdict(outcome, 'fail')
    const result = resultOf(outcome, id ?? '')
    const shown = outcome.report.exchanges.find((exchange) => exchange.id === result.exchanges[0])

    expect(shown?.response?.status).toBe(401)
  })

  it('with another wording only advises when wordings advise', async () => {
    const outcome = await plumbline(['run', '--fault', 'wrong-missing-credentials-message'], {
      PROBE_WORDING: 'advisory',
    })

    expect(withVerdict(outcome, 'advisory')).toEqual([
      'code-hosting/authentication/missing-credentials-message',
    ])
    expect(outcome.status).toBe(0)
  })
})
