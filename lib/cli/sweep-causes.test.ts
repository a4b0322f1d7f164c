import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startReference } from '../reference/index.ts'
import { atTheEnd } from './command.fixture.ts'
import { deployment, lineFor, ours, swept, withLedger } from './sweep.fixture.ts'

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

  it('tells the causes apart where there are several', async () => {
    const reference = await deployment()
    const lines = ['a', 'b'].flatMap((label) => [
      lineFor(reference, ours(`main-${label}`)),
      lineFor(reference, ours(`stranger-${label}`), 'stranger'),
    ])
    const { directory } = withLedger(...lines, lineFor(reference, ours('x'), 'nobody'))
    const environment = { ...reference.environment, CODE_HOSTING_PASSWORD: 'changed since' }
    const { status, output } = await swept(directory, environment)
    expect(status).toBe(3)
    expect(output).toContain(`left access token ${ours('main-b')}, account maria (may exist) (1) `)
    expect(output).toContain(
      `left access token ${ours('stranger-b')}, account stranger (may exist) (2) `,
    )
    expect(output).toContain('account nobody (may exist): no variable holds the password of nobody')
    expect(output).toContain(
      ' 2 left (1): the service refused the credentials of maria (401): correct ' +
        'CODE_HOSTING_PASSWORD, and sweep again. 2 left (2): no variable holds the password of stranger. ',
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
