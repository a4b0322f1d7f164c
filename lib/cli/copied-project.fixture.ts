import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { temporaryDirectory } from './command.fixture.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A copy of the project as a checkout has it, compiled by nobody. Its packages are those of the
 * project, what is cached beside them is its own.
 *
 * @param more what else is copied
 * @returns its folder
 */
export function copiedProject(...more: string[]): string {
  const copy = temporaryDirectory()
  const files = ['package.json', 'package-lock.json', 'tsconfig.json']
  for (const name of ['lib', 'suites', 'config', ...files, ...more]) {
    cpSync(join(project, name), join(copy, name), { recursive: true })
  }
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(project, 'node_modules'))) {
    if (name.startsWith('.')) continue
    symlinkSync(join(project, 'node_modules', name), join(copy, 'node_modules', name))
  }
  return copy
}

/** Compiles it as npm does when it is installed. */
export function compile(copy: string): void {
  const [, ...args] = packageJson.scripts.prepare.split(' ')
  execFileSync(process.execPath, args, { cwd: copy, stdio: 'pipe' })
}

/**
 * A copy of the project, compiled, with one suite more, for what no suite of ours does.
 *
 * @returns the path of its command
 */
export function projectWithSuite(suite: string): string {
  const copy = copiedProject()
  writeFileSync(join(copy, 'suites', 'code-hosting', 'odd.suite.ts'), suite)
  compile(copy)
  return join(copy, 'lib', 'cli', 'plumbline.js')
}
