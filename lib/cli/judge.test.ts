import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { harEntry, harText } from '../conformance/recording/har-entry.fixture.ts'
import { isSameTarget } from '../results/snapshot.ts'
import { readHistory } from '../runs/history/history.ts'
import { type CommandOutcome, temporaryDirectory, withVerdict } from './command.fixture.ts'
import { enclosedCommand } from './enclosed-run.fixture.ts'

const environment = {
  CODE_HOSTING_BASE_URL: 'https://git.example.com',
  EVENT_PUBLISHING_BASE_URL: 'https://events.example.com',
}

const judge = (directory: string, ...args: string[]) =>
  enclosedCommand(['judge', ...args, '--reports', 'reports'], environment, directory)

const error = { status: 403, body: { message: 'no', url: '/api/swagger' } }
const deviating = harEntry({ status: 403, body: { message: 'no' }, at: 2 })

/** Returns a folder with a recording. */
function folderWith(text: string, name = 'traffic.har'): string {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, name), text)
  return directory
}

describe('plumbline judge', () => {
  const recording = harText([
    harEntry({ body: { login: 'maria' }, sent: { authorization: 'Bearer a-secret-token' } }),
    harEntry({ body: { login: 'maria' }, sent: { cookie: 'session=a-session' } }),
    harEntry({ ...error, at: 1 }),
    deviating,
    harEntry({ url: 'https://elsewhere.example.com/' }),
    harEntry({ status: 304 }),
  ])
  const directory = folderWith(recording)
  let failing: CommandOutcome
  let written = ''

  beforeAll(async () => {
    failing = await judge(directory, 'traffic.har', '--history', 'h.ndjson', '--har')
    written = readFileSync(join(directory, 'reports', 'evidence.har'), 'utf8')
  })

  it('reports what deviates, and what is not in the recording', () => {
    expect([failing.status, failing.errors]).toEqual([1, expect.not.stringContaining('plumbline:')])
    expect(withVerdict(failing, 'fail')).toEqual([
      'code-hosting/errors/body',
      'code-hosting/authentication/missing-credentials',
    ])
    expect(withVerdict(failing, 'pass')).toContain('code-hosting/resources/json')
    const { run, target, exchanges, results } = failing.report
    expect(run.recording).toEqual({
      ...{ entries: 6, judged: 4, withoutResponse: 1 },
      unknownCredentials: 1,
    })
    expect(target).toEqual({
      codeHosting: { baseUrl: environment.CODE_HOSTING_BASE_URL, source: 'recording' },
      eventPublishing: { baseUrl: environment.EVENT_PUBLISHING_BASE_URL, source: 'recording' },
    })
    // Only what supports a verdict.
    expect(exchanges).toHaveLength(4)
    expect(exchanges.at(-1)?.response?.body).toBe('{"message":"no"}')
    const kinds = results.flatMap(({ noVerdict }) => noVerdict?.kind ?? [])
    expect(new Set(kinds)).toEqual(new Set(['not recorded', 'needs', 'untestable']))
    expect(failing.reportText).not.toContain('a-secret-token')
    expect(failing.output).toContain('plumbline judge traffic.har --requirement')
    const { actual } = results.find(({ requirement }) => requirement.endsWith('/body')) ?? {}
    expect(actual).toContain('{"message":"no"}')
  })

  it('judges the failures again with the command in its report', async () => {
    const { command = [], options } = failing.report.run
    const again = await enclosedCommand([...command, ...options], environment, directory)
    expect([again.status, withVerdict(again, 'fail')]).toEqual([1, withVerdict(failing, 'fail')])
  })

  it('accepts known deviations, and compares only recordings with each other', async () => {
    const waiver = (name: string) => ({
      requirement: `code-hosting/${name}`,
      ...{ reason: 'known', owner: 'Maria', expires: '2999-12-31' },
    })
    const names = ['errors/body', 'authentication/missing-credentials']
    writeFileSync(join(directory, 'w.yaml'), JSON.stringify({ waivers: names.map(waiver) }))
    const waived = await judge(
      directory,
      'traffic.har',
      '--history',
      'h.ndjson',
      '--waivers',
      'w.yaml',
    )
    expect([waived.status, withVerdict(waived, 'waived').length]).toEqual([0, 2])
    const { lines } = readHistory(join(directory, 'h.ndjson'))
    expect(lines.map(({ target }) => target)).toEqual([waived.report.target, waived.report.target])
    const { baseUrl } = waived.report.target.codeHosting ?? { baseUrl: '' }
    expect(isSameTarget(waived.report.target, { codeHosting: { baseUrl } })).toBe(false)
  })

  it('judges several files and folders, the earliest exchange first', async () => {
    const folder = folderWith(harText([deviating]), 'b.har')
    mkdirSync(join(folder, 'more'))
    writeFileSync(join(folder, 'more', 'a.har'), harText([harEntry({ ...error, at: 1 })]))
    const outcome = await judge(folder, 'more', 'b.har', '--requirement', 'errors/body')
    expect(outcome.report.exchanges.map(({ startedAt }) => startedAt.slice(17, 19))).toEqual(['02'])
    expect(outcome.report.run.recording).toMatchObject({ judged: 2 })
    expect(outcome.report.exchanges[0]?.id).toBe('e2')
  })

  it('ends with 3 if it judges nothing', async () => {
    const outcome = await judge(folderWith(harText([])), 'traffic.har')
    expect([outcome.status, outcome.report.coverage.judged]).toEqual([3, 0])
  })

  it('keeps no body with PROBE_EVIDENCE=headers', async () => {
    const folder = folderWith(recording)
    const variables = { ...environment, PROBE_EVIDENCE: 'headers' }
    const { report, reportText } = await enclosedCommand(
      ['judge', 'traffic.har', '--reports', 'reports'],
      variables,
      folder,
    )
    expect(report.exchanges.map(({ response }) => response?.body)).toEqual(Array(4).fill(null))
    expect(reportText).not.toContain('"message\\":')
  })

  it.each([
    ['a damaged file', ['traffic.har'], environment],
    ['a missing file', ['missing.har'], environment],
    ['no base URL', ['traffic.har'], {}],
  ])('ends with 2 for %s', async (_, args, variables) => {
    const folder = folderWith(recording.slice(0, 900))
    const outcome = await enclosedCommand(['judge', ...args], variables, folder)
    expect([outcome.status, outcome.output]).toEqual([2, ''])
    expect(outcome.errors).toMatch(/(?:traffic|missing)\.har |CODE_HOSTING_BASE_URL/)
    expect(outcome.errors).toContain('Nothing was sent.')
  })

  it('returns the same failures for the evidence.har that it wrote', async () => {
    const again = await judge(folderWith(written), 'traffic.har')
    expect(withVerdict(again, 'fail')).toEqual(withVerdict(failing, 'fail'))
  })

  it('judges what mitmproxy recorded of the reference server', async () => {
    const recorded = readFileSync(new URL('recordings/mitmproxy.har', import.meta.url), 'utf8')
    const conforming = await judge(folderWith(recorded), 'traffic.har')
    expect([conforming.status, withVerdict(conforming, 'fail')]).toEqual([0, []])
    const passed = withVerdict(conforming, 'pass')
    expect(passed).toHaveLength(20)
    expect(passed).toContain('code-hosting/authentication/missing-credentials')
    // Nobody followed the link, and the items of the list are unknown. Nor is it known whose record a user should get,
    // or whether a creation that was refused should have succeeded.
    expect(passed).not.toContain('code-hosting/resources/user')
    expect(passed).not.toContain('code-hosting/tokens/created')
    expect(passed).not.toContain('code-hosting/errors/documentation-link')
    expect(passed).not.toContain('code-hosting/pagination/limit-honoured')
    expect(conforming.reportText).not.toMatch(/0123456789abcdef|a-password/)
    const header = '"name":"x-page","value":'
    const changed = recorded.replace(`${header}"2"`, `${header}"3"`)
    const failing = await judge(folderWith(changed), 'traffic.har')
    expect(withVerdict(failing, 'fail')).toEqual(['code-hosting/pagination/page-header'])
  })
})
