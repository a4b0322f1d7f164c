import { execFileSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { plumbline } from './command.fixture.ts'
import { copiedProject } from './copied-project.fixture.ts'

const LONGEST_MS = 240_000

function compile(project: string): void {
  const [command = '', ...args] = packageJson.scripts.prepare.split(' ')
  execFileSync(join(project, 'node_modules', command, 'dist', 'cli.mjs'), args, { cwd: project })
}

function version(project: string): string {
  const command = join(project, 'lib', 'cli', 'plumbline.js')
  return execFileSync(process.execPath, ['--', command, '--version'], { encoding: 'utf8' }).trim()
}

/** Makes what was compiled tell itself from its sources. */
function markCompiled(project: string): void {
  const path = join(project, '.build', 'package.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(packageJson.version, '9.9.9'))
}

describe('a checkout', { timeout: LONGEST_MS }, () => {
  it('runs what was compiled as long as its sources are the same', async () => {
    const project = copiedProject()
    expect(version(project)).toBe(packageJson.version)

    compile(project)
    markCompiled(project)
    expect(version(project)).toBe('9.9.9')

    appendFileSync(join(project, 'lib', 'cli', 'main.ts'), '// changed\n')
    expect(version(project)).toBe(packageJson.version)

    compile(project)
    markCompiled(project)
    expect(version(project)).toBe('9.9.9')

    const { status, errors, report } = await plumbline(
      ['run'],
      {},
      undefined,
      join(project, 'lib', 'cli', 'plumbline.js'),
    )
    expect(status, errors).toBe(0)
    expect(report.verdict).toBe('conformant')
    expect(report.tool.version).toBe('9.9.9')
  })

  it('is not compiled again where nothing has changed, and leaves nothing else behind', () => {
    const project = copiedProject()
    compile(project)
    const compiled = join(project, '.build', 'lib', 'cli', 'main.js')
    const before = statSync(compiled).ino

    compile(project)
    expect(statSync(compiled).ino).toBe(before)

    writeFileSync(join(project, 'suites', 'further.json'), '{}')
    compile(project)
    expect(statSync(compiled).ino).not.toBe(before)
    expect(readdirSync(project).filter((name) => name.startsWith('.build'))).toEqual(['.build'])
  })

  it('keeps what was compiled where its sources are none', () => {
    const project = copiedProject()
    compile(project)
    markCompiled(project)
    const path = join(project, 'lib', 'cli', 'npm.ts')
    const source = readFileSync(path, 'utf8')

    writeFileSync(path, `${source}}}\n`)
    expect(() => compile(project)).toThrow(/Command failed.*npm\.ts/s)
    expect(readdirSync(project).filter((name) => name.startsWith('.build'))).toEqual(['.build'])

    writeFileSync(path, source)
    expect(version(project)).toBe('9.9.9')
  })
})
