import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plumbline, temporaryDirectory } from './command.fixture.ts'

/** Serves until something was told on standard error, and hands over what was done then. */
async function served(args: readonly string[], listening: () => void) {
  return plumbline(['reference', ...args], {}, (child) => {
    child.stderr?.once('data', () => {
      listening()
      // As of a terminal and of npm, which hands it on.
      child.kill('SIGINT')
      child.kill('SIGINT')
    })
  })
}

describe.concurrent('plumbline reference', () => {
  it('serves the deployment, whose environment leads a run to it', async () => {
    let environment = ''
    let run: ReturnType<typeof plumbline> | undefined
    const outcome = await plumbline(['reference', '--variant', 'base-path'], {}, (child) => {
      child.stdout?.on('data', (chunk) => {
        environment += chunk
      })
      child.stderr?.on('data', () => {
        const file = join(temporaryDirectory(), 'reference.env')
        writeFileSync(file, environment)
        run ??= plumbline(['run', '--env-file', file]).finally(() => child.kill('SIGTERM'))
      })
    })
    const probed = await run

    expect(outcome.status).toBe(0)
    expect(environment).toContain('CODE_HOSTING_BASE_URL=http://127.0.0.1:')
    expect(probed?.status).toBe(0)
    expect(probed?.report.target.codeHosting?.baseUrl).toMatch(/\/git$/)
    expect(probed?.report.target.codeHosting?.embedded).toBeUndefined()
  })

  it('has the environment in a file of its owner while it serves', async () => {
    const file = join(temporaryDirectory(), 'reference.env')
    writeFileSync(file, 'of another run')
    chmodSync(file, 0o644)
    let text = ''
    let mode = 0
    const { status, output, errors } = await served(['--output', file, '--overwrite'], () => {
      text = readFileSync(file, 'utf8')
      mode = statSync(file).mode & 0o777
    })
    expect(text).toMatch(/^CODE_HOSTING_BASE_URL=http:\/\/127\.0\.0\.1:\d+\n/)
    expect(mode).toBe(0o600)
    expect([status, output]).toEqual([0, ''])
    expect(errors).toContain(`npm start -- --env-file ${file}`)
    expect(existsSync(file)).toBe(false)
  })

  it('leaves alone what somebody else has written there', async () => {
    const file = join(temporaryDirectory(), 'reference.env')
    const { status } = await served(['--output', file], () => writeFileSync(file, 'mine'))
    expect(status).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})
