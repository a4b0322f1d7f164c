import { join } from 'node:path'
import { expect, it } from 'vitest'
import { reportDisagreements } from '../reports/agreement.fixture.ts'
import { groupByReason } from '../reports/reason-text.ts'
import { referenceEnvironment, temporaryDirectory } from './command.fixture.ts'
import { enclosedCommand, enclosedRun } from './enclosed-run.fixture.ts'
import { atLeast } from './options.ts'

const minJudged = atLeast('50%')

it('a job without its account returns 3 and reports missing variables and lost verdicts', async () => {
  const environment = await referenceEnvironment()
  const { CODE_HOSTING_BASE_URL = '' } = environment
  const options = { history: join(temporaryDirectory(), 'history.ndjson'), minJudged }
  const whole = await enclosedRun(environment, { service: ['code-hosting'], ...options })
  const limited = await enclosedRun({ CODE_HOSTING_BASE_URL }, options)
  const unlimited = await enclosedRun({ CODE_HOSTING_BASE_URL })

  expect([whole.status, limited.status, unlimited.status]).toEqual([0, 3, 0])
  const { coverage, results } = limited.report
  const testable = results.filter(({ noVerdict }) => noVerdict?.kind !== 'untestable').length
  const required = Math.ceil(testable / 2)
  expect(coverage).toMatchObject({ testable, belowThreshold: true, required })
  expect(unlimited.report.verdict).toBe('conformant')
  expect(unlimited.text).toContain(
    `: ${coverage?.judged} of ${testable} testable requirements judged (`,
  )
  expect(limited.text).toMatch(/missing: CODE_HOSTING_USERNAME \(\d+ requirements\)/)
  expect(limited.text).toMatch(/judged: .*code-hosting\/pagination \(\d+\)/)
  const { exchanges, results: all } = unlimited.report
  const judgedIn = all.map(({ requirement }) => requirement.split('/')[0])
  const services = new Set([...judgedIn, ...exchanges.map((exchange) => exchange.service)])
  expect([...services]).toEqual(['code-hosting'])
  const waiting = all.filter(({ noVerdict }) => {
    const needs = noVerdict?.kind === 'needs' ? noVerdict.needs : []
    const variables = new Set(needs.flatMap((need) => need.variables))
    return [...variables].join(' ') === 'CODE_HOSTING_USERNAME CODE_HOSTING_PASSWORD'
  })
  expect(waiting.length).toBeGreaterThan(50)
  expect(groupByReason(waiting)).toHaveLength(1)
  for (const { report, junit, status } of [whole, limited, unlimited]) {
    expect(reportDisagreements({ report, junit, status: status ?? -1 })).toEqual([])
  }
})

it.each([
  ['4', 0],
  ['5', 3],
])('--min-judged %s returns %i if four requirements are judged', async (number, status) => {
  const args = ['run', '--requirement', 'code-hosting/settings', '--min-judged', number]
  expect((await enclosedCommand(args)).status).toBe(status)
})
