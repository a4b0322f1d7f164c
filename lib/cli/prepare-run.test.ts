import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from './command.fixture.ts'
import { enclosedContext, UsageError } from './context.ts'
import { loadTargetOrExplain, prepareTarget, startEmbedded } from './prepare-run.ts'

const notice = (place: string) =>
  `plumbline: NODE_EXTRA_CA_CERTS in ${place} does nothing: Node.js reads it when it starts. ` +
  'Set it in the environment of the process.\n'

it.each<[string, NodeJS.ProcessEnv, string | undefined, string]>([
  ['.env', {}, undefined, notice('.env')],
  ['staging.env', { NODE_EXTRA_CA_CERTS: ' ' }, 'staging.env', notice('the file of --env-file')],
  ['.env', { NODE_EXTRA_CA_CERTS: '/elsewhere.pem' }, undefined, ''],
])(
  'a variable of %s that Node.js reads when it starts is told of unless the process has it: %j',
  (file, environment, envFile, told) => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, file), 'NODE_EXTRA_CA_CERTS=/etc/authority.pem\n')
    const context = enclosedContext(directory)
    loadTargetOrExplain({ environment, envFile, directory }, context.errors)
    expect(context.told.errors).toBe(told)
  },
)

describe('the embedded deployment', () => {
  async function refused(options: Parameters<typeof startEmbedded>[0]): Promise<string> {
    const error: unknown = await startEmbedded(options).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UsageError)
    return (error as UsageError).message
  }

  it('says when the port is in use', async () => {
    const first = await startEmbedded({ port: 0 })
    const port = Number(new URL(first.origin).port)
    expect(await refused({ port })).toBe(
      `--port ${port}: the embedded deployment cannot listen at 127.0.0.1: address already in use (EADDRINUSE).`,
    )
    await first.close()
  })

  it.each([
    ['one service', ['code-hosting'], ['codeHosting']],
    ['a service given twice', ['code-hosting', 'code-hosting'], ['codeHosting']],
  ])('is probed for %s once', async (_name, service, keys) => {
    const prepared = await prepareTarget({ service }, enclosedContext(temporaryDirectory()))
    await prepared.embedded?.close()
    expect(prepared.services).toEqual(keys)
  })

  it('knows its faults and variants by name, and not by glob', async () => {
    expect(await refused({ fault: 'limit-*' })).toContain('--fault limit-* names no fault.')
    expect(await refused({ variant: '' })).toContain('--variant names nothing.')
    const reference = await startEmbedded({ fault: 'limit-not-lowered', variant: 'base-path' })
    expect(reference.baseUrl).toMatch(/\/git$/)
    await reference.close()
  })
})
