import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  atTheEnd,
  type CommandOutcome,
  plumbline,
  resultOf,
  withVerdict,
} from './command.fixture.ts'
import { projectWithSuite } from './copied-project.fixture.ts'

const REPORTS = ['evidence.har', 'junit.xml', 'report.html', 'report.json', 'summary.md']
const RECORD = 'code-hosting/settings/record'
const OTHERS = ['code-hosting/settings/values', 'code-hosting/errors/archived']

/** What the odd check does, by the name that a run gives. */
const odd = {
  throws: "throw new TypeError('broken check of ' + target.password)",
  rejects: `
    const token = await tokens.all()
    Promise.reject(new RangeError('no ' + token))
    await delay(50)`,
  'throws in a callback': `
    await tokens.all()
    setTimeout(() => { throw new RangeError('no ' + target.password) }, 200)
    await delay(400)`,
  exits: 'process.exit(0)',
  'ends its thread': 'await tokens.all(); await delay(500); process.reallyExit(0)',
  'uses up the memory': `
    await tokens.all()
    await delay(500)
    for (const all = []; ; ) all.push(new Array(1e6).fill({}))`,
}

const cases = Object.entries(odd).map(
  ([name, body]) => `${JSON.stringify(name)}: async () => {${body}}`,
)

// A row that is judged elsewhere too, and two more for what several have in common.
const suite = `
  import { setTimeout as delay } from 'node:timers/promises'
  import { verify } from './words.ts'
  const name = process.env.ODD
  const shared = new TypeError('broken fixture')
  if (name === 'is broken') throw new TypeError('broken at load')
  if (name === 'shares its error') {
    for (const id of ${JSON.stringify([RECORD, ...OTHERS])}) {
      verify(id, async () => { throw shared })
    }
  } else {
    verify('${RECORD}', async ({ target, tokens }) => { await ({${cases.join(',')}})[name]() })
  }
`

let command = ''
beforeAll(async () => {
  command = projectWithSuite(suite)
})

/** A run of a project with a suite that is odd in this way. */
function runThat(
  name: keyof typeof odd | 'is broken' | 'shares its error',
  args: string[] = [],
  environment: Record<string, string> = {},
): Promise<CommandOutcome> {
  return plumbline(['run', ...args], { ODD: name, ...environment }, undefined, command)
}

function filesOf({ directory }: CommandOutcome): string[] {
  return readdirSync(join(directory, 'reports')).sort()
}

function reportsOf(outcome: CommandOutcome): string {
  return filesOf(outcome)
    .map((name) => readFileSync(join(outcome.directory, 'reports', name), 'utf8'))
    .join('\n')
}

/** A server that takes connections, tells of the first, and never answers. */
async function silentServer(asked: () => void): Promise<string> {
  const server = createServer()
  server.once('connection', asked)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function timesIn(text: string, part: string): number {
  return text.split(part).length - 1
}

/** The defect is told to those who mend it, once, and in reports without what only they need. */
function expectToldOnce(outcome: CommandOutcome, defect: string): void {
  expect(timesIn(outcome.errors, 'a defect of Plumbline itself; please report it')).toBe(1)
  expect(timesIn(outcome.errors, defect)).toBe(1)
  expect(reportsOf(outcome)).not.toMatch(/\n\s+at .*:\d+:\d+/)
}

describe.concurrent('a defect of ours', () => {
  it.each<[keyof typeof odd | 'shares its error', string, string[], string[]]>([
    ['throws', 'TypeError: broken check of $CODE_HOSTING_PASSWORD\n', [RECORD], []],
    ['shares its error', 'TypeError: broken fixture', [RECORD, ...OTHERS], []],
    ['exits', 'process.exit unexpectedly called', [RECORD], []],
    // Whoever rejects it, the check has come to its end.
    ['rejects', 'RangeError: no $ALL_TOKEN\n', [], []],
    [
      'throws',
      'TypeError: broken check',
      [RECORD],
      ['--fault', 'archived-change-answered-with-403'],
    ],
  ])(
    'in a check that %s is told once, and the others stand: %s',
    async (name, told, rows, args) => {
      const outcome = await runThat(name, args)
      const failed = args.length === 0 ? [] : ['code-hosting/errors/archived']

      expect(outcome.status).toBe(failed.length > 0 ? 1 : 3)
      expect(filesOf(outcome)).toEqual(REPORTS)
      expectToldOnce(outcome, told)
      expect(withVerdict(outcome, 'inconclusive').sort()).toEqual(rows.toSorted())
      expect(withVerdict(outcome, 'fail')).toEqual(failed)
      expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(90)
      expect(outcome.report.leftBehind).toEqual([])
      if (name === 'throws') {
        expect(resultOf(outcome, RECORD).reason).toContain('defect of its own: TypeError: broken')
      }
    },
  )

  it('in a suite that throws when it is loaded leaves nothing judged, and says so', async () => {
    const outcome = await runThat('is broken')

    expect(outcome.status).toBe(3)
    expect(filesOf(outcome)).toEqual(REPORTS)
    expectToldOnce(outcome, 'TypeError: broken at load')
    expect(withVerdict(outcome, 'pass')).toEqual([])
    expect(resultOf(outcome, RECORD).reason).toContain('standard error says why')
  })

  it('in a callback ends the run with what it has', async () => {
    const outcome = await runThat('throws in a callback', [], { PROBE_CONCURRENCY: '1' })

    expect(outcome.status).toBe(3)
    expectToldOnce(outcome, 'RangeError: no $CODE_HOSTING_PASSWORD\n')
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(5)
    expect(withVerdict(outcome, 'inconclusive').length).toBeGreaterThan(5)
    expect(outcome.reportText).toContain('the run broke off because of a defect of Plumbline')
    expect(outcome.report.leftBehind).toEqual([])
    expect(filesOf(outcome)).toEqual(REPORTS)
  })

  it('in the command itself does the same', async () => {
    const preload = `
      import { isMainThread } from 'node:worker_threads'
      const fail = () => { throw new RangeError('no main thread') }
      if (isMainThread) process.on('SIGUSR2', fail)
    `
    let child: ChildProcess | undefined
    const baseUrl = await silentServer(() => child?.kill('SIGUSR2'))
    const environment = {
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(preload)}"`,
      CODE_HOSTING_BASE_URL: baseUrl,
      CODE_HOSTING_TOKEN: 'a-token',
      PROBE_RETRIES: '0',
    }
    const outcome = await plumbline(['run'], environment, (started) => {
      child = started
    })

    expect(outcome.status).toBe(3)
    expectToldOnce(outcome, 'RangeError: no main thread')
    expect(filesOf(outcome)).toEqual(REPORTS)
  })
})

describe.concurrent('a thread that dies', () => {
  /** Rows that were judged before keep their verdicts, and what was made is told from the ledger. */
  function expectTheRest(outcome: CommandOutcome): void {
    const rest = withVerdict(outcome, 'inconclusive')

    expect(outcome.status).toBe(3)
    expect(filesOf(outcome).filter((name) => !name.startsWith('ledger-'))).toEqual(REPORTS)
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(0)
    expect(rest.length).toBeGreaterThan(3)
    for (const id of rest) {
      expect(resultOf(outcome, id).reason).toContain('ended before this was judged')
    }
    expect(outcome.report.leftBehind).toContainEqual({
      kind: 'access token',
      name: expect.stringMatching(/^plumbline-.*-all$/),
      account: 'maria',
      deletedBy: 'CODE_HOSTING_TOKEN_DELETE_PATH',
    })
    expect(filesOf(outcome).some((name) => name.startsWith('ledger-'))).toBe(true)
  }

  it('because something ends it', async () => {
    const outcome = await runThat('ends its thread')

    expectTheRest(outcome)
    expect(outcome.errors).toContain('Worker exited unexpectedly')
  })

  it('because its memory is used up', async () => {
    const outcome = await runThat('uses up the memory', [], {
      NODE_OPTIONS: '--max-old-space-size=200',
    })

    expectTheRest(outcome)
    expect(timesIn(outcome.errors, 'ran out of memory')).toBe(1)
    expect(outcome.errors).not.toMatch(/defect of Plumbline|\n\s+at .*:\d+:\d+/)
  })
})
