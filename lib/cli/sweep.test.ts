import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startReference } from '../reference/index.ts'
import { atTheEnd, plumbline } from './command.fixture.ts'
import { UsageError } from './context.ts'
import { deployment, lineFor, ours, run, swept, withLedger } from './sweep.fixture.ts'

const ESCAPE = '\u001b'

function without(environment: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([other]) => other !== name))
}

describe('plumbline sweep', () => {
  it('removes what a killed run made, and nothing else', async () => {
    const reference = await deployment(undefined, 50)
    await reference.make('plumbline-of-somebody-else')
    const before = { main: await reference.tokensOf(), other: await reference.tokensOf('other') }
    const killed = await plumbline(['run'], reference.environment, (child) => {
      child.stderr?.on('data', (chunk) => {
        if (String(chunk).includes('[  27')) child.kill('SIGKILL')
      })
    })
    const reports = join(killed.directory, 'reports')
    expect(killed.status).toBeNull()
    expect(readdirSync(reports)).toEqual([expect.stringMatching(/^ledger-.*\.ndjson$/)])
    const made = (await reference.tokensOf()).length - before.main.length
    expect(made).toBeGreaterThan(3)
    reference.deletions.length = 0

    const { status, output } = await swept(killed.directory, reference.environment)
    // What was asked for when the run was killed may have been made since.
    expect(
      Number(/ (\d+) removed, \d+ gone already,.* 0 left/.exec(output)?.[1]),
    ).toBeGreaterThanOrEqual(made)
    const rows = output.match(/ access token /g)?.length
    const counts = output.split('deleted.').at(-1)?.match(/\d+/g) ?? []
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(rows)
    expect(status).toBe(0)
    expect(await reference.tokensOf()).toEqual(before.main)
    expect(await reference.tokensOf('other')).toEqual(before.other)
    expect(readdirSync(reports)).toEqual([])
    const again = await swept(killed.directory, reference.environment)
    expect(again.status).toBe(0)
    expect(again.output).toBe(
      'There is no ledger in reports: no run that reported there has left anything behind. ' +
        'Others have theirs where their --reports said. ',
    )
  })

  it('tells what it removed, what had gone, and what it could not remove and why', async () => {
    const reference = await deployment()
    for (const label of ['all', 'read-user']) await reference.make(ours(label))
    await reference.make(ours('theirs'), 'other')
    const { directory, ledger } = withLedger(
      lineFor(reference, ours('all')),
      lineFor(reference, ours('read-user')),
      lineFor(reference, ours('never-made')),
      lineFor(reference, ours('theirs'), reference.other),
      lineFor(reference, ours('of-a-stranger'), 'stranger'),
      lineFor(reference, '(without a name)'),
      { ...lineFor(reference, '(without a name)'), event: 'made' },
    )
    const environment = { ...reference.environment, CODE_HOSTING_OTHER_PASSWORD: 'changed since' }
    const { status, output } = await swept(directory, environment)

    expect(status).toBe(3)
    expect(output).toContain(`removed access token ${ours('all')}, account maria`)
    expect(output).toContain(`gone already access token ${ours('never-made')}, account maria`)
    expect(output).toContain(
      `left access token ${ours('theirs')}, account ${reference.other} (may exist) 1 left: the service refused ` +
        `the credentials of ${reference.other} (401): correct CODE_HOSTING_OTHER_PASSWORD, and sweep again`,
    )
    expect(output).toContain(
      'account stranger (may exist) 1 left: no variable holds the password of stranger',
    )
    expect(output).toContain('2 removed, 1 gone already, 3 left. 1 ledger is kept.')
    expect(output).not.toContain('changed since')
    expect(readFileSync(ledger, 'utf8').match(/"event":"swept"/g)).toHaveLength(3)
    reference.deletions.length = 0

    const second = await swept(directory, reference.environment)
    expect(second.output).toContain('1 removed, 0 gone already, 2 left. 1 ledger is kept.')
    expect(reference.deletions).toEqual([
      `/api/v1/users/${reference.other}/tokens/${ours('theirs')}`,
    ])
  })

  it('tells of what was asked for without a name, and does not wait for it', async () => {
    const { directory, ledger } = withLedger(lineFor(await deployment(), '(without a name)'))
    const { status, output } = await swept(directory, (await deployment()).environment)
    expect(status).toBe(3)
    expect(output).toContain('another deployment')
    const reference = await deployment()
    const own = withLedger(lineFor(reference, '(without a name)'))
    const told = await swept(own.directory, reference.environment)
    expect(told.status).toBe(0)
    expect(told.output).toContain(
      'not made access token (without a name), account maria 1 not made: no answer',
    )
    expect(told.output).toMatch(/ 0 removed, 0 gone already, 1 not made, 0 left\. $/)
    expect(existsSync(ledger)).toBe(true)
    expect(existsSync(own.ledger)).toBe(false)
  })

  it('does no harm with a damaged or a foreign ledger', async () => {
    const reference = await deployment()
    for (const name of ['deploy', ours('all')]) await reference.make(name)
    const { directory, ledger } = withLedger(
      '{"run":"2026',
      lineFor(reference, 'deploy'),
      lineFor(reference, '../../../repos/maria/diary'),
      lineFor(reference, `${ours('x')}/../deploy${ESCAPE}[31m`),
      lineFor(reference, ours('all')),
      '{"event":"intended","name":"pl',
    )
    const { status, output } = await swept(directory, reference.environment)

    expect(status).toBe(3)
    expect(reference.deletions).toEqual([`/api/v1/users/maria/tokens/${ours('all')}`])
    expect(await reference.tokensOf()).toContain('deploy')
    expect(output).toContain('3 lines name something that this run cannot have made.')
    expect(output).not.toContain(ESCAPE)
    expect(existsSync(ledger)).toBe(true)
  })

  it('leaves a run alone that is going, and another deployment', async () => {
    const reference = await deployment()
    await reference.make(ours('all'))
    const { hostname } = await import('node:os')
    const at = new Date().toISOString()
    const begun = { run, at, event: 'begun', process: process.pid, host: hostname() }
    const going = withLedger(begun, lineFor(reference, ours('all')))
    const elsewhere = withLedger(lineFor({ baseUrl: 'https://git.example.com' }, ours('all')))

    const told = await swept(going.directory, reference.environment)
    expect(told).toMatchObject({ status: 3 })
    expect(told.output).toMatch(/ 0 left\. 1 ledger is kept\. $/)
    expect(told.output).toContain(
      `the run may still be going, since process ${process.pid} on this machine is there.`,
    )
    const other = await swept(elsewhere.directory, reference.environment)
    expect(other).toMatchObject({ status: 3 })
    expect(other.output).toContain('The run made it at https://git.example.com, and')
    expect((await swept(elsewhere.directory, {})).output).toContain(
      'CODE_HOSTING_BASE_URL is not set: nothing was sent.',
    )
    expect(reference.deletions).toEqual([])
    expect(existsSync(going.ledger) && existsSync(elsewhere.ledger)).toBe(true)
  })

  it.each([
    ['CODE_HOSTING_TOKEN_DELETE_PATH', ''],
    ['PROBE_READ_ONLY', 'true'],
  ])('lists what there is and sends nothing because of %s', async (variable, value) => {
    const reference = await deployment()
    await reference.make(ours('all'))
    const { directory, ledger } = withLedger(lineFor(reference, ours('all')))
    const environment = { ...without(reference.environment, variable), [variable]: value }
    const { status, output } = await swept(directory, environment)

    expect(status).toBe(3)
    expect(output).toContain(`left access token ${ours('all')}, account maria`)
    expect(output).toContain(variable)
    expect(output).toContain('0 removed, 0 gone already, 1 left.')
    expect(reference.deletions).toEqual([])
    expect(existsSync(ledger)).toBe(true)
  })

  it('needs no target for what was made in the deployment that ended with its run', async () => {
    const embedded = { run, at: '2026-01-20T14:48:00Z', event: 'begun', embedded: true }
    const place = { baseUrl: 'http://127.0.0.1:41000' }
    const { directory, ledger } = withLedger(embedded, lineFor(place, ours('all')))
    const { status } = await swept(directory, {})
    expect(status).toBe(0)
    expect(existsSync(ledger)).toBe(false)
    const far = withLedger(embedded, lineFor({ baseUrl: 'https://git.example.com' }, ours('all')))
    expect((await swept(far.directory, {})).status).toBe(3)
  })

  it('warns where nothing was found, since the path may be wrong', async () => {
    const reference = await deployment()
    const { directory } = withLedger(lineFor(reference, ours('all')))
    const { status, output } = await swept(directory, reference.environment)
    expect(status).toBe(0)
    expect(output).toContain('CODE_HOSTING_TOKEN_DELETE_PATH is not their path')
  })

  it('takes a wrong configuration or command line for what it is', async () => {
    const { directory } = withLedger(lineFor({ baseUrl: 'https://git.example.com' }, ours('all')))
    await expect(swept(directory, { CODE_HOSTING_BASE_URL: 'x' })).rejects.toThrow(UsageError)
    await expect(swept(directory, {}, { reports: ' ' })).rejects.toThrow('names no directory')
    const file = join('reports', `ledger-${run}.ndjson`)
    await expect(swept(directory, {}, { reports: file })).rejects.toThrow(
      'cannot be read: not a directory (ENOTDIR)',
    )
  })
})

describe('what plumbline sweep could not take away', () => {
  it('tells once what a service that is down is like, and of no request of another entry', async () => {
    const reference = await deployment()
    const of = { maria: ['all', 'read-user', 'read-issue'], other: ['theirs'] }
    const lines = [
      ...of.other.map((label) => lineFor(reference, ours(label), reference.other)),
      ...of.maria.map((label) => lineFor(reference, ours(label))),
    ]
    await reference.close()
    const { directory, ledger } = withLedger(...lines)
    const environment = { ...reference.environment, PROBE_RETRIES: '0' }
    const { status, output } = await swept(directory, environment)
    expect(status).toBe(3)
    expect(output).toContain(
      `left access token ${ours('read-issue')}, account maria (may exist) 4 left: ${reference.baseUrl} gave no ` +
        'answer: the connection was refused (ECONNREFUSED). Nothing more was sent: sweep again when ' +
        'it answers. 0 removed, 0 gone already, 4 left.',
    )
    expect(output.match(/ECONNREFUSED/g)).toHaveLength(1)
    expect(output).not.toMatch(/DELETE (?!PATH)|is not their path/)
    expect(existsSync(ledger)).toBe(true)
  })

  it('tells each cause once, below what it keeps', async () => {
    const reference = await deployment()
    const lines = ['a', 'b'].flatMap((label) => [
      lineFor(reference, ours(`main-${label}`)),
      lineFor(reference, ours(`stranger-${label}`), 'stranger'),
    ])
    const { directory } = withLedger(...lines)
    const environment = { ...reference.environment, CODE_HOSTING_PASSWORD: 'changed since' }
    const { status, output } = await swept(directory, environment)
    expect(status).toBe(3)
    expect(output).toContain(
      `left access token ${ours('main-b')}, account maria (may exist) 2 left: the service refused the ` +
        'credentials of maria (401): correct CODE_HOSTING_PASSWORD, and sweep again. left',
    )
    expect(output).toContain(
      `${ours('stranger-b')}, account stranger (may exist) 2 left: no variable holds the password of stranger. `,
    )
    expect(reference.deletions).toHaveLength(1)
  })

  it('does not doubt the path where credentials were refused', async () => {
    const reference = await deployment()
    const { directory } = withLedger(
      lineFor(reference, ours('all')),
      lineFor(reference, ours('read-user')),
      lineFor(reference, ours('theirs'), reference.other),
    )
    const environment = { ...reference.environment, CODE_HOSTING_PASSWORD: 'changed since' }
    const { status, output } = await swept(directory, environment)
    expect(status).toBe(3)
    expect(output).toContain('0 removed, 1 gone already, 2 left.')
    expect(output).toContain('correct CODE_HOSTING_PASSWORD, and sweep again.')
    expect(output).not.toContain('CODE_HOSTING_TOKEN_DELETE_PATH')
  })

  it('tells of a gateway in the place of the service, without the request', async () => {
    const reference = await startReference({
      intermediary: () => async () => ({ status: 503, headers: new Headers() }),
    })
    atTheEnd(() => reference.close())
    const { directory } = withLedger(
      lineFor(reference, ours('all')),
      lineFor(reference, ours('read-user')),
    )
    const environment = { ...reference.environment, PROBE_RETRIES: '0' }
    const { output } = await swept(directory, environment)
    expect(output).toContain(
      `2 left: ${reference.baseUrl} answered with 503, which a gateway may have sent. Nothing more`,
    )
  })
})
