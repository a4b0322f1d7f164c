import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { closeAll } from '../probe/server.fixture.ts'
import { startGitea } from '../provision/gitea.fixture.ts'
import { plumbline, temporaryDirectory } from './command.fixture.ts'
import { operatorOf, provisioned, targetIn } from './provision.fixture.ts'

afterAll(closeAll)

describe('plumbline provision', () => {
  it('prints the environment file alone on standard output', async () => {
    const gitea = await startGitea()
    const { status, output, errors } = await plumbline(
      ['provision', '--family', 'gitea', '--yes'],
      operatorOf(gitea),
    )
    expect(errors).toContain('Made 7 repositories.')
    expect(status).toBe(0)
    expect(targetIn(output).username).toBe('plumbline-main')
  })
})

describe('provision --output', () => {
  it('writes a file for its owner only, and replaces one only when it is told to', async () => {
    const gitea = await startGitea()
    const directory = temporaryDirectory()
    const file = join(directory, 'staging.env')
    const { status, output, told } = await provisioned(gitea, { directory, output: 'staging.env' })
    expect(status).toBe(0)
    expect(output).toBe('')
    expect(told).toContain(`Wrote the environment file ${file}.`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const first = targetIn(readFileSync(file, 'utf8'))

    const sent = gitea.requests.length
    const refused = provisioned(gitea, { directory, output: 'staging.env' })
    await expect(refused).rejects.toThrow('is there already; --overwrite replaces it')
    expect(gitea.requests).toHaveLength(sent)

    chmodSync(file, 0o644)
    await provisioned(gitea, { directory, output: 'staging.env', overwrite: true })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(targetIn(readFileSync(file, 'utf8')).password).not.toBe(first.password)
  })

  it.each([
    [{ output: '.' }, 'is no file'],
    [
      { output: 'missing/staging.env' },
      'missing cannot be written to: no such file or directory (ENOENT)',
    ],
    [{ output: ' ' }, 'names no file'],
    [{ overwrite: true }, '--overwrite needs --output'],
  ])('is checked before anything is sent: %o', async (options, message) => {
    const gitea = await startGitea()
    await expect(provisioned(gitea, options)).rejects.toThrow(message)
    expect(gitea.requests).toEqual([])
  })

  it('tells when the file has come about in the meantime', async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'staging.env')
    const gitea = await startGitea({
      intervene: ({ method }) => {
        if (method === 'POST') writeFileSync(file, 'of somebody else')
        return undefined
      },
    })
    const { status, told } = await provisioned(gitea, { directory, output: 'staging.env' })
    expect(status).toBe(1)
    expect(told).toContain(`everything was made, but ${file} could not be written (EEXIST)`)
    expect(readFileSync(file, 'utf8')).toBe('of somebody else')
  })
})
