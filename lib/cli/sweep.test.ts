import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UNNAMED } from '../ledger/ledger.ts'
import { startReference } from '../test-bed/reference/index.ts'
import { atTheEnd, filesOf, plumbline, temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.fixture.ts'
import { enclosedCommand } from './enclosed-run.fixture.ts'
import { action as sweep } from './sweep.ts'

const run = '20260120t1448-a1b2c3'

const ours = (label: string) => `plumbline-${run}-${label}`

/** A server that lists and creates tokens of an account, and records deletions. */
async function deployment(onRequest: (number: number) => void = () => {}) {
  const deletions: string[] = []
  let requests = 0
  const reference = await startReference({
    intermediary: () => (request, respond) => {
      requests += 1
      onRequest(requests)
      if (request.method === 'DELETE') deletions.push(request.url.pathname)
      return respond(request)
    },
  })
  atTheEnd(() => reference.close())
  const { environment, baseUrl } = reference
  async function ask(body?: object, prefix = 'CODE_HOSTING'): Promise<{ name: string }[]> {
    const username = environment[`${prefix}_USERNAME`]
    const password = environment[`${prefix}_PASSWORD`]
    const credentials = Buffer.from(`${username}:${password}`).toString('base64')
    const response = await fetch(`${baseUrl}/api/v1/users/${username}/tokens?limit=50`, {
      headers: { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    expect(response.ok).toBe(true)
    return (await response.json()) as { name: string }[]
  }
  return {
    ...reference,
    deletions,
    other: environment.CODE_HOSTING_OTHER_USERNAME ?? '',
    tokens: async () => (await ask()).map(({ name }) => name),
    make: (name: string, prefix?: string) => ask({ name, scopes: ['read:user'] }, prefix),
  }
}

/** Returns a ledger line for a requested token. */
function lineFor({ baseUrl }: { baseUrl: string }, name: string, account = 'maria'): object {
  const entry = { run, at: '2026-01-20T14:48:00.000Z', event: 'intended', service: 'code-hosting' }
  return { ...entry, baseUrl, kind: 'access token', name, account }
}

/** A directory with a ledger of these lines, whose run has ended. */
function withLedger(...lines: (object | string)[]): { directory: string; ledger: string } {
  const directory = temporaryDirectory()
  const ledger = join(directory, 'reports', `ledger-${run}.ndjson`)
  mkdirSync(join(directory, 'reports'))
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(ledger, `${texts.join('\n')}\n`)
  return { directory, ledger }
}

/** Returns the output of `sweep`; `text` is on one line. */
async function swept(directory: string, environment: Record<string, string>) {
  const context = createNestedContext(directory)
  const status = await sweep({ reports: 'reports' }, { ...context, environment })
  const { output } = context.reported
  return { status, output, text: output.replace(/\s+/g, ' ') }
}

describe('plumbline sweep', () => {
  it('deletes only the resources of a killed run', async () => {
    let child: ChildProcess | undefined
    const reference = await deployment((number) => {
      if (number === 60) child?.kill('SIGKILL')
    })
    await reference.make('plumbline-of-another-run')
    const before = await reference.tokens()
    const args = ['run', '--requirement', 'code-hosting/scopes']
    const killed = await plumbline(args, reference.environment, (started) => {
      child = started
    })
    expect(killed.status).toBeNull()
    expect(filesOf(killed)).toEqual([expect.stringMatching(/^ledger-.*\.ndjson$/)])
    const made = (await reference.tokens()).length - before.length
    expect(made).toBeGreaterThan(3)

    const { status, text } = await swept(killed.directory, reference.environment)
    // A request in flight when the run was killed may have created a token since.
    const [, removed] = / (\d+) removed, \d+ not found,.* 0 left/.exec(text) ?? []
    expect(Number(removed)).toBeGreaterThanOrEqual(made)
    expect(status).toBe(0)
    expect(await reference.tokens()).toEqual(before)
    expect(filesOf(killed)).toEqual([])
    expect(await swept(killed.directory, reference.environment)).toMatchObject({ status: 0 })
  })

  it('reports deleted, absent and remaining resources with reasons', async () => {
    const reference = await deployment()
    for (const label of ['all', 'read-user']) await reference.make(ours(label))
    await reference.make(ours('theirs'), 'CODE_HOSTING_OTHER')
    const { directory, ledger } = withLedger(
      lineFor(reference, ours('all')),
      lineFor(reference, ours('read-user')),
      lineFor(reference, ours('never-made')),
      lineFor(reference, ours('theirs'), reference.other),
      lineFor(reference, ours('of-an-unknown-user'), 'unknown'),
    )
    const environment = { ...reference.environment, CODE_HOSTING_OTHER_PASSWORD: 'changed since' }
    const { status, output } = await swept(directory, environment)

    expect(status).toBe(3)
    expect(output).not.toMatch(/changed since|CODE_HOSTING_TOKEN_DELETE_PATH/)
    await expect(output).toMatchFileSnapshot('snapshots/sweep.txt')
    expect(readFileSync(ledger, 'utf8').match(/"event":"swept"/g)).toHaveLength(3)

    const second = await swept(directory, reference.environment)
    expect(second.text).toMatch(/ 1 removed, 0 not found, 1 left\. 1 /)
    expect(reference.deletions.at(-1)).toMatch(new RegExp(`/${ours('theirs')}$`))
  })

  it('reports requested resources without a name, and deletes the ledger', async () => {
    const reference = await deployment()
    const { directory, ledger } = withLedger(
      lineFor(reference, UNNAMED),
      lineFor(reference, ours('all')),
    )
    const { status, text } = await swept(directory, reference.environment)
    expect(status).toBe(0)
    expect(text).toMatch(/ 0 removed, 1 not found, 1 not created, 0 left\. $/)
    // The path may be wrong if nothing was found.
    expect(text).toContain('CODE_HOSTING_TOKEN_DELETE_PATH')
    expect(existsSync(ledger)).toBe(false)
  })

  it('skips an active run and another target', async () => {
    const reference = await deployment()
    await reference.make(ours('all'))
    const at = new Date().toISOString()
    const begun = { run, at, event: 'started', process: process.pid, host: hostname() }
    const going = withLedger(begun, lineFor(reference, ours('all')))
    const elsewhere = withLedger(lineFor({ baseUrl: 'https://git.example.com' }, ours('all')))

    const reported = await swept(going.directory, reference.environment)
    expect(reported).toMatchObject({ status: 3 })
    expect(reported.text).toMatch(/ 0 left\. 1 ledger [^,.]*\. $/)
    expect(reported.text).toContain(` ${process.pid} `)
    const other = await swept(elsewhere.directory, reference.environment)
    expect(other).toMatchObject({ status: 3 })
    expect(other.output).toContain('https://git.example.com')
    expect(reference.deletions).toEqual([])
    expect(existsSync(going.ledger) && existsSync(elsewhere.ledger)).toBe(true)
  })

  it.each([
    ['CODE_HOSTING_TOKEN_DELETE_PATH', ''],
    ['PROBE_READ_ONLY', 'true'],
  ])('lists resources and sends nothing because of %s', async (variable, value) => {
    const reference = await deployment()
    const { directory } = withLedger(lineFor(reference, ours('all')))
    const { status, text } = await swept(directory, { ...reference.environment, [variable]: value })

    expect([status, reference.deletions]).toEqual([3, []])
    expect(text).toMatch(
      new RegExp(` left .*${ours('all')}.* ${variable} .* 0 removed, 0 not found, 1 left\\.`),
    )
  })

  it('needs no target for resources of the reference server', async () => {
    const embedded = { run, at: '2026-01-20T14:48:00Z', event: 'started', embedded: true }
    const place = { baseUrl: 'http://127.0.0.1:41000' }
    const { directory, ledger } = withLedger(embedded, lineFor(place, ours('all')))
    const { status } = await swept(directory, {})
    expect(status).toBe(0)
    expect(existsSync(ledger)).toBe(false)
  })

  it('reports a service that is down once, without further requests', async () => {
    const reference = await deployment()
    const { directory, ledger } = withLedger(
      lineFor(reference, ours('theirs'), reference.other),
      ...['all', 'read-user', 'read-issue'].map((label) => lineFor(reference, ours(label))),
    )
    await reference.close()
    const environment = { ...reference.environment, PROBE_RETRIES: '0' }
    const { status, output, text } = await swept(directory, environment)
    expect(status).toBe(3)
    expect(text).toContain(' 0 removed, 0 not found, 4 left.')
    expect(output.match(/ECONNREFUSED/g)).toHaveLength(1)
    expect(output).not.toMatch(/DELETE (?!PATH)|CODE_HOSTING_TOKEN_DELETE_PATH/)
    expect(existsSync(ledger)).toBe(true)
  })
})

it('a ledger of a killed run is named by the next run', async () => {
  const { environment } = await deployment()
  const baseUrl = environment.CODE_HOSTING_BASE_URL ?? ''
  const { directory, ledger } = withLedger(
    lineFor({ baseUrl }, ours('all')),
    lineFor({ baseUrl }, ours('read-user')),
  )
  const file = join('reports', basename(ledger))
  const args = ['run', '--quiet', '--service', 'code-hosting', '--requirement', 'settings']
  const outcome = await enclosedCommand(args, environment, directory)
  expect(outcome.report.openLedgers).toEqual([{ file, resources: 2 }])
  expect(outcome.text).toContain(basename(ledger))
  expect(outcome.text).toContain('plumbline sweep --reports reports')
  await enclosedCommand(['sweep'], environment, directory)
  const next = await enclosedCommand(args, environment, directory)
  expect(next.report).not.toHaveProperty('openLedgers')
})
