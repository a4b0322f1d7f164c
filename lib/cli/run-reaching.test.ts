import { describe, expect, it, vi } from 'vitest'
import { differingConditions } from '../runs/compare/run-differences.ts'
import { responseParts } from '../test-bed/reference/http.ts'
import { filesOf, outcomeOf, referenceEnvironment, temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.fixture.ts'
import { enclosedRun, sharedSuites } from './enclosed-run.fixture.ts'
import { action as run } from './run.ts'

const unavailable = responseParts(503)

describe('run --wait', () => {
  it('sends nothing after an interruption', async () => {
    const directory = temporaryDirectory()
    const requests: string[] = []
    let interrupt = () => {}
    const interruption = new Promise<void>((resolve) => {
      interrupt = resolve
    })
    const environment = await referenceEnvironment({
      intermediary:
        () =>
        async ({ url }) => {
          requests.push(url.pathname)
          interrupt()
          return unavailable
        },
    })
    const suites = vi.spyOn(sharedSuites, 'run')
    const context = createNestedContext(directory, sharedSuites)
    const status = await run(
      { reports: 'reports', wait: 3600 },
      { ...context, environment, interruption: () => interruption },
    )
    const outcome = outcomeOf(directory, { status, ...context.reported })

    expect(status).toBe(3)
    expect(outcome.report.run.interrupted).toBe(true)
    expect(suites).not.toHaveBeenCalled()
    suites.mockRestore()
    expect(requests.length).toBeLessThanOrEqual(3)
    expect(filesOf(outcome)).toContain('junit.xml')
  })
})

it('PROBE_CONNECT_TO is in the report, in its commands, and in a comparison', async () => {
  const reference = await referenceEnvironment()
  const { host } = new URL(reference.CODE_HOSTING_BASE_URL ?? '')
  const environment = {
    ...JSON.parse(JSON.stringify(reference).replaceAll(host, 'node.invalid')),
    PROBE_CONNECT_TO: `node.invalid:80:${host}`,
  }
  const observing = { requirement: ['code-hosting/settings/record', 'incident-status'] }
  const before = await enclosedRun(reference, observing)
  const outcome = await enclosedRun(environment, observing)
  const { target, exchanges } = outcome.report

  expect(outcome.status).toBe(0)
  expect(target.codeHosting).toEqual({
    baseUrl: reference.CODE_HOSTING_BASE_URL?.replace(host, 'node.invalid'),
    connectedTo: host,
  })
  expect(exchanges.length).toBeGreaterThan(0)
  expect(exchanges.map(({ request }) => request.connectTo)).toEqual(
    exchanges.map(() => environment.PROBE_CONNECT_TO),
  )
  expect(outcome.text).toContain(`(connected to ${host})`)
  const conditions = differingConditions(before.report, outcome.report)
  expect(conditions.join()).toContain(`(connected to ${host}) after`)
})
