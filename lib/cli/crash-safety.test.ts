import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { closeAll, startServer } from '../probe/server.fixture.ts'
import { reportFileNames } from '../reports/report-files.ts'
import {
  atTheEnd,
  type CommandOutcome,
  filesOf,
  plumbline,
  reportsIn,
  resultOf,
  withVerdict,
} from './command.fixture.ts'
import { projectWithSuite } from './copied-project.fixture.ts'

const MAX_COMPILATION_MS = 120_000
const REPORTS = reportFileNames.filter((name) => name !== 'evidence.har').toSorted()
const RECORD = 'code-hosting/settings/record'

/** The first two have a common error, the third ends the process. */
const OTHERS = ['values', 'agree-with-pagination', 'readable-by-any-client'].map(
  (row) => `code-hosting/settings/${row}`,
)

/** Registers the suite of code hosting with steps that go wrong. */
const suite = `
  import { setTimeout as delay } from 'node:timers/promises'
  import { skip } from '../lib/conformance/check-errors.ts'
  import { currentRun } from '../lib/conformance/lifecycle.ts'
  import { registerSuite } from '../lib/conformance/register.ts'
  import { codeHosting, eventPublishing } from './index.ts'
  const [record, one, another, third] = ${JSON.stringify([RECORD, ...OTHERS])}
  const shared = new TypeError('broken fixture')
  const enoughExchanges = async () => {
    while (currentRun().exchanges.length < 60) await delay(1)
  }
  const odd = {
    'breaks its checks': {
      async [record]({ target }) {
        throw new TypeError('broken check of ' + target.password)
      },
      ...Object.fromEntries([one, another].map((id) => [id, async () => { throw shared }])),
      [third]: async () => process.exit(0),
      // The check has ended by then.
      async 'code-hosting/errors/conflict'({ tokens }) {
        Promise.reject(new RangeError('no ' + await tokens.all()))
        await delay(0)
      },
    },
    'throws when it is loaded': undefined,
    'throws in a callback': {
      async [record]({ target, tokens }) {
        await tokens.all()
        await enoughExchanges()
        setImmediate(() => { throw new RangeError('no ' + target.password) })
        await delay(0)
      },
    },
    'uses up the memory': {
      async [record]({ tokens }) {
        await tokens.all()
        await enoughExchanges()
        for (const all = []; ; ) all.push(new Array(1e6).fill({}))
      },
    },
  }[process.env.ODD]
  if (odd === undefined) throw new TypeError('broken at load')
  const requirements = { ...codeHosting.suite.requirements }
  for (const [id, steps] of Object.entries(odd)) {
    const name = id.replace('code-hosting/', '')
    requirements[name] = { ...requirements[name], steps }
  }
  // Steps that show nothing, for want of what a control needs; and responses of which there are none.
  const parts = { steps: async () => skip('nothing'), controlNeeds: ['category request'] }
  const every = { is: () => false, absence: 'none', shows() {} }
  requirements['authentication/bearer'] = { ...requirements['authentication/bearer'], ...parts }
  requirements['authentication/basic'] = { ...requirements['authentication/basic'], every }
  registerSuite({ ...codeHosting.suite, requirements })
  registerSuite(eventPublishing.suite)
`

/** More exchanges than the steps wait for. */
const few = ['--requirement', 'settings', 'pagination', 'code-hosting/tokens']

let command = ''
beforeAll(() => {
  command = projectWithSuite(suite)
}, MAX_COMPILATION_MS)

function runThat(
  name: string,
  args: string[] = [],
  environment: Record<string, string> = {},
): Promise<CommandOutcome> {
  return plumbline(['run', ...args], { ODD: name, ...environment }, undefined, command)
}

function timesIn(text: string, part: string): number {
  return text.split(part).length - 1
}

/** Internal errors are on standard error, once each, and without a stack in reports. */
function expectReportedOnce(outcome: CommandOutcome, ...internalErrors: string[]): void {
  const files = filesOf(outcome)
  expect(files).toEqual(REPORTS)
  const { directory, errors } = outcome
  const texts = files.map((name) => readFileSync(join(reportsIn(directory), name), 'utf8'))
  expect(timesIn(errors, 'internal error')).toBe(internalErrors.length)
  for (const error of internalErrors) expect(timesIn(errors, error)).toBe(1)
  expect(texts.join('\n')).not.toMatch(/\n\s+at .*:\d+:\d+/)
}

describe.concurrent('an internal error', () => {
  it('in checks is reported once, and other verdicts stay', async () => {
    const fault = ['--fault', 'archived-change-rejected-with-403']
    const requirements = ['settings', '*/errors/[ac]*', 'authentication', 'event-publishing']
    const args = [...fault, '--requirement', ...requirements]
    const outcome = await runThat('breaks its checks', args)

    expect(outcome.status).toBe(1)
    expectReportedOnce(
      outcome,
      'TypeError: broken check of $CODE_HOSTING_PASSWORD\n',
      'TypeError: broken fixture',
      'process.exit unexpectedly called',
      'RangeError: no $ALL_TOKEN\n',
    )
    expect(withVerdict(outcome, 'inconclusive').sort()).toEqual([RECORD, ...OTHERS].sort())
    expect(withVerdict(outcome, 'fail')).toEqual(['code-hosting/errors/archived'])
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(30)
    expect(outcome.report.leakedResources).toEqual([])
    // Its steps must show enough too, with what their control needs.
    expect(resultOf(outcome, 'code-hosting/authentication/bearer').noVerdict?.kind).toBe('needs')
    expect(resultOf(outcome, 'code-hosting/authentication/basic').verdict).toBe('pass')
    expect(resultOf(outcome, RECORD)).toMatchObject({
      noVerdict: { kind: 'internal error', text: expect.stringContaining('TypeError: broken') },
    })
  })

  it('in a suite that throws on load leaves no verdicts', async () => {
    const outcome = await runThat('throws when it is loaded', ['--requirement', 'settings'])

    expect(outcome.status).toBe(3)
    expectReportedOnce(outcome, 'TypeError: broken at load')
    expect(withVerdict(outcome, 'pass')).toEqual([])
    expect(resultOf(outcome, RECORD).noVerdict?.kind).toBe('interrupted')
  })

  it('in a callback ends the run with the verdicts so far', async () => {
    const outcome = await runThat('throws in a callback', few, { PROBE_CONCURRENCY: '1' })

    expect(outcome.status).toBe(3)
    expectReportedOnce(outcome, 'RangeError: no $CODE_HOSTING_PASSWORD\n')
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(0)
    expect(withVerdict(outcome, 'inconclusive').length).toBeGreaterThan(5)
    const aborted = outcome.report.results.filter(
      ({ noVerdict }) => noVerdict?.kind === 'interrupted' && noVerdict.by === 'internal error',
    )
    expect(aborted.length).toBeGreaterThan(0)
    expect(outcome.report.leakedResources).toEqual([])
  })

  it('in the command itself does the same', async () => {
    const preload = `
      import { isMainThread } from 'node:worker_threads'
      const fail = () => { throw new RangeError('no main thread') }
      if (isMainThread) process.on('SIGUSR2', fail)
    `
    let child: ChildProcess | undefined
    // It accepts connections, and never responds.
    const server = await startServer(() => {
      child?.kill('SIGUSR2')
      child = undefined
    })
    atTheEnd(closeAll)
    const environment = {
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(preload)}"`,
      CODE_HOSTING_BASE_URL: server.url.origin,
      CODE_HOSTING_TOKEN: 'a-token',
      PROBE_RETRIES: '0',
    }
    const outcome = await plumbline(['run'], environment, (started) => {
      child = started
    })

    expect(outcome.status).toBe(3)
    expectReportedOnce(outcome, 'RangeError: no main thread')
  })

  it('because of memory is reported with the verdicts and created resources', async () => {
    const environment = { NODE_OPTIONS: '--max-old-space-size=200' }
    const outcome = await runThat('uses up the memory', few, environment)
    const rest = withVerdict(outcome, 'inconclusive')

    expect(outcome.status).toBe(3)
    expect(outcome.errors).toMatch(/^(?!.*internal error).* memory/s)
    expect(filesOf(outcome)).toEqual(
      expect.arrayContaining([...REPORTS, expect.stringMatching(/^ledger-/)]),
    )
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(0)
    expect(rest.length).toBeGreaterThan(3)
    for (const id of rest) {
      expect(resultOf(outcome, id).noVerdict).toMatchObject({ kind: 'interrupted', before: true })
    }
    expect(outcome.report.leakedResources).toContainEqual({
      kind: 'access token',
      name: expect.stringMatching(/^plumbline-.*-all$/),
      account: 'maria',
      deletedBy: 'CODE_HOSTING_TOKEN_DELETE_PATH',
    })
  })
})
