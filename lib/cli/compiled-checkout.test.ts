import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { temporaryDirectory } from './command.fixture.ts'
import { compile, copiedProject } from './copied-project.fixture.ts'

const MAX_MS = 240_000

it(
  'a checkout in a folder whose name looks like a URL runs the compiled files unless a source is newer',
  () => {
    const folder = join(temporaryDirectory(), 'feature%2Fx, issue #7')
    mkdirSync(folder)
    const project = copiedProject(folder, '.build')
    const command = join(project, 'lib', 'cli', 'plumbline.js')
    const source = join(project, 'lib', 'cli', 'command-line.ts')
    const inCompiled = (...path: string[]) => join(project, '.build', ...path)
    const execute = (...args: string[]) =>
      execFileSync(process.execPath, ['--', command, ...args], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      })
    const version = () => execute('--version')
    // It fails with another exit status than 0.
    const run = () => execute('run', '--service', 'incident-status')
    const temporary = temporaryDirectory()
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())

    // Compiled code differs from its sources.
    const chunks = readdirSync(inCompiled('lib/chunks')).map((name) =>
      inCompiled('lib/chunks', name),
    )
    for (const path of chunks) {
      const compiled = readFileSync(path, 'utf8')
      writeFileSync(path, compiled.replace(`"${packageJson.version}"`, '"9.9.9"'))
    }
    expect(version()).toContain('9.9.9')

    const before = statSync(inCompiled('lib/cli/main.js')).ino
    // Invalid sources leave the compiled files unchanged, which are then not run.
    const text = readFileSync(source, 'utf8')
    writeFileSync(source, `${text}}}\n`)
    expect(() => compile(project)).toThrow(/Command failed.*command-line\.ts/s)
    expect(statSync(inCompiled('lib/cli/main.js')).ino).toBe(before)
    expect(() => version()).toThrow(/Command failed.*command-line\.ts/s)

    writeFileSync(source, text)
    run()
    compile(project)
    expect(version()).toContain(`plumbline ${packageJson.version}, `)
    run()
    // Code in a shared folder could belong to another user.
    expect(readdirSync(temporary)).toEqual([])
    expect(statSync(inCompiled('lib/cli/main.js')).ino).not.toBe(before)
    expect(readdirSync(project).filter((name) => name.startsWith('.build'))).toEqual(['.build'])
  },
  MAX_MS,
)
