import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { temporaryDirectory } from './command.fixture.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Copies the project to an empty folder as an uncompiled checkout that links its packages, without their caches.
 *
 * @param more further files to copy
 * @returns the folder
 */
export function copiedProject(copy = temporaryDirectory(), ...more: string[]): string {
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

/** Compiles a copy like `npm install`. */
export function compile(copy: string): void {
  const [, ...args] = packageJson.scripts.prepare.split(' ')
  execFileSync(process.execPath, args, { cwd: copy, stdio: 'pipe' })
}

/**
 * Compiles a copy of the project with another Vitest file of its suites.
 *
 * @returns the path of its command
 */
export function projectWithSuite(suite: string): string {
  const copy = copiedProject()
  writeFileSync(join(copy, 'suites', 'all.suite.ts'), suite)
  compile(copy)
  return join(copy, 'lib', 'cli', 'plumbline.js')
}
