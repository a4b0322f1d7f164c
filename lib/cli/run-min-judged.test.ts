import { join } from 'node:path'
import { expect, it } from 'vitest'
import { reportDisagreements } from '../reports/agreement.fixture.ts'
import { referenceEnvironment, temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { createNestedContext } from './context.ts'
import { enclosedRun, sharedSuites } from './enclosed-run.fixture.ts'
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
  expect(unlimited.text).toContain(`: ${coverage?.judged} of ${results.length} judged (`)
  expect(limited.text).toMatch(/missing: CODE_HOSTING_USERNAME \(\d+ requirements\)/)
  expect(limited.text).toMatch(/judged: .*code-hosting\/pagination \(\d+\)/)
  for (const { report, junit, status } of [whole, limited, unlimited]) {
    expect(reportDisagreements({ report, junit, status: status ?? -1 })).toEqual([])
  }
})

it('a run of everything judged enough', async () => {
  const context = createNestedContext(temporaryDirectory(), sharedSuites)
  expect(await runCommandLine(['run', '--min-judged', '100'], context)).toBe(0)
  expect(context.reported.output).toMatch(/^conformant: /m)
})
