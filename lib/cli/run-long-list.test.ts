import { describe, expect, it } from 'vitest'
import { plumbline, resultOf, withVerdict } from './command.fixture.ts'

const run = (variant: string) =>
  plumbline(['run', '--service', 'code-hosting', '--variant', variant])

describe.concurrent('an account that was used for years', () => {
  it('of 530 repositories is judged with few requests more than one of 57', async () => {
    const outcome = await run('account-of-many-repositories')

    expect(outcome.status).toBe(0)
    expect(outcome.report.exchanges.length).toBeLessThan(220)
    expect(resultOf(outcome, 'code-hosting/pagination/walk').reason).toContain(
      'the first 20 and the last 10 of 27 pages',
    )
  })

  it('of 10,000 repositories leaves what needs all of them without a verdict', async () => {
    const outcome = await run('account-of-too-many-repositories-inconclusive')

    expect(outcome.status).toBe(3)
    expect(outcome.report.exchanges.length).toBeLessThan(220)
    expect(withVerdict(outcome, 'inconclusive')).toEqual([
      'code-hosting/scopes/public-only-listing',
      'code-hosting/scopes/public-only-shows-public',
      'code-hosting/pagination/total-count',
      'code-hosting/pagination/walk',
    ])
    for (const id of withVerdict(outcome, 'inconclusive')) {
      expect(resultOf(outcome, id).reason).toMatch(
        /^PROBE_MAX_PAGES is 12: 12 of \d+ pages of the list were read; this needs all of them$/,
      )
    }
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(75)
    expect(withVerdict(outcome, 'fail')).toEqual([])
  })
})
