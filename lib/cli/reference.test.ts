import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plumbline, temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { createNestedContext } from './context.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'

/** Serves in a process until a text on standard error. */
const servedInProcess = (args: readonly string[], listening: () => unknown) =>
  plumbline(['reference', ...args], {}, (child) => {
    child.stderr?.once('data', async () => {
      await listening()
      // The terminal and npm both send the signal.
      child.kill('SIGINT')
      child.kill('SIGINT')
    })
  })

/** Serves until a text on standard error. */
async function served(
  args: readonly string[],
  listening: () => unknown,
  environment: Record<string, string> = {},
) {
  const context = createNestedContext(temporaryDirectory())
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const write = (text: string) => {
    context.errors.write(text)
    listening()
    stop()
  }
  const own = { environment, errors: { write }, interruption: () => stopped }
  const status = await runCommandLine(['reference', ...args], { ...context, ...own })
  return { status, ...context.reported }
}

describe.concurrent('plumbline reference', () => {
  it('serves the reference server, with its environment in a private file', async () => {
    const file = join(temporaryDirectory(), 'reference.env')
    writeFileSync(file, 'of another run', { mode: 0o644 })
    let text = ''
    let mode = 0
    let run: Awaited<ReturnType<typeof enclosedRun>> | undefined
    const args = ['--variant', 'base-path', '--output', file, '--overwrite']
    const { status, output, errors } = await servedInProcess(args, async () => {
      text = readFileSync(file, 'utf8')
      mode = statSync(file).mode & 0o777
      run = await enclosedRun({}, { envFile: file })
    })
    expect(text).toMatch(/^CODE_HOSTING_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/git\n/)
    expect(mode).toBe(0o600)
    expect([status, output]).toEqual([0, ''])
    expect(errors).toContain(`run --env-file ${file}\n`)
    expect(existsSync(file)).toBe(false)
    expect(run?.status).toBe(0)
    expect(run?.report.target.codeHosting?.baseUrl).toMatch(/\/git$/)
    expect(run?.report.target.codeHosting?.embedded).toBeUndefined()
  })

  it('prints its environment, and keeps a file that another process replaced', async () => {
    const { output } = await served([], () => {})
    expect(output).toContain('CODE_HOSTING_BASE_URL=http://127.0.0.1:')
    const file = join(temporaryDirectory(), 'reference.env')
    const { status } = await served(['--output', file], () => writeFileSync(file, 'mine'))
    expect(status).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('requires a file in a job', async () => {
    const refused = await served([], () => {}, { CI: 'true' })
    expect([refused.status, refused.output]).toEqual([2, ''])
    expect(refused.errors).toContain('--output')
    const file = join(temporaryDirectory(), 'reference.env')
    const kept = await served(['--output', file], () => {}, { CI: 'true' })
    expect([kept.status, kept.output]).toEqual([0, ''])
  })
})
