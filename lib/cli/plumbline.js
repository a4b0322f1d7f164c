#!/usr/bin/env -S node --
// Without the dashes above, Node.js 20 interprets --env-file as its own option.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../..', import.meta.url))
const compiled = join(project, '.build/lib/cli/main.js')

/** Returns true in a package, and in a checkout whose sources are older than the compiled files. */
function isCompiled() {
  if (!existsSync(join(project, 'lib/cli/main.ts'))) return true
  if (!existsSync(compiled)) return false
  const { mtimeMs } = statSync(compiled)
  const below = ['config', 'lib', 'suites'].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true }).map((path) => join(folder, path)),
  )
  return ['package.json', 'config', 'lib', 'suites', ...below]
    .filter((path) => !/\.(?:test|fixture|browser)\.ts$/.test(path))
    .every((path) => statSync(join(project, path)).ctimeMs < mtimeMs)
}

if (isCompiled()) {
  await import('../../.build/lib/cli/main.js')
} else {
  await import('../../config/package/typescript.js')
  await import('./main.ts')
}
